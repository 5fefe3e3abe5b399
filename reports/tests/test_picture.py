"""The picture: what it is given, and that neither its absence nor its failure touches a verdict."""

import importlib.util
import subprocess
import unittest
from unittest import mock

from run_folder import REPORTS, Child, RunTest

from seamgate_report import picture
from seamgate_report.outcome import PASS
from seamgate_report.render import render


def interpreter_with_matplotlib():
    own = REPORTS.parent / ".venv" / "bin" / "python3"
    return own.exists() or importlib.util.find_spec("matplotlib") is not None


class Pictures(RunTest):
    def test_it_is_given_every_numeric_gate_and_every_caught_fault(self):
        fault = Child("truth", implementation="mutant:eps_dropped").case(1, error=None).end()
        self.run_.children["truth-eps_dropped"] = fault
        data = picture.picture_data(self.decide())
        self.assertEqual([row["label"] for row in data["gates"]], ["truth (rmsnorm cpu)"])
        self.assertEqual(len(data["gates"][0]["over_bar"]), 2)
        self.assertEqual(data["mutants"], [{"label": "eps dropped: truth", "over_bar": "inf"}])

    def test_it_is_drawn_where_matplotlib_is_and_left_out_where_it_is_not(self):
        drawn, why = picture.draw(self.decide())
        if interpreter_with_matplotlib():
            self.assertEqual((drawn[:8], why), (b"\x89PNG\r\n\x1a\n", ""))
        else:
            self.assertEqual((drawn, why), (None, "matplotlib missing"))

    def test_an_error_of_any_size_is_drawn(self):
        self.run_.children["truth-eps_dropped"] = Child("truth", implementation="mutant:eps_dropped").case(1, error=1e300).end()
        drawn, why = picture.draw(self.decide())
        self.assertIn(why, ("", "matplotlib missing"))
        self.assertEqual(drawn is None, bool(why))

    def test_a_failure_to_draw_leaves_report_and_verdict_as_they_are(self):
        decision = self.decide()
        for error in (subprocess.CalledProcessError(1, "plot"), subprocess.TimeoutExpired("plot", 60), OSError()):
            with self.subTest(error), mock.patch("subprocess.run", side_effect=error):
                files, why = render(decision)
                self.assertEqual(sorted(files), ["junit.xml", "report.html", "report.md", "summary.json"])
                self.assertIn(f"not drawn ({why})".encode(), files["report.md"])
                self.assertIn(type(error).__name__, why)
                self.assertEqual(decision.verdict, PASS)

    def test_without_numbers_nothing_is_drawn(self):
        self.run_.children.clear()
        with mock.patch("subprocess.run", side_effect=AssertionError("was called")):
            self.assertEqual(picture.draw(self.decide()), (None, "no numbers to draw"))


if __name__ == "__main__":
    unittest.main()
