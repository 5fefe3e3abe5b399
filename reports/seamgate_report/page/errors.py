"""Error over bar, per gate and per planted fault: one row a gate, a small picture with the bar at 1 in each."""

from __future__ import annotations

import math

from ..outcome import CAUGHT
from ..quantity import over_bar, short, to_json
from .markup import badge, clipped, element, joined, number_cell, table
from .scale import LogScale

_PLACES = 60  # dots of a row at most; of those in one place the picture shows one
_HEIGHT = 18


def _percent(share):
    return f"{2 + 96 * share:.2f}%"  # two percent of air on both sides, so that dots at the ends are whole


def _lane(scale, values, worst_title, kind=""):
    """The picture of one row: its range, its values, and the worst of them large."""
    places = sorted({round(scale.at(value) * _PLACES) for value in values})
    worst = max(values, key=lambda value: value if math.isfinite(value) else math.inf)
    middle = _HEIGHT // 2
    over = "" if math.isfinite(worst) and worst <= 1 else " over"
    one = _percent(scale.at(1.0))
    edge = scale.at(1.0) * _PLACES
    dots = [element("circle", cx=_percent(place / _PLACES), cy=middle, r=2, class_="over" if place > edge else None)
            for place in places]
    return element(
        "svg", element("line", x1=one, x2=one, y1=0, y2=_HEIGHT, class_="bar"),
        element("line", x1=_percent(places[0] / _PLACES), x2=_percent(scale.at(worst)), y1=middle, y2=middle, class_="range"),
        *dots, element("circle", element("title", worst_title), cx=_percent(scale.at(worst)), cy=middle, r=5,
                       class_=f"worst{over}{kind}"),
        class_="lane", width="100%", height=_HEIGHT, role="img", aria_label=f"worst {short(worst)} x the bar")


def _axis(scale):
    labels = []
    for share, label, minor in scale.ticks():
        anchor = "start" if share < 0.02 else "end" if share > 0.98 else "middle"
        kind = "bar" if label == "1" else "minor" if minor else None
        labels.append(element("text", label, x=_percent(share), y=13, text_anchor=anchor, class_=kind))
    return element("th", element("svg", *labels, class_="lane", width="100%", height=_HEIGHT, role="img",
                                 aria_label="error over bar, log scale; the bar is 1"), scope="col", class_="chart")


def _rows(decision):
    """(name, op, backend, verdict, values, worst case, is a fault) of everything that has a number."""
    rows = []
    for gate in decision.gates:
        if gate.numbers:
            values = [over_bar(line["error"], line["bar"]) for line in gate.numbers]
            rows.append((gate.id, gate.op, gate.backend, gate.verdict, values, gate.worst.case, False))
    for mutant in decision.mutants:
        if mutant.verdict == CAUGHT and mutant.over_bar is not None:
            rows.append((mutant.title, mutant.op, "fault", mutant.verdict, [mutant.over_bar], mutant.case, True))
    return rows


def errors(decision):
    rows = _rows(decision)
    if not rows:
        return element("p", "No gate left a number.")
    scale = LogScale.over([value for row in rows for value in row[4]])
    body = []
    for name, op, backend, verdict, values, case, fault in rows:
        worst = max(values, key=lambda value: value if math.isfinite(value) else math.inf)
        picture = _lane(scale, values, f"{short(worst)} x the bar: {clipped(case)}", " fault" if fault else "")
        label = element("td", clipped(name), " ", element("span", f"{op} {backend}", class_="where"))
        body.append([label, badge(verdict), element("td", picture, class_="chart"),
                     number_cell(short(worst), to_json(worst)), number_cell(len(values), len(values))])
    head = ["gate or planted fault", "verdict", _axis(scale), "worst", "records"]
    floor = 10.0**scale.low_exponent
    note = (f"Log scale, the bar is 1; each dot stands for the records in its place, the large one for the worst. What is "
            f"below {floor:g} is drawn at the left end, what is not finite at the right end. A planted fault belongs to the "
            "right of the bar.")
    return joined([table(head, body, class_="errors"), element("p", note, class_="note")])
