"""The program as it is called: exit codes, one line for an error, a report that appears whole or not at all."""

import io
import json
import os
import subprocess
import sys
import unittest
from unittest import mock

from run_folder import REPORTS, RUN_ID, Child, RunFolder, RunTest

from seamgate_report.cli import main
from seamgate_report.outcome import BrokenError
from seamgate_report.output import publish
from seamgate_report.summary import exit_code_of

REPORT = {"summary.json", "junit.xml", "report.md", "report.html"}


def call(*arguments):
    """The program, without the picture where that can be asked for: drawing is slow, and has tests of its own."""
    quick = ["--no-picture"] if arguments[:1] == ("decide",) and len(arguments) > 1 else []
    return subprocess.run([sys.executable, "-B", str(REPORTS / "seamgate_report.py"), *map(str, arguments), *quick],
                          capture_output=True, text=True, check=False)


class Called(RunTest):
    def report_files(self):
        return REPORT & set(os.listdir(self.run_.folder))

    def assert_one_line(self, result, code, part):
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(part, result.stderr)


class ExitCodes(Called):
    def test_pass_is_0(self):
        result = call("decide", self.run_.write())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.report_files(), REPORT)

    def test_fail_is_1(self):
        self.run_.children["leaf"] = Child("leaf").check(passed=False).end()
        self.assertEqual(call("decide", self.run_.write()).returncode, 1)

    def test_pending_is_3(self):
        del self.run_.children["leaf"]
        self.assertEqual(call("decide", self.run_.write()).returncode, 3)

    def test_contradictory_records_are_70_and_still_leave_a_report(self):
        self.run_.children["extra"] = Child("extra").check().end()
        result = call("decide", self.run_.write())
        self.assertEqual(result.returncode, 70)
        self.assertIn("BROKEN: records/extra.jsonl: gate 'extra/rmsnorm/cpu' was not planned", result.stdout)
        self.assertEqual(self.report_files(), REPORT)

    def test_bad_usage_is_64_in_one_line(self):
        for arguments in ((), ("judge",), ("decide",), ("decide", "a", "b"), ("decide", self.top, "--fast"),
                          ("merge", "a", "b")):
            with self.subTest(arguments):
                self.assert_one_line(call(*arguments), 64, "seamgate_report: ")

    def test_a_folder_that_is_not_there_is_64(self):
        self.assert_one_line(call("decide", self.top / "nowhere"), 64, "no such folder")

    def test_a_folder_without_a_plan_is_70(self):
        self.assert_one_line(call("decide", self.top), 70, "plan.json: missing")

    def test_one_gate_has_an_exit_code_of_its_own_for_ctest(self):
        self.run_.children["truth"] = Child("truth").case(1, error=1.0).case(2).end()
        del self.run_.children["leaf"]
        folder = self.run_.write()
        codes = {gate: call("decide", folder, "--gate", gate).returncode
                 for gate in ("counters", "truth", "leaf", "mutants")}
        self.assertEqual(codes, {"counters": 0, "truth": 1, "leaf": 77, "mutants": 77})
        self.assert_one_line(call("decide", folder, "--gate", "speed"), 64, "gates of this run: counters, leaf, truth")
        self.run_.children["extra"] = Child("extra").check().end()
        self.assertEqual(call("decide", self.run_.write(), "--gate", "counters").returncode, 70)

    def test_json_prints_the_summary(self):
        result = call("decide", self.run_.write(), "--json")
        self.assertEqual(json.loads(result.stdout), json.loads((self.run_.folder / "summary.json").read_text()))

    def test_requirements_lists_the_rows(self):
        result = call("requirements", self.run_.write())
        self.assertEqual(result.returncode, 0)
        self.assertIn("A5   PASS         a result wrapped back as a leaf is caught", result.stdout)
        self.assertEqual(self.report_files(), set())

    def test_merge_writes_a_report_of_its_own_and_never_over_one_of_its_runs(self):
        other = RunFolder(self.top / "gpu", "60", backend="cuda")
        result = call("merge", self.run_.write(), other.write(), "--out", self.top / "both")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertTrue((self.top / "both" / "summary.json").exists())
        again = call("merge", self.run_.folder, other.folder, "--out", other.folder)
        self.assert_one_line(again, 64, "name another folder")


class FaultsOfTheProgram(Called):
    def test_are_70_and_never_the_1_of_a_python_traceback(self):
        self.run_.write()
        with mock.patch("seamgate_report.cli.render", side_effect=TypeError("a slip")), \
                mock.patch("sys.stderr", new_callable=io.StringIO) as told:
            self.assertEqual(main(["decide", str(self.run_.folder)]), 70)
        self.assertIn("TypeError: a slip", told.getvalue())
        self.assertEqual(self.report_files(), set())


class WholeOrNotAtAll(Called):
    def test_an_older_report_is_withdrawn_before_anything_is_decided(self):
        self.assertEqual(call("decide", self.run_.write()).returncode, 0)
        (self.run_.folder / "plan.json").write_text("{")
        self.assertEqual(call("decide", self.run_.folder).returncode, 70)
        self.assertEqual(self.report_files(), set())

    def test_a_target_that_cannot_be_written_is_64_in_one_line_and_leaves_nothing(self):
        (self.top / "file").write_text("")
        other = RunFolder(self.top / "gpu", "60", backend="cuda")
        result = call("merge", self.run_.write(), other.write(), "--out", self.top / "file")
        self.assert_one_line(result, 64, "cannot write the report into")

    def test_a_write_that_fails_halfway_leaves_nothing(self):
        self.run_.write()
        with mock.patch("os.fsync", side_effect=[None, OSError(28, "No space left on device")]), \
                self.assertRaisesRegex(Exception, "No space left"):
            publish(self.run_.folder, {"junit.xml": b"x", "summary.json": b"y"})
        self.assertEqual(sorted(os.listdir(self.run_.folder)), ["plan.json", "records"])

    def test_the_summary_is_the_last_to_appear(self):
        self.run_.write()
        names, replace = [], os.replace

        def note(source, target):
            names.append(target.name)
            replace(source, target)

        with mock.patch("os.replace", side_effect=note):
            publish(self.run_.folder, {"summary.json": b"y", "junit.xml": b"x", "report.md": b"z"})
        self.assertEqual(names[-1], "summary.json")


class ExitCodesFromASummary(Called):
    def spoil(self, **changes):
        call("decide", self.run_.write())
        path = self.run_.folder / "summary.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
        return exit_code_of(self.run_.folder, RUN_ID)

    def test_a_whole_summary_of_this_run_gives_its_code(self):
        self.assertEqual(self.spoil(), 0)

    def test_a_summary_of_an_older_run_gives_none(self):
        with self.assertRaisesRegex(BrokenError, "of run 0ld"):
            self.spoil(run_id="0ld")

    def test_a_summary_that_is_not_whole_gives_none(self):
        with self.assertRaisesRegex(BrokenError, "not a complete summary"):
            self.spoil(complete=None)

    def test_a_code_that_is_not_its_verdict_s_gives_none(self):
        with self.assertRaisesRegex(BrokenError, "contradict"):
            self.spoil(verdict="FAIL")

    def test_no_summary_gives_none(self):
        with self.assertRaisesRegex(BrokenError, "unreadable"):
            exit_code_of(self.top, RUN_ID)


if __name__ == "__main__":
    unittest.main()
