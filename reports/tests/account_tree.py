"""A small repository to hold to account, with a stand-in for the program that answers as `seamgate` does."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPORTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPORTS))

LISTING = {"ops": [{"id": "norm", "variants": ["plain"], "switch": "DM_NORM_FUSED", "adjoint_switch": "DM_NORM_ADJOINT"}],
           "gates": [{"id": "truth", "title": "right against float128"}, {"id": "leaf", "title": "a leaf trains nothing"}],
           "mutants": [{"id": "eps_dropped", "op": "norm", "expected_gate": "truth"}]}
ROWS = {"requirements": [{"id": "A1", "title": "the node has its parents"}]}
PROGRAM = """#!/usr/bin/env python3
import sys
answers = {answers!r}
asked = " ".join(sys.argv[1:])
if asked not in answers:
    sys.exit(64)
print(answers[asked])
"""
HELP = "Decides.\n\nOptions:\n  -h,--help  Print this\n\nSubcommands:\n  run         run the gates\n  replay      one case\n"
PRESETS = {"configurePresets": [{"name": "base", "hidden": True}, {"name": "cpu"}, {"name": "asan"}]}
FILES = {
    "CMakePresets.json": json.dumps(PRESETS),
    "README.md": "See `kernels/norm.hpp` and [the words](docs/words.md).\n",
    "docs/words.md": "A gate is a check.\n",
    "kernels/norm.hpp": "// The norm.\nint row_reduce();\nauto v = getenv(\"SEAMGATE_PROGRAM\");\n",
    "gates/ops/norm_traits.cpp": "// What gates know of the norm.\n",
    "reports/out.py": 'NAMES = ("report.md", "summary.json")\n',
    "ci/test": "#!/bin/bash\ncase $1 in -h | --help) echo 'usage: ci/test [--preset NAME] [--no-setup]' ;; esac\n",
}


class Repository(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="seamgate-account-")
        self.addCleanup(temporary.cleanup)
        self.root = Path(temporary.name) / "repository"
        self.build = Path(temporary.name) / "build"
        for file, text in FILES.items():
            self.write(file, text)
        self.answer(LISTING)

    def write(self, file, text):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if file.startswith("ci/") and "." not in path.name:
            path.chmod(0o755)

    def answer(self, listing):
        answers = {"list --json": json.dumps(listing), "requirements --json": json.dumps(ROWS), "--help": HELP,
                   "run --help": "Options:\n  --tier TEXT\n  --no-mutants\n", "replay --help": "Options:\n  --gate TEXT\n"}
        self.program = self.build / "bin" / "seamgate"
        self.program.parent.mkdir(parents=True, exist_ok=True)
        self.program.write_text(PROGRAM.format(answers=answers))
        self.program.chmod(0o755)
        (self.build / "build.ninja").write_text("build norm_test: phony bin/norm_test\nbuild seamgate: phony bin/seamgate\n")

    def call(self, *arguments, **environment):
        return subprocess.run([sys.executable, "-B", str(REPORTS / "seamgate_account.py"), *map(str, arguments)], capture_output=True,
                              text=True, check=False, env=os.environ | environment)

    def account(self, command, *arguments, **environment):
        program = () if command == "figures" else ("--program", self.program)
        ended = self.call(command, "--source", self.root, *program, *arguments, **environment)
        self.assertIn(ended.returncode, (0, 1), ended.stderr + ended.stdout)
        result = json.loads(ended.stdout)
        self.assertEqual(ended.returncode, 1 if result["findings"] else 0)
        return result

    def found(self, command, *arguments, **environment):
        """The findings, as (where, what, got)."""
        findings = self.account(command, *arguments, **environment)["findings"]
        return [(finding["where"], finding["what"], finding["got"]) for finding in findings]
