"""The files of a report, as bytes."""

from __future__ import annotations

import json

from .junit import junit
from .markdown import markdown
from .page import document
from .picture import draw
from .summary import SUMMARY, summarise


def render(decision, elapsed_s=None, with_picture=True):
    """Name to content, and why there is no picture ("" when there is one). That never touches the verdict."""
    picture, why_not_drawn = draw(decision) if with_picture else (None, "not asked for")
    files = {
        "junit.xml": junit(decision).encode("utf-8"),
        "report.html": document(decision, elapsed_s).encode("utf-8"),
        "report.md": markdown(decision, elapsed_s, why_not_drawn).encode("utf-8", "replace"),
        SUMMARY: (json.dumps(summarise(decision), indent=1) + "\n").encode("utf-8"),
    }
    if picture is not None:
        files["errors.png"] = picture
    return files, why_not_drawn
