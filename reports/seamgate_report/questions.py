"""The five questions of a report, answered from a decision: what the screen and the Markdown both show."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

from .dependence import dependence, likeness
from .judge import worst_of
from .outcome import FAIL, NOT_APPLICABLE, NOT_RUN, PASS
from .quantity import over_bar

TITLES = {
    "ran": "DID IT RUN?",
    "trains": "DOES IT TRAIN?",
    "right": "IS IT RIGHT?",
    "off": "CAN IT BE OFF?",
    "could_fail": "COULD THESE GATES FAIL?",
    "house": "IS THE HOUSE IN ORDER?",
}
COUNTERS = ("asked", "declined", "node", "bare", "backward", "witness_forward", "witness_backward")
_DTYPE = re.compile(r"^(bf16|[fiu]\d+)(\+(bf16|[fiu]\d+))*$")


@dataclass
class Comparison:
    """The worst comparison of one tensor and dtype, and how far the tensor path is from the truth at its own worst."""

    where: str  # op and backend
    tensor: str
    dtype: str
    you: float
    tensor_path: float | None
    moved: str
    case: str
    passed: bool
    count: int
    hints: list = field(default_factory=list)  # of a failure: what was got, what it looks like, on what it depends


@dataclass
class Counted:
    """What a gate's counters and its witness saw, summed over its cases."""

    gate: object
    totals: dict
    name: str = ""  # of one way of asking; empty: the whole gate
    passed: bool = True

    @property
    def verdict(self):
        """The gate's; of a row that has a name, its own where the gate failed for another. Asks that were declined because somebody
        wanted it so are no sign that the kernel runs."""
        if not self.passed:
            return FAIL
        if self.gate.question == "off":
            return NOT_RUN
        return PASS if self.name and self.gate.verdict == FAIL else self.gate.verdict


@dataclass
class Answer:
    question: str
    title: str
    verdict: str
    gates: list
    comparisons: list = field(default_factory=list)
    counted: list = field(default_factory=list)
    unasked: str = ""  # why no gate was planned that could answer

    @property
    def failed(self):
        return [gate for gate in self.gates if gate.verdict == FAIL]

    @property
    def passed(self):
        return [gate for gate in self.gates if gate.verdict == PASS]


def verdict_of(gates):
    """FAIL if one failed, NOT RUN if none ran or a required one did not, else PASS."""
    if any(gate.verdict == FAIL for gate in gates):
        return FAIL
    ran = [gate for gate in gates if gate.verdict == PASS]
    if not ran or any(gate.verdict == NOT_RUN and gate.required for gate in gates):
        return NOT_RUN
    return PASS


def dtype_of(case):
    """The dtype in a case's name, op/variant/dtype/shape/...; "-" when it has none."""
    return next((part for part in case.split("/") if _DTYPE.match(part)), "-")


def _hints(lines, by_gate, worst):
    if all(line["passed"] for line in lines):
        return []
    place = f"{worst['place']}: " if worst.get("place") else ""
    told = [f"{place}got {worst.get('got')}, want {worst.get('want')} (float128)"] if not worst["passed"] else []
    return told + [text for text in (likeness(lines), _first_dependence(lines, by_gate)) if text]


def _first_dependence(lines, by_gate):
    """Over all gates, else over the one with the most cases that has an answer: gates differ in what they do to a case."""
    for some in [lines, *sorted(by_gate, key=len, reverse=True)]:
        if told := dependence(some):
            return told
    return ""


