"""The hashes by which a run names its sources, computed of a checkout as cmake/SourceFacts.cmake computes them of a build's."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

KERNEL_FOLDERS = ("kernels", "tensor", "seam")  # what runs on a device and how it gets there
GATE_FOLDERS = ("gates",)  # what judges it
FACTS = {"kernel_sources_sha256": KERNEL_FOLDERS, "gate_sources_sha256": GATE_FOLDERS}


def sources_sha256(root, folders):
    """SHA-256 over the lines "<sha256 of a file> <its path>", sorted by path. Tests and Python's caches are left out."""
    lines = []
    for folder in folders:
        for place, _, names in os.walk(Path(root) / folder):
            for name in names:
                path = Path(place) / name
                relative = path.relative_to(root).as_posix()
                if "/tests/" not in relative and "__pycache__" not in relative:
                    lines.append((relative, hashlib.sha256(path.read_bytes()).hexdigest()))
    text = "".join(f"{digest} {path}\n" for path, digest in sorted(lines))
    return hashlib.sha256(text.encode()).hexdigest()


def source_facts(root):
    """The provenance entries of a run that was built of this checkout."""
    return {fact: sources_sha256(root, folders) for fact, folders in FACTS.items()}
