"""HTML and SVG as values of a type of their own, so that text from a record cannot become markup.

`element("td", "<b>")` is `<td>&lt;b&gt;</td>`: whatever is not Html is escaped where it meets it.
"""

from __future__ import annotations

import html
import re

_VOID = {"meta", "input"}
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Html(str):
    """Markup that is put into a page as it is. Only this file and the two inlined files make one."""


def escaped(value):
    """`value` as text of a page; characters that HTML has no place for become "?"."""
    return value if isinstance(value, Html) else Html(html.escape(_UNPRINTABLE.sub("?", str(value)), quote=True))


def joined(parts, between=""):
    return Html(escaped(between).join(escaped(part) for part in parts))


def element(name, /, *children, **attributes):
    """<name ...>children</name>. `class_` is class, an underscore a dash; None and False leave an attribute out."""
    told = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        told.append(f" {key}" if value is True else f' {key}="{escaped(value)}"')
    start = f"<{name}{''.join(told)}>"
    return Html(start if name in _VOID else f"{start}{joined(children)}</{name}>")


def clipped(value, longest=300):
    """The beginning of a text from a record, for places where a long one would only cost size."""
    value = str(value)
    return value if len(value) <= longest else value[:longest - 3] + "..."


def badge(verdict):
    """A verdict as a coloured word; the colour repeats what the word says."""
    return element("span", verdict, class_="badge " + verdict_class(verdict))


def verdict_class(verdict):
    return "v-" + re.sub("[^a-z]+", "-", str(verdict).lower())


def table(head, rows, **attributes):
    """A table in a box that scrolls sideways on its own; empty when it has no rows. A cell may be a whole td or th."""
    if not rows:
        return Html("")
    body = []
    for row in rows:
        body.append(element("tr", *(cell if _is_cell(cell) else element("td", cell) for cell in row)))
    titles = [cell if _is_cell(cell) else element("th", cell, scope="col") for cell in head]
    return element("div", element("table", element("thead", element("tr", *titles)), element("tbody", *body),
                                  **attributes), class_="scroll", tabindex=0)


def _is_cell(cell):
    return isinstance(cell, Html) and cell.startswith(("<td", "<th"))


def number_cell(shown, value):
    """A right-aligned figure; `value` is what a sort goes by."""
    return element("td", shown, class_="n", data_v=value)
