"""A built tree that was moved: the program and CTest's tests of the gates take what lies beside them, and not the sources."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from program import PROGRAM, Program, environment, listing

BUILD = Path(PROGRAM).parent.parent
SOURCE = Path(__file__).resolve().parents[2]
STUB = 'import sys\nprint("beside the program:", *sys.argv[1:2])\n'


class Moved(Program):
    def setUp(self):
        super().setUp()
        self.tree = self.top / "elsewhere"
        (self.tree / "bin").mkdir(parents=True)
        shutil.copy(PROGRAM, self.tree / "bin" / "seamgate")
        shutil.copytree(BUILD / "ctest", self.tree / "ctest", ignore=shutil.ignore_patterns("gate.*"))
        self.share = self.tree / "share" / "seamgate"

    def share_it(self):
        caches = shutil.ignore_patterns("__pycache__")
        shutil.copytree(SOURCE / "reports" / "seamgate_report", self.share / "reports" / "seamgate_report", ignore=caches)
        shutil.copy(SOURCE / "reports" / "seamgate_report.py", self.share / "reports")
        shutil.copytree(SOURCE / "fixtures" / "data", self.share / "fixtures" / "data")

    def ctest(self, *arguments):
        tests = self.top / "tests"
        tests.mkdir(exist_ok=True)
        (tests / "CTestTestfile.cmake").write_text(f"include([=[{self.tree}/ctest/gate_tests.cmake]=])\n")
        return subprocess.run(["ctest", "--test-dir", str(tests), "--no-tests=error", "-V", *arguments], env=environment(), capture_output=True,
                              text=True, check=False, timeout=240)

    def test_ctest_runs_the_program_that_was_moved(self):
        self.share_it()
        op = next(gate for gate in listing()["gates"] if gate["id"] == "fixtures")["ops"][0]
        result = self.ctest("-R", f"^gate.(environment|fixtures).{op}.cpu$")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("100% tests passed, 0 tests failed out of 2", result.stdout)
        self.assertIn(f"Test command: {self.tree}/bin/seamgate", result.stdout)
        self.assertTrue((self.tree / "ctest" / f"gate.environment.{op}.cpu" / "summary.json").exists())

    def test_the_list_of_tests_names_no_place(self):
        text = (self.tree / "ctest" / "gate_tests.cmake").read_text()
        for place in (str(BUILD), str(SOURCE), str(Path.home())):
            self.assertNotIn(place, text)

    def test_what_lies_beside_the_program_comes_before_the_sources(self):
        (self.share / "reports").mkdir(parents=True)
        (self.share / "reports" / "seamgate_report.py").write_text(STUB)
        (self.share / "fixtures" / "data").mkdir(parents=True)
        result = subprocess.run([self.tree / "bin" / "seamgate", "decide", self.top], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, "beside the program: decide\n"))
        op = next(gate for gate in listing()["gates"] if gate["id"] == "fixtures")["ops"][0]
        result = subprocess.run([self.tree / "bin" / "seamgate", "run", "--require", "cpu", "--gate", "fixtures", "--op", op, "--no-mutants",
                                 "--out", self.out], env=environment(), capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 70)
        self.assertIn(f"fixture folder {os.path.realpath(self.share)}/fixtures/data: holds no", result.stderr)


if __name__ == "__main__":
    unittest.main()
