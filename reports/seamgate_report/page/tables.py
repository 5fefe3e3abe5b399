"""Every gate in one table, and the facts of the run."""

from __future__ import annotations

from ..provenance import lines
from ..quantity import short, to_json
from .markup import badge, clipped, element, joined, number_cell, table


def gates(decision):
    """One line a gate, op and backend; its headings sort and the box above filters where JavaScript runs."""
    rows = []
    for gate in decision.gates:
        worst = gate.worst
        case = f"{worst.tensor} in {worst.case}" if worst else "-"
        rows.append([element("th", gate.id, scope="row", title=gate.title), gate.op, gate.backend, badge(gate.verdict),
                     "yes" if gate.required else "no", number_cell(gate.cases, gate.cases),
                     number_cell(gate.checks, gate.checks), number_cell(f"{gate.seconds:.2f}", to_json(gate.seconds)),
                     number_cell(short(worst.error_over_bar) if worst else "-", to_json(worst.error_over_bar) if worst else ""),
                     element("td", clipped(case), class_="case"), element("td", ", ".join(gate.rows) or "-", class_="text" if len(gate.rows) > 3 else None),
                     element("td", clipped(gate.reason), class_="text" if gate.reason else None)])
    head = ["gate", "op", "backend", "verdict", "required", "cases", "checks", "seconds", "worst error / bar", "worst case",
            "rows", "reason"]
    box = element("p", element("label", "only lines with ", element("input", type="search", data_filters="gates")),
                  class_="filter", hidden=True)
    return joined([box, table(head, rows, class_="gates sortable", id="gates")])


def facts(decision):
    rows = [["run", decision.run_id], ["command", decision.command],
            ["required backends", ", ".join(decision.required_backends)], ["ops", ", ".join(decision.ops)],
            *lines(decision.provenance)]
    return table(["what", "value"], [[element("th", clipped(name), scope="row"), element("td", clipped(value, 1000))]
                                     for name, value in rows], class_="origin", id="facts")
