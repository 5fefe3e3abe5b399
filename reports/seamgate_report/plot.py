"""Draws errors.png from the JSON that picture.py gives on standard input. The only file that needs matplotlib."""

from __future__ import annotations

import json
import math
import sys

FLOOR = 1e-4  # errors below this share of the bar are drawn here: zero has no place on a log scale
CEILING = 1e16  # and above this here: the largest that a fault makes says no more than that it is far over
PASSED, FAILED, FAULT, BAR = "#2a6f97", "#c1121f", "#e09f3e", "#222222"


def _clamp(values, ceiling):
    return [min(max(float(value), FLOOR), ceiling) for value in values]


def _ceiling(data):
    finite = [float(value) for row in data["gates"] for value in row["over_bar"] if math.isfinite(float(value))]
    finite += [float(row["over_bar"]) for row in data["mutants"] if math.isfinite(float(row["over_bar"]))]
    return min(CEILING, 10.0 ** (math.ceil(math.log10(min(CEILING, max([*finite, 10.0])))) + 1))


def main(target):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.lines import Line2D

    data = json.load(sys.stdin)
    gates, mutants = data["gates"], data["mutants"]
    ceiling = _ceiling(data)
    labels = []
    figure, axes = pyplot.subplots(figsize=(10, 1.9 + 0.3 * (len(gates) + len(mutants))), layout="constrained")
    for row in gates:
        values = _clamp(row["over_bar"], ceiling)
        colours = [FAILED if value > 1 else PASSED for value in values]
        place = len(labels)
        axes.plot([min(values), max(values)], [place, place], color="#c9d6df", linewidth=3, zorder=1)
        axes.scatter(values, [place] * len(values), s=14, c=colours, alpha=0.6, linewidths=0, zorder=2)
        axes.scatter([max(values)], [place], s=46, c=[colours[values.index(max(values))]], zorder=3)
        labels.append(row["label"])
    for row in mutants:
        axes.scatter(_clamp([row["over_bar"]], ceiling), [len(labels)], s=46, marker="D", c=FAULT, zorder=3)
        labels.append(row["label"])
    if gates and mutants:
        axes.axhline(len(gates) - 0.5, color="#999999", linewidth=0.6, linestyle=":")
    axes.axvline(1, color=BAR, linewidth=1.4)
    axes.axvspan(1, ceiling * 2, color=FAILED, alpha=0.05, zorder=0)
    axes.set_xscale("log")
    axes.set_xlim(FLOOR / 2, ceiling * 2)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    edges = f"below {FLOOR:g} drawn at {FLOOR:g}, not finite or above {CEILING:g} at the right edge"
    axes.set_xlabel(f"error / bar (log scale; the bar is 1; {edges})", fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(axis="x", color="#e5e5e5", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_title(data["title"], fontsize=10, loc="left")
    key = [Line2D([], [], color=PASSED, marker="o", linestyle="", label="within the bar (large: the worst)"),
           Line2D([], [], color=FAILED, marker="o", linestyle="", label="over the bar"),
           Line2D([], [], color=FAULT, marker="D", linestyle="", label="planted fault, caught"),
           Line2D([], [], color=BAR, label="the bar")]
    figure.legend(handles=key, loc="outside lower center", ncols=4, fontsize=8, frameon=False)
    figure.savefig(target, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main(sys.argv[1])
