"""What an account needs of a Markdown document: fenced blocks, code spans, links, and prose by line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})\s*(.*?)\s*$")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
SCREEN = "screen"  # the word after a fence that says: a recorded screen, verbatim


@dataclass
class Document:
    paragraphs: list[tuple[int, str]] = field(default_factory=list)  # first line, text with its line breaks
    blocks: list[tuple[str, int, str]] = field(default_factory=list)  # what stands after the fence, line, one line of the block

    @property
    def spans(self):
        return [(line_at(first, text, match.start()), " ".join(match.group(2).split()))
                for first, text in self.paragraphs for match in _SPAN.finditer(text)]

    @property
    def links(self):
        found = []
        for first, text in self.paragraphs:
            plain = _SPAN.sub(lambda match: "\n" * match.group(0).count("\n"), text)
            found += [(line_at(first, plain, match.start()), match.group(1)) for match in _LINK.finditer(plain)]
        return found


def without_links(text):
    """The text of a paragraph without the targets of its links."""
    return _LINK.sub("]", text)


def line_at(first, text, position):
    return first + text.count("\n", 0, position)


def parse(text):
    document, fence, info, paragraph = Document(), None, "", []

    def end_paragraph(number):
        if paragraph:
            document.paragraphs.append((number - len(paragraph), "\n".join(paragraph)))
            paragraph.clear()

    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        match = _FENCE.match(line)
        if fence is None and match:
            end_paragraph(number)
            fence, info = match.group(1), match.group(2)
        elif fence is not None and match and match.group(1).startswith(fence) and not match.group(2):
            fence = None
        elif fence is not None:
            document.blocks.append((info, number, line))
        elif line.strip():
            paragraph.append(line)
        else:
            end_paragraph(number)
    end_paragraph(len(lines) + 1)
    return document
