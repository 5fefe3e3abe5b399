"""A failed assertion in words: case, got, want, bar, place, how many, who moved."""

from .quantity import over_bar, times_the_bar


def _places(line):
    parts = []
    if line.get("place"):
        parts.append(f"at {line['place']}")
    if line.get("how_many"):
        parts.append(f"{line['how_many']} elements over" if isinstance(line["how_many"], int) else str(line["how_many"]))
    return "; ".join(parts)


def _source(line):
    return f" from {line['bar_source']}" if line.get("bar_source") else ""


def describe(line):
    """The failure as a list of lines, without indentation."""
    if line.get("kind") == "case" or "error" in line:
        ratio = over_bar(line["error"], line["bar"])
        lines = [f"{line['tensor']} in {line['case']}",
                 f"error {line['error']:.3g}, bar {line['bar']:.3g}{_source(line)} ({times_the_bar(ratio)})"
                 + (f", tensor path {line['tensor_path_error']:.3g}" if line.get("tensor_path_error") is not None else "")
                 + (f"; moved: {line['moved']}" if line.get("moved") not in (None, "-", "") else "")]
    else:
        lines = [line["name"] + (f" in {line['case']}" if line.get("case") else "")]
    if line.get("got") is not None or line.get("want") is not None:
        lines.append(f"got {line.get('got', '-')}, want {line.get('want', '-') or 'nothing'}"
                     + (f" {_places(line)}" if _places(line) else ""))
    elif _places(line):
        lines.append(_places(line))
    if line.get("looks_like"):
        lines.append(f"looks like: {line['looks_like']}")
    if line.get("message"):
        lines.append(str(line["message"]))
    return lines
