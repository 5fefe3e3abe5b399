"""Three-way scatter: how far the fused kernel and the tensor path each are from the truth, one point a numeric record."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..quantity import over_bar, short
from .markup import clipped, element, joined
from .scale import LogScale

MAX_POINTS = 4000  # about 250 bytes each
SIDE, LEFT, BOTTOM, TOP, RIGHT = 620, 66, 58, 14, 14
COLOURS = 8  # of style.css: c0 to c7
_BINS_PER_DECADE = (64, 48, 32, 24, 16, 12, 8, 4, 2, 1)


@dataclass(frozen=True)
class Point:
    tensor: str
    fused: float  # error over bar
    tensor_path: float
    told: str  # what hovering it shows

    @property
    def worst(self):
        return self.fused if math.isfinite(self.fused) else math.inf


def points_of(gates):
    """The records that measured both arms, and how many numeric records there are."""
    points, total = [], 0
    for gate in gates:
        total += len(gate.numbers)
        for line in gate.numbers:
            if line.get("tensor_path_error") is None:
                continue
            fused, theirs = over_bar(line["error"], line["bar"]), over_bar(line["tensor_path_error"], line["bar"])
            told = (f"{clipped(line['tensor'], 40)} in {clipped(line['case'], 200)}\n{gate.id} ({gate.op} {gate.backend}): you "
                    f"{short(fused)}, tensor path {short(theirs)} x the bar")
            points.append(Point(line["tensor"], fused, theirs, told))
    return points, total


def thinned(points, limit=MAX_POINTS):
    """All points if there are at most `limit`; else of each tensor the worst in each cell of a grid in log-log space."""
    if len(points) <= limit:
        return points
    worst_first = sorted(points, key=lambda point: point.worst, reverse=True)
    for bins in _BINS_PER_DECADE:
        kept = {}
        for point in worst_first:
            kept.setdefault((point.tensor, _bin(point.tensor_path, bins), _bin(point.fused, bins)), point)
        if len(kept) <= limit:
            return list(kept.values())
    return worst_first[:limit]


def _bin(value, bins_per_decade):
    if not math.isfinite(value) or value <= 0:
        return str(value)
    return math.floor(math.log10(value) * bins_per_decade)


def _place(scale, point):
    x = LEFT + scale.at(point.tensor_path) * (SIDE - LEFT - RIGHT)
    y = SIDE - BOTTOM - scale.at(point.fused) * (SIDE - BOTTOM - TOP)
    return x, y


def _line(x1, y1, x2, y2, **attributes):
    return element("line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", **attributes)


def _text(x, y, text, **attributes):
    return element("text", text, x=f"{x:.1f}", y=f"{y:.1f}", **attributes)


def _frame(scale):
    right, bottom = SIDE - RIGHT, SIDE - BOTTOM
    parts = []
    for share, label, _ in scale.ticks():
        x, y = LEFT + share * (right - LEFT), bottom - share * (bottom - TOP)
        parts += [_line(x, TOP, x, bottom, class_="grid"), _line(LEFT, y, right, y, class_="grid"),
                  _text(x, bottom + 18, label, text_anchor="middle"), _text(LEFT - 7, y + 4, label, text_anchor="end")]
    one = scale.at(1.0)
    x, y = LEFT + one * (right - LEFT), bottom - one * (bottom - TOP)
    parts.append(_line(LEFT, bottom, right, TOP, class_="diagonal"))
    parts.append(_line(x, TOP, x, bottom, class_="bar"))
    parts.append(_line(LEFT, y, right, y, class_="bar"))
    parts.append(_text(LEFT + 8, TOP + 18, "tensor path nearer to the truth", class_="side"))
    parts.append(_text(right - 8, bottom - 10, "you nearer to the truth", class_="side", text_anchor="end"))
    middle_x, middle_y = (LEFT + right) / 2, (TOP + bottom) / 2
    parts.append(_text(middle_x, SIDE - 12, "tensor path: error / bar", text_anchor="middle", class_="axis"))
    parts.append(_text(16, middle_y, "you: error / bar", text_anchor="middle", class_="axis",
                       transform=f"rotate(-90 16 {middle_y:.0f})"))
    return parts


def _group(scale, tensor, colour, points):
    dots = []
    for point in points:
        x, y = _place(scale, point)
        dots.append(element("circle", element("title", point.told), cx=f"{x:.1f}", cy=f"{y:.1f}", r=4,
                            class_=None if point.worst <= 1 else "over"))
    return element("g", *dots, class_=f"c{colour}", data_tensor=clipped(tensor, 40))


def scatter(gates):
    """The figure as a section's content: picture, key and what was left out."""
    points, total = points_of(gates)
    if not points:
        return element("p", "No record measured both arms against the truth.")
    shown = thinned(points)
    tensors = list(dict.fromkeys(point.tensor for point in points))
    scale = LogScale.over([value for point in shown for value in (point.fused, point.tensor_path)])
    groups = [_group(scale, tensor, index % COLOURS, [point for point in shown if point.tensor == tensor])
              for index, tensor in enumerate(tensors)]
    picture = element("svg", *_frame(scale), *groups, viewBox=f"0 0 {SIDE} {SIDE}", class_="scatter", role="img",
                      aria_label=f"{len(shown)} records: error of the fused kernel against error of the tensor path")
    key = [element("li", element("span", class_=f"dot c{index % COLOURS}"), " ", clipped(tensor, 40),
                   f" ({sum(point.tensor == tensor for point in points)})", data_tensor=clipped(tensor, 40))
           for index, tensor in enumerate(tensors)]
    return joined([element("ul", *key, class_="key"), picture, element("p", "Point at a dot to see its case.", id="picked", class_="picked"),
                   element("p", _caption(points, shown, total), class_="note")])


def _caption(points, shown, total):
    left_out = total - len(points)
    parts = [f"{len(points)} of {total} numeric records measured both arms against the truth"
             + (f"; the other {left_out} compare something else." if left_out else ".")]
    if len(shown) < len(points):
        parts.append(f"Thinned out to {len(shown)} points: of each tensor the worst in each small cell of the picture.")
    parts.append("What is 0 lies at the left or lower edge, what is not finite at the right or upper one; the dashed "
                 "diagonal is where both arms are equally far, the solid lines are the bars.")
    return " ".join(parts)
