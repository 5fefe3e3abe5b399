"""The names that exist: asked of the program and the scripts, and read from the code of the tree (comments left out)."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from pathlib import Path

from . import comments
from .finding import CannotLook
from .tree import Tree

_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_WRITTEN = re.compile(r"""["'/ }]([\w.-]+\.(?:jsonl?|md|html|xml|png|hpp|cmake|log|ninja|txt))\b""")
REPORT_GATES = {"mutants"}  # the gate that the report program adds
PYTHON_PROGRAMS = ("reports/", "gates/sanitizer/")


def _output(command, accepted=(0,)):
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotLook(f"'{' '.join(command)}' did not answer: {error}") from None
    if ended.returncode not in accepted:
        raise CannotLook(f"'{' '.join(command)}' ended with {ended.returncode}: {ended.stderr.strip()[:200]}")
    return ended.stdout


class Known:
    """`program` is the program `seamgate`; its build folder, two above it, tells the targets."""

    def __init__(self, tree: Tree, program):
        self.tree = tree
        self.program = str(program)
        self.listing = json.loads(_output([self.program, "list", "--json"]))
        self.rows = json.loads(_output([self.program, "requirements", "--json"]))["requirements"]

    @functools.cached_property
    def gates(self):
        return {gate["id"] for gate in self.listing["gates"]} | REPORT_GATES

    @functools.cached_property
    def switches(self):
        return {op[key] for op in self.listing["ops"] for key in ("switch", "adjoint_switch") if op.get(key)}

    @functools.cached_property
    def commands(self):
        """Subcommand to its flags."""
        table = re.split(r"\n(?:Subcommands|SUBCOMMANDS):\s*\n", _output([self.program, "--help"]))[-1]
        names = re.findall(r"^  ([a-z]\w*)\b", table, re.MULTILINE)
        return {name: set(_FLAG.findall(_output([self.program, name, "--help"]))) for name in names}

    @functools.cached_property
    def scripts(self):
        """Script of ci/ to its flags; one without a --help has none."""
        flags = {}
        for file in self.tree.files:
            if re.fullmatch(r"ci/[\w-]+", file):
                has_help = "--help)" in self.tree.text(file)
                text = _output([str(self.tree.root / file), "--help"]) if has_help else ""
                flags[file] = set(_FLAG.findall(text)) | ({"-h", "--help"} if has_help else set())
        return flags

    @functools.cached_property
    def python_flags(self):
        texts = [self.tree.text(file) for file in self.tree.files if file.startswith(PYTHON_PROGRAMS) and file.endswith(".py")]
        return {flag for text in texts for flag in re.findall(r'add_argument\(\s*"(--[a-z][\w-]*)"', text)}

    @functools.cached_property
    def flags(self):
        """Every flag of a command line that is ours."""
        ours = set().union(*self.commands.values(), *self.scripts.values(), self.python_flags, {"--version", "--help"})
        for file in self.tree.files:  # small programs beside what they measure
            if file.startswith("benchmarks/") and file.endswith((".cpp", ".hpp")):
                ours |= set(re.findall(r'"(--[a-z][\w-]*)"', self.tree.text(file)))
        return ours

    @functools.cached_property
    def presets(self):
        return {preset["name"] for preset in json.loads(self.tree.text("CMakePresets.json"))["configurePresets"] if not preset.get("hidden")}

    @functools.cached_property
    def targets(self):
        """Of this build, and of the builds in the committed table."""
        names = set()
        ninja = Path(self.program).resolve().parent.parent / "build.ninja"
        if ninja.exists():
            names |= set(re.findall(r"^build ([\w.+-]+): phony", ninja.read_text(errors="replace"), re.MULTILINE))
        if self.tree.has("ci/build_matrix.json"):
            table = json.loads(self.tree.text("ci/build_matrix.json"))
            names |= {name for kind in ("tests", "programs", "libraries") for name in table[kind]}
        return names

    @functools.cached_property
    def code(self):
        """Every word of the code, comments left out."""
        words = set()
        for file in self.tree.files:
            language = self.tree.language(file)
            if language not in (None, "markdown"):
                words |= set(_WORD.findall(comments.split(self.tree.text(file), language)[1]))
            elif file.endswith((".json", ".yml", ".js", ".css")) and not file.startswith("fixtures/data/"):
                words |= set(_WORD.findall(self.tree.text(file)))
        return words

    @functools.cached_property
    def written_files(self):
        """Names of files that programs write: file names in the code, but for comments and tests."""
        found = set()
        for file in self.tree.files:
            language = self.tree.language(file)
            if language in ("python", "cpp", "shell", "cmake") and "/tests/" not in file:
                found |= set(_WRITTEN.findall(comments.split(self.tree.text(file), language)[1]))
        return found
