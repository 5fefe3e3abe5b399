"""What the tests of `seamgate check` have in common."""

import tempfile
from pathlib import Path

from libraries import compile_text, source
from program import FAIL, PASS, PENDING, Program, call

QUICK = ("--op", "rmsnorm", "--no-mutants", "--call-limit", "2")


class Check(Program):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="seamgate-check-")
        cls.addClassCleanup(temporary.cleanup)
        cls.libraries = Path(temporary.name)

    def library(self, name, *edits, of="rmsnorm.c"):
        return compile_text(self.libraries, name, source(of, *edits))

    def judge(self, library, *arguments, **changes):
        result = call("check", library, *(arguments or QUICK), "--out", self.out, **changes)
        return result, (self.summary() if result.returncode in (PASS, FAIL, PENDING) else {})
