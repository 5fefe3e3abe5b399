"""The page as one string: head, style and script inlined, sections in the order in which a reader wants them.

The content security policy allows the one inlined script by its hash and nothing else, and no fetch at all: should text of a
record ever become markup, it still would not run.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from .errors import errors
from .markup import Html, element, joined
from .matrix import matrix
from .questions import head, questions
from .scatter import scatter
from .tables import facts, gates

_HERE = Path(__file__).resolve().parent


def _inlined(name):
    return (_HERE / name).read_text(encoding="utf-8")


def _allowed(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def _section(name, title, content):
    return element("section", element("h2", title), content, id=name)


def document(decision, elapsed_s=None):
    """report.html of `decision`: one self-contained file without references to anything outside it."""
    style, script = _inlined("style.css"), _inlined("script.js")
    policy = f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src {_allowed(style)}; script-src {_allowed(script)}"
    top = element("head", element("meta", charset="utf-8"),
                  element("meta", http_equiv="Content-Security-Policy", content=policy),
                  element("meta", name="viewport", content="width=device-width, initial-scale=1"),
                  element("meta", name="color-scheme", content="light dark"),
                  element("title", f"seamgate: {decision.verdict}"), element("style", Html(style)))
    sections = (("requirements", "What must hold", matrix(decision)), ("errors", "Errors against their bars", errors(decision)),
                ("scatter", "Fused, tensor path, truth", scatter(decision.gates)), ("all-gates", "Every gate", gates(decision)),
                ("run", "The facts of this run", facts(decision)))
    links = element("nav", *(element("a", title, href=f"#{name}") for name, title, _ in sections))
    body = element("body", element("main", head(decision, elapsed_s), links, questions(decision),
                                   *(_section(*section) for section in sections)), element("script", Html(script)))
    return joined([Html("<!DOCTYPE html>\n"), element("html", top, body, lang="en"), "\n"])