def _compare(gates):
    """Against the truth where a gate measured both arms (the three-way gates); against its own bar otherwise."""
    groups, by_gate = {}, {}
    for gate in gates:
        for line in gate.numbers:
            key = (gate.op, gate.backend, line["tensor"], dtype_of(line["case"]))
            groups.setdefault(key, []).append(line)
            by_gate.setdefault(key, {}).setdefault(gate.id, []).append(line)
    rows = []
    for (op, backend, tensor, dtype), lines in groups.items():
        three_way = [line for line in lines if line.get("tensor_path_error") is not None]
        if three_way:
            lines = three_way + [line for line in lines if not line["passed"] and line not in three_way]
        worst = worst_of(lines)
        line = next(line for line in lines if line["case"] == worst.case and line["tensor"] == worst.tensor)
        theirs = [over_bar(item["tensor_path_error"], item["bar"]) for item in three_way]
        rows.append(Comparison(f"{op} {backend}", tensor, dtype, worst.error_over_bar, max(theirs) if theirs else None,
                               line.get("moved") or "-", worst.case, all(item["passed"] for item in lines), len(lines),
                               _hints(groups[op, backend, tensor, dtype],
                                      list(by_gate[op, backend, tensor, dtype].values()), line)))
    return rows


def _total(items, counter):
    """The sum over items that have it; "-" where none has: nobody looked."""
    values = [item[counter] for item in items if isinstance(item.get(counter), int)]
    return sum(values) if values else "-"


def _count(gates):
    """One row for each gate of the first question that counted, and for each of the ways of asking that a gate names: where a switch
    was set on purpose these are all that was asked."""
    rows = []
    for gate in gates:
        named = {}
        for item in gate.counters:
            if item.get("name") or gate.question == "ran":
                named.setdefault(str(item.get("name", "")), []).append(item)
        for name, items in named.items():
            totals = {counter: _total(items, counter) for counter in COUNTERS}
            rows.append(Counted(gate, totals, name, all(item.get("passed", True) is True for item in items)))
    return rows


def _why_unasked(decision, question):
    reasons = [gate.reason for gate in decision.gates if gate.question == question and gate.verdict == NOT_APPLICABLE]
    return max(reasons, key=reasons.count) if reasons else "nothing was planned for this question"


def counted_by_place(rows):
    """What rows without a name counted together, one (place, totals, verdict) for each op and backend, and those with one."""
    groups = {}
    for row in rows:
        groups.setdefault(row.name or f"{row.gate.op} {row.gate.backend}", []).append(row)
    result = []
    for place, members in groups.items():
        totals = {counter: _total([row.totals for row in members], counter) for counter in COUNTERS}
        verdicts = {row.verdict for row in members}
        result.append((place, totals, next((verdict for verdict in (FAIL, NOT_RUN) if verdict in verdicts), PASS)))
    return result


def answers(decision):
    """One Answer a question, in the order of TITLES. A question that nothing was planned for reads NOT RUN."""
    result = []
    for question, title in TITLES.items():
        gates = [gate for gate in decision.gates if gate.question == question and gate.verdict != NOT_APPLICABLE]
        if question == "house" and not any(gate.required or gate.verdict != NOT_RUN for gate in gates):
            continue
        result.append(Answer(question, title, verdict_of(gates), gates,
                             _compare(gates) if question == "right" else [],
                             _count(decision.gates) if question == "ran" else [],
                             "" if gates else _why_unasked(decision, question)))
    return result


def by_place(gates):
    """Gates grouped by op and backend: a list of (place, gates) in the order of their first gate."""
    groups = {}
    for gate in gates:
        groups.setdefault(f"{gate.op} {gate.backend}", []).append(gate)
    return list(groups.items())


def by_reason(gates):
    """Gates that did not run, as a list of (backend, required, reason, gates)."""
    groups = {}
    for gate in gates:
        groups.setdefault((gate.backend, gate.required, gate.reason), []).append(gate)
    return [(*key, members) for key, members in groups.items()]


def replay_command(gate, line, library=None):
    """The command that repeats a failed line of `gate` on the same bits; empty when the line names no case."""
    if not line.get("case"):
        return ""
    command = f"seamgate replay {line['case']}"
    command += f" --gate {gate.id}" if gate.id != "truth" else ""
    command += f" --implementation {shlex.quote(library.implementation)}" if library else ""
    return command + (f" --backend {gate.backend}" if gate.backend != "cpu" else "")


def first_replay(decision):
    """The command that repeats the first failure that names a case; empty when there is none."""
    commands = (replay_command(gate, line, decision.library) for gate in decision.with_verdict(FAIL) for line in gate.failures)
    return next((command for command in commands if command), "")
