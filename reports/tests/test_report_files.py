"""summary.json, junit.xml and report.md say the same as the decision."""

import unittest
import xml.etree.ElementTree as ElementTree

from run_folder import Child, RunTest, planned_gate

from seamgate_report.junit import junit
from seamgate_report.markdown import markdown
from seamgate_report.summary import summarise


class Files(RunTest):
    """A run with a gate of every verdict."""

    def setUp(self):
        super().setUp()
        run = self.run_
        run.children["truth"] = Child("truth").case(1).case(
            2, error=3e-6, moved="you", tensor_path_error=2e-8, got="3.125", want="3.0481", place="row 3, col 127",
            how_many=12, message="a | b <c>").end()
        run.plan["gates"] += [planned_gate("speed", "house", required=False), planned_gate("repeat", "right"),
                              planned_gate("streams", "right", applies=False, reason="the emulator has no streams")]
        child = Child("speed")
        child.lines = [child.line("not_run", reason="no base was given")]
        run.children["speed"] = child
        self.decision = self.decide()


class Summary(Files):
    def test_counts_add_up_and_required_names_the_gates(self):
        summary = summarise(self.decision)
        counts = summary["counts"]
        self.assertEqual(counts, {"planned": 7, "passed": 3, "failed": 1, "not_run": 3, "not_applicable": 1})
        self.assertEqual(summary["required"], ["counters/rmsnorm/cpu", "leaf/rmsnorm/cpu", "truth/rmsnorm/cpu",
                                               "kill_switch/rmsnorm/cpu", "repeat/rmsnorm/cpu", "mutants"])
        self.assertEqual((summary["verdict"], summary["exit_code"], summary["discharge"]), ("FAIL", 1, ""))

    def test_a_gate_carries_its_worst_error_and_case(self):
        gate = next(gate for gate in summarise(self.decision)["gates"] if gate["id"] == "truth")
        self.assertAlmostEqual(gate["worst"].pop("error_over_bar"), 3)
        self.assertEqual(gate["worst"], {"case": "rmsnorm/torch/f32/64x4096/eps-dominated/s2", "tensor": "dx"})
        self.assertEqual((gate["cases"], gate["verdict"], gate["reason"]), (2, "FAIL", "1 of 2 assertions failed"))


class JUnit(Files):
    def outcomes(self):
        root = ElementTree.fromstring(junit(self.decision).split("\n", 1)[1])
        self.suite = root.find("testsuite")
        return {case.get("name"): (case[0].tag if len(case) else "ok") for case in self.suite}

    def test_what_is_required_and_did_not_run_is_an_error_and_not_a_skip(self):
        outcomes = self.outcomes()
        self.assertEqual(outcomes, {"counters": "ok", "leaf": "ok", "truth": "failure", "kill_switch": "ok",
                                    "speed": "skipped", "repeat": "error", "streams": "skipped", "mutants": "error",
                                    "eps_dropped": "error", "verdict": "failure"})
        totals = [self.suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
        self.assertEqual(totals, ["10", "2", "3", "2"])

    def test_the_body_of_a_failure_says_got_and_want_and_survives_odd_bytes(self):
        self.decision.gates[2].failures[0]["message"] = "odd \x00\x1b<&> \ud800"
        self.outcomes()
        body = self.suite.find("testcase[@name='truth']/failure").text
        self.assertIn("got 3.125, want 3.0481 at row 3, col 127; 12 elements over", body)
        self.assertIn("odd ??<&> ?", body)


class Markdown(Files):
    def test_it_begins_with_the_five_questions_in_order(self):
        text = markdown(self.decision, 12.0)
        heads = [line for line in text.split("\n") if line.startswith("## ")]
        self.assertEqual(heads[:6], ["## Did it run? PASS", "## Does it train? PASS", "## Is it right? FAIL",
                                     "## Can it be off? PASS", "## Could these gates fail? NOT RUN",
                                     "## Errors against their bars"])
        self.assertTrue(text.startswith("# seamgate: FAIL\n"))

    def test_it_shows_failures_what_did_not_run_and_the_facts(self):
        text = markdown(self.decision, 12.0, "matplotlib missing")
        for part in ("seamgate replay rmsnorm/torch/f32/64x4096/eps-dominated/s2", "a | b <c>", "no base was given",
                     "the emulator has no streams", "| B25 | no gate yet | large indices | - |", "| commit | 74e4202 |",
                     "picture: not drawn (matplotlib missing)"):
            self.assertIn(part, text)
        self.assertNotIn("errors.png", text)
        self.assertIn("![Error over bar, per gate](errors.png)", markdown(self.decision, 12.0))

    def test_a_cell_cannot_break_its_table(self):
        self.decision.gates[1].reason = "a | b\nc"
        self.assertIn("a \\| b c", markdown(self.decision, None))


if __name__ == "__main__":
    unittest.main()
