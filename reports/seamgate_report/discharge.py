"""What would turn PENDING into a verdict: the command, and where to give it."""

import re

from .outcome import NOT_RUN, PENDING

GPU_BACKEND = "cuda"
ANY_MACHINE = "cpu"
MERGE = "seamgate merge DIR DIR --out DIR"


def pending_backends(decision):
    """The backends, as `--require` takes them, on which something required is still to run."""
    required = decision.required
    wanted = {gate.backend for gate in required if gate.verdict == NOT_RUN}
    if "all" in wanted:  # the planted faults, which any machine can judge
        wanted = wanted - {"all"} | {ANY_MACHINE}
    wanted |= set(decision.required_backends) - {gate.backend for gate in required}
    return [backend for backend in (ANY_MACHINE, GPU_BACKEND) if backend in wanted] or decision.required_backends


def discharge_command(decision):
    """The command line that would discharge what is pending; empty when nothing is."""
    if decision.verdict != PENDING:
        return ""
    if decision.library:
        return re.sub(r" --gate[ =]\S+| --no-mutants", "", decision.command)
    if decision.command.startswith("ci/gpu"):
        return re.sub(r" --switch[ =]\S+", "", decision.command)  # which is why gates did not run
    command = f"ci/gate --require {','.join(pending_backends(decision))} --tier {decision.tier}"
    return command + (f" --op {decision.ops[0]}" if "--op" in decision.command.split() and len(decision.ops) == 1 else "")


def discharge_place(decision):
    """Where to give it, and what to do with what it writes; empty when any machine will do and it says everything."""
    if decision.verdict != PENDING:
        return ""
    backends = pending_backends(decision)
    built = decision.command.startswith("ci/gpu") or decision.library is not None
    place = "on a machine with a free GPU" + ("" if built else " and nvcc") if GPU_BACKEND in backends else ""
    join = f"then: {MERGE}" if not built and set(backends) != set(decision.required_backends) else ""
    return "; ".join(part for part in (place, join) if part)
