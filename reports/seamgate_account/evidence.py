"""Recorded runs of a GPU held against the sources and documents beside them.

A folder of evidence says in expected.json of which commit it is, and whether it is of the sources as they are ("past" is
false) or of older ones (true). The first holds only while the hashes of kernels and gates are the checkout's; the second needs
a commit that the history has, and documents that name it. So nobody reads an old run as one of today's code.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from .sources import source_facts

SHORT = 7  # letters of a commit by which a document names it
UUID = re.compile(r"\b(GPU|MIG)-[0-9a-f]{8}-[0-9a-f-]+")


def _in_history(root, commit):
    """Whether HEAD descends from the commit; None where there is no repository to ask."""
    if not (Path(root) / ".git").exists():
        return None
    git = ["git", "-C", str(root), "merge-base", "--is-ancestor", commit, "HEAD"]
    try:
        return subprocess.run(git, capture_output=True, check=False).returncode == 0
    except OSError:
        return None


def _paragraphs(text):
    """Paragraphs, and each line of a table for itself."""
    return [part for part in re.split(r"\n\s*\n|\n(?=\|)", text) if part.strip()]


def problems_of_evidence(name, expected, provenance, root, documents):
    """What speaks against one folder of evidence. `documents`: name to text, of those that may quote it."""
    problems = []
    commit = expected.get("commit")
    if not commit or commit != provenance.get("commit"):
        problems.append(f"{name}: expected.json names commit {commit}, its plan {provenance.get('commit')}")
    if provenance.get("dirty") is not False:
        problems.append(f"{name}: it was built of a changed checkout (dirty), which no commit names")
    if not isinstance(expected.get("past"), bool):
        problems.append(f"{name}: expected.json does not say whether it is past (true) or of the sources as they are (false)")
    elif not expected["past"]:
        for fact, own in source_facts(root).items():
            if provenance.get(fact) != own:
                problems.append(f"{name}: its {fact} is {str(provenance.get(fact))[:12]}, the checkout's {own[:12]}; run it anew, or "
                                'say "past": true in expected.json and name its commit in the documents')
    elif _in_history(root, str(commit)) is False:
        problems.append(f"{name}: commit {commit} is not in the history of this checkout")
    own_page = "reports/evidence/README.md"
    for document, text in documents.items():
        for paragraph in _paragraphs(text):
            if (document == own_page or expected.get("past", True)) and re.search(rf"\b{re.escape(name)}\b", paragraph) \
                    and str(commit)[:SHORT] not in paragraph:
                problems.append(f"{document}: speaks of {name} without its commit {str(commit)[:SHORT]}")
    if not re.search(rf"\b{re.escape(name)}\b", documents.get(own_page, "")):
        problems.append(f"{own_page}: does not list {name}")
    return problems


def problems_of_quotes(document, text, names):
    """Paragraphs that give a GPU's figures and name no evidence: an H200 and a figure with a unit, or of gates or cases."""
    figure = re.compile(r"\d[\d.,]*\s*(?:ms|us|s|G|TB/s|GB/s|gates|cases|elements)\b")
    return [f"{document}: quotes a GPU's figures without reports/evidence/NAME: {' '.join(paragraph.split())[:60]}..."
            for paragraph in _paragraphs(text)
            if "H200" in paragraph and figure.search(paragraph) and not any(f"reports/evidence/{name}" in paragraph for name in names)]


def load(folder):
    """expected.json of a folder of evidence."""
    return json.loads((Path(folder) / "expected.json").read_text(encoding="utf-8"))
