"""What would turn PENDING into a verdict: the command, and where to give it."""

from .outcome import NOT_RUN, PENDING

GPU_BACKEND = "cuda"


def pending_backends(decision):
    """The backends, as `--require` takes them, on which something required is still to run."""
    gates = [gate for gate in decision.required if gate.verdict == NOT_RUN]
    wanted = {gate.backend for gate in gates if gate.backend in decision.required_backends}
    if any(gate.backend not in decision.required_backends for gate in gates) or not gates:
        wanted |= {backend for backend in decision.required_backends if backend != GPU_BACKEND} or {GPU_BACKEND}
    planned = {gate.backend for gate in decision.required}
    wanted |= {backend for backend in decision.required_backends if backend not in planned}
    return [backend for backend in decision.required_backends if backend in wanted] or ["cpu"]


def discharge_command(decision):
    """The command line that would discharge what is pending; empty when nothing is."""
    if decision.verdict != PENDING:
        return ""
    command = f"ci/gate --require {','.join(pending_backends(decision))} --tier {decision.tier}"
    return command + (f" --op {decision.ops[0]}" if "--op" in decision.command.split() and len(decision.ops) == 1 else "")


def discharge_place(decision):
    """Where to give it, and what to do with what it writes; empty when any machine will do."""
    if decision.verdict != PENDING or GPU_BACKEND not in pending_backends(decision):
        return ""
    return "on a machine with a free GPU and nvcc; then: seamgate merge DIR DIR --out DIR"
