"""report.md: the five questions of the screen, the picture, every failure, every row, and the facts of the run."""

from __future__ import annotations

from . import provenance
from .discharge import discharge_command, discharge_place
from .failures import describe
from .outcome import BROKEN, CAUGHT, FAIL, NOT_APPLICABLE, NOT_RUN
from .questions import COUNTERS, answers, first_replay, replay_command
from .quantity import short
from .summary import counts

MAX_FAILURES = 20  # of one gate; the records hold all of them


def _cell(value):
    return str(value).replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def table(head, rows):
    """A Markdown table; empty when it has no rows."""
    if not rows:
        return []
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows] + [""]


def _worst(gate):
    return short(gate.worst.error_over_bar) if gate.worst else "-"


def _gates(gates):
    return table(["gate", "op", "backend", "verdict", "cases", "checks", "worst error / bar", "reason"],
                 [[gate.id, gate.op, gate.backend, gate.verdict, gate.cases, gate.checks, _worst(gate), gate.reason]
                  for gate in gates])


def _mutants(decision):
    caught = sum(mutant.verdict == CAUGHT for mutant in decision.mutants)
    rows = []
    for mutant in decision.mutants:
        distance = short(mutant.over_bar) if mutant.over_bar is not None else "not numeric" if mutant.by else "-"
        rows.append([mutant.title, mutant.verdict, ", ".join(mutant.by) or "-", mutant.expected_gate, distance,
                     mutant.reason])
    return [f"{caught} of {len(decision.mutants)} planted faults caught.", ""] + table(
        ["planted fault", "verdict", "by", "expected", "worst error / bar", "reason"], rows)


def _answer(answer, decision):
    lines = [f"## {answer.title.capitalize()} {answer.verdict}", ""]
    lines += table(["gate", "backend", "asked", "declined", "node", "bare", "backward", "witness forward/backward"],
                   [[row.gate.id + (f": {row.name}" if row.name else ""), row.gate.backend, *(row.totals[name] for name in COUNTERS[:5]),
                     f"{row.totals['witness_forward']}/{row.totals['witness_backward']}"] for row in answer.counted])
    lines += table(["tensor", "dtype", "where", "you", "tensor path", "who moved", "comparisons", "worst case"],
                   [[row.tensor, row.dtype, row.where, short(row.you), short(row.tensor_path), row.moved, row.count,
                     f"`{row.case}`"] for row in answer.comparisons])
    if answer.question == "could_fail":
        lines += _mutants(decision)
    return lines + (_gates(answer.gates) or [f"{answer.unasked[:1].upper()}{answer.unasked[1:]}.", ""])


def _failures(decision):
    lines = []
    for gate in decision.with_verdict(FAIL):
        lines += [f"### {gate.id} ({gate.op} {gate.backend}): {_cell(gate.reason)}", ""]
        for line in gate.failures[:MAX_FAILURES]:
            lines += ["```", *describe(line)]
            lines += [replay_command(gate, line, decision.library)] if line.get("case") else []
            lines += ["```", ""]
        if len(gate.failures) > MAX_FAILURES:
            lines += [f"{len(gate.failures) - MAX_FAILURES} more are in the records.", ""]
    return ["## What failed", ""] + lines if lines else []


def _head(decision, elapsed_s):
    tally = counts(decision)
    judged = f"{_cell(provenance.subject(decision.library))}; " if decision.library else ""
    took = f", {elapsed_s:.1f} s" if elapsed_s is not None else ""
    lines = [f"# seamgate: {decision.verdict}", "",
             f"{tally['failed']} {'gate' if tally['failed'] == 1 else 'gates'} failed, {tally['passed']} passed, "
             f"{tally['not_run']} did not run; "
             f"{judged}{provenance.machine(decision)}; tier {decision.tier}{took}; exit {decision.exit_code}.", ""]
    lines += ["The run was interrupted.", ""] if decision.interrupted else []
    reasons = decision.problems if decision.verdict == BROKEN else decision.shortfalls
    lines += [f"- {_cell(text)}" for text in reasons] + [""] if reasons else []
    if discharge_command(decision):
        place = discharge_place(decision)
        lines += ["To discharge what is pending" + (f", {place}:" if place else ":"), ""]
        lines += ["```", discharge_command(decision), "```", ""]
    replay = first_replay(decision)
    return lines + (["To repeat the first failure:", "", "```", replay, "```", ""] if replay else [])


def markdown(decision, elapsed_s, why_not_drawn=""):
    """The report as Markdown. `why_not_drawn`: why errors.png is not beside it; empty when it is."""
    lines = _head(decision, elapsed_s)
    for answer in answers(decision):
        lines += _answer(answer, decision)
    lines += ["## Errors against their bars", ""]
    picture = "![Error over bar, per gate](errors.png)"
    lines += [f"picture: not drawn ({why_not_drawn})" if why_not_drawn else picture, ""]
    lines += _failures(decision)
    for title, verdict in (("## What did not run", NOT_RUN), ("## What does not apply", NOT_APPLICABLE)):
        rows = [[gate.id, gate.op, gate.backend, "yes" if gate.required else "no", gate.reason]
                for gate in decision.with_verdict(verdict)]
        lines += [title, ""] + table(["gate", "op", "backend", "required", "reason"], rows) if rows else []
    rows = [[row.id, row.verdict, row.title, ", ".join(row.gates) or "-"] for row in decision.rows]
    lines += ["## Requirements", ""] + table(["row", "verdict", "what", "gates"], rows)
    facts = [["run", decision.run_id], ["command", f"`{decision.command}`"], *provenance.lines(decision.provenance)]
    return "\n".join(lines + ["## The facts of this run", ""] + table(["what", "value"], facts))
