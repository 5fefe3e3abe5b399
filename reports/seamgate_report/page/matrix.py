"""The requirements as a matrix: one line a row that must hold, one column an op and backend."""

from __future__ import annotations

from ..outcome import FAIL, NO_GATE, NOT_APPLICABLE, NOT_RUN, PASS
from .markup import badge, clipped, element, table

NOT_PLANNED = "-"  # the row's gates look elsewhere; nothing is claimed here


def columns_of(decision):
    """(op, backend) of every gate that answers a row, in the order of the plan."""
    answering = {gate for row in decision.rows for gate in row.gates}
    return list(dict.fromkeys((gate.op, gate.backend) for gate in decision.gates if gate.id in answering))


def cell_of(row, gates, op, backend):
    """The verdict of `row` on one op and backend, and the gates it stands on.

    PASS only if every gate of the row that applies here passed; a gate of the row that is planned nowhere keeps it NOT RUN.
    """
    if not row.gates:
        return NO_GATE, "no gate answers it yet"
    mine = [gate for gate in gates if gate.id in row.gates and (gate.op, gate.backend) == (op, backend)]
    unplanned = sorted(set(row.gates) - {gate.id for gate in gates})
    told = [f"{gate.id}: {gate.verdict}" + (f" ({clipped(gate.reason, 120)})" if gate.reason else "") for gate in mine]
    told += [f"{gate}: not selected" for gate in unplanned]
    applying = [gate for gate in mine if gate.verdict != NOT_APPLICABLE]
    if not mine:
        verdict = NOT_RUN if unplanned else NOT_PLANNED
        told = told or [f"answered elsewhere, by {', '.join(row.gates)}"]
    elif not applying:
        verdict = NOT_RUN if unplanned else NOT_APPLICABLE
    elif any(gate.verdict == FAIL for gate in applying):
        verdict = FAIL
    elif all(gate.verdict == PASS for gate in applying) and not unplanned:
        verdict = PASS
    else:
        verdict = NOT_RUN
    return verdict, "; ".join(told)


_SHORT = {NOT_APPLICABLE: "n/a"}


def matrix(decision):
    columns = columns_of(decision)
    body = []
    for row in decision.rows:
        cells = []
        for op, backend in columns:
            verdict, told = cell_of(row, decision.gates, op, backend)
            shown = verdict if verdict == NOT_PLANNED else _badge(verdict)
            cells.append(element("td", shown, title=f"{row.id} on {op} {backend}: {told}", class_="cell"))
        overall = element("td", badge(row.verdict), title=f"{row.id}: {', '.join(row.gates) or 'no gate yet'}", class_="cell")
        body.append([element("th", row.id, scope="row"), element("td", row.title, class_="what"), overall, *cells])
    head = ["row", "what must hold", "whole", *(f"{op} {backend}" for op, backend in columns)]
    return table(head, body, class_="matrix", id="matrix")


def _badge(verdict):
    return badge(verdict) if verdict not in _SHORT else element("span", _SHORT[verdict], class_="badge v-not-applicable")
