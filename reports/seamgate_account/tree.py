"""The repository's files: what git tracks and what is new and not ignored; everything where there is no git."""

from __future__ import annotations

import functools
import os
import subprocess
from pathlib import Path

CPP = (".cpp", ".hpp", ".h", ".cu", ".cuh", ".in")
PYTHON = (".py",)
CMAKE = (".cmake", "CMakeLists.txt")
SHELL = (".sh",)
SUFFIXES = (".cpp", ".hpp", ".h", ".cu", ".cuh", ".py", ".cmake", ".md", ".sh", ".json", ".jsonl", ".txt", ".yml", ".html", ".xml", ".png",
            ".js", ".css", ".lock")


class Tree:
    def __init__(self, root):
        self.root = Path(root).resolve()
        self.files = sorted(self._list())
        self.folders = {str(parent) for file in self.files for parent in Path(file).parents} - {"."}
        self.top = {file.split("/")[0] for file in self.files}
        self.names = {file.rsplit("/", 1)[-1] for file in self.files}

    def _list(self):
        git = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        try:
            if not (self.root / ".git").exists():
                raise OSError("no repository")
            listed = subprocess.run(git, capture_output=True, text=True, check=True).stdout.split("\0")
            return [file for file in listed if file and (self.root / file).is_file()]
        except (OSError, subprocess.CalledProcessError):
            return [str((Path(folder) / name).relative_to(self.root)) for folder, _, names in os.walk(self.root) for name in names]

    @functools.cache
    def text(self, file):
        return (self.root / file).read_text(encoding="utf-8", errors="replace")

    def has(self, path):
        return path in self._paths

    @functools.cached_property
    def _paths(self):
        return self.folders | set(self.files)

    @property
    def paths(self):
        return self._paths

    def language(self, file):
        """cpp, python, cmake, shell, markdown, or None for what is neither a document nor code with comments."""
        name = file.rsplit("/", 1)[-1]
        if name.endswith(".md"):
            return "markdown"
        if name.endswith(CPP) and not file.endswith("requirements.in"):
            return "cpp"
        if name.endswith(PYTHON):
            return "python"
        if name.endswith(CMAKE):
            return "cmake"
        if name.endswith(SHELL):
            return "shell"
        if "." not in name and file.startswith(("ci/", ".ci/")):
            first = self.text(file).split("\n", 1)[0]
            return "python" if "python" in first else "shell" if "bash" in first or "/sh" in first else None
        return None
