"""On what a failure depends: the one property of a case that parts the cases that fail from those that pass.

Nothing here is a guess: a property is told only where every case that has it fails and every case that lacks it passes, with
at least two of each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SHAPE = re.compile(r"^\d+(x\d+)*$")
_EPS = re.compile(r"^e[\d.]+(e[+-]?\d+)?$")
_WIDTHS = (2, 4, 8, 16, 32, 64)
LEAST = 2  # cases on either side
MOST_WAYS = 4  # more of them in one line tell nobody anything
SHARE = 10  # one in so many failures has to look alike for it to be told of all
DECLINED = ("transposed", "sliced")  # layouts that go to the tensor path, which says nothing of the kernel


@dataclass(frozen=True)
class Case:
    """The parts of a case's name: op/variant/dtypes/shape/distribution/seed, then layout, eps, plan where they are not usual."""

    variant: str
    dtype: str
    rows: int
    columns: int
    rank: int
    distribution: str
    layout: str


def parse(text):
    """The case that `text` names; None for a name of another form, or of a layout that no kernel serves."""
    parts = text.split("/")
    if len(parts) < 6 or not _SHAPE.match(parts[3]):
        return None
    shape = [int(part) for part in parts[3].split("x")]
    rows = 1
    for extent in shape[:-1]:
        rows *= extent
    rest = [part for part in parts[6:] if not _EPS.match(part) and not re.fullmatch(r"p\d+", part)]
    layout = rest[0] if rest else "packed"
    return None if layout in DECLINED else Case(parts[1], parts[2], rows, shape[-1], len(shape), parts[4], layout)


def _properties(cases):
    """(words, test) of everything that may part these cases, the simplest first."""
    for name, word in (("dtype", "the dtype is"), ("variant", "the variant is"), ("layout", "the layout is"),
                       ("distribution", "the distribution is")):
        for value in sorted({getattr(case, name) for case in cases}):
            yield f"{word} {value}", lambda case, name=name, value=value: getattr(case, name) == value
        for value in sorted({getattr(case, name) for case in cases}):
            yield f"{word} not {value}", lambda case, name=name, value=value: getattr(case, name) != value
    for width in _WIDTHS:
        yield f"N is no multiple of {width}", lambda case, width=width: case.columns % width != 0
        yield f"M is no multiple of {width}", lambda case, width=width: case.rows % width != 0
    yield "there is one row", lambda case: case.rows == 1
    yield "there are several rows", lambda case: case.rows > 1
    for name, word in (("columns", "N"), ("rows", "M")):
        values = sorted({getattr(case, name) for case in cases})
        for low, high in zip(values, values[1:]):
            yield f"{word} > {low} (the next that was tried is {high})", lambda case, name=name, low=low: getattr(case, name) > low
            yield f"{word} < {high} (the next that was tried is {low})", lambda case, name=name, high=high: getattr(case, name) < high


def _ways(lines):
    """The ways in which a gate runs a case that fail, where there are others that never do; empty otherwise."""
    failing = {line.get("where", "") for line in lines if not line["passed"]}
    passing = {line.get("where", "") for line in lines} - failing
    return sorted(failing) if passing and "" not in failing and len(failing) <= MOST_WAYS else []


def _parted(lines):
    """What parts the failed from the passed cases: (words, failed, passed); None when nothing simple does."""
    failed, passed = set(), set()
    for line in lines:
        case = parse(line["case"])
        if case:
            (passed if line["passed"] else failed).add(case)
    passed -= failed
    if len(failed) < LEAST or len(passed) < LEAST:
        return None
    for words, test in _properties(failed | passed):
        if all(map(test, failed)) and not any(map(test, passed)):
            return words, len(failed), len(passed)
    return None


def dependence(lines):
    """On what the failures among numeric lines of one tensor depend, in words; empty when nothing simple tells."""
    ways = _ways(lines)
    inside = [line for line in lines if line.get("where", "") in ways] if ways else lines
    told = f"fails with {' or '.join(ways)} alone" if ways else ""
    found = _parted(inside)
    if found is None:
        return told
    words, failed, passed = found
    counted = f"({failed} of {failed} cases), and nowhere else ({passed} passed)"
    return f"{told}, there where {words} {counted}" if told else f"fails where {words} {counted}"


def likeness(lines):
    """What most of the failed lines look like, and how many of those that were looked at; empty when none was recognised."""
    tally, failed = {}, sum(not line["passed"] for line in lines)
    for line in lines:
        if not line["passed"] and line.get("looks_like"):
            tally[line["looks_like"]] = tally.get(line["looks_like"], 0) + 1
    if not tally:
        return ""
    text, count = max(tally.items(), key=lambda item: item[1])
    if count * SHARE < failed:
        return ""
    return f"looks like: {text}" + (f" [{count} failures]" if count > 1 else "")
