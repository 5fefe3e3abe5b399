"""The screen: the questions in their order, got and want, why something did not run, and the last lines."""

import unittest

from run_folder import Child, RunFolder, RunTest, planned_gate

from seamgate_report.screen import WIDTH, screen


class Screens(RunTest):
    def show(self):
        return screen(self.decide(), 48.04, "out/")

    def test_the_questions_come_in_their_order_and_then_the_verdict(self):
        text = self.show()
        places = [text.index(part) for part in ("seamgate 0.1.0 | CPU only, a test | tier smoke | 2 cases | 48.0 s",
                                                "DID IT RUN?", "DOES IT TRAIN?", "IS IT RIGHT?", "CAN IT BE OFF?",
                                                "COULD THESE GATES FAIL?  1 of 1 planted faults caught", "VERDICT: PASS",
                                                "report: out/report.html (as text: report.md)")]
        self.assertEqual(places, sorted(places))
        self.assertNotIn("NOT RUN", text)
        self.assertRegex(text, r"VERDICT: PASS  0 gates failed, 5 passed, 0 did not run +exit 0\n")

    def test_counters_and_witness_are_shown_in_numbers(self):
        self.assertRegex(self.show(), r"  rmsnorm cpu +512 +0 +512 +0 +512 \| 512/512 +PASS")

    def test_asks_under_a_switch_that_was_set_on_purpose_are_shown_and_are_no_pass_of_the_kernel(self):
        declined = {"name": "rmsnorm cpu, off", "asked": 3, "declined": 3, "node": 0, "bare": 0, "backward": 0}
        self.run_.children["kill_switch"] = Child("kill_switch").add("note", message="", counters=declined).case(1).end()
        self.assertRegex(self.show(), r"  rmsnorm cpu, off +3 +3 +0 +0 +0 \| -/- +NOT RUN")

    def test_many_rows_are_told_in_short_but_for_what_failed(self):
        child = Child("truth")
        for number, dtype in enumerate(["f32", "bf16", "f16", "bf16+f32", "f16+f32"] * 3):
            tensor = ("y", "dx", "dw")[number // 5]
            error = 2e-6 if (tensor, dtype) == ("dx", "f16") else number * 1e-8
            child.case(1, tensor, error)
            child.lines[-1]["case"] = f"rmsnorm/torch/{dtype}/3x3/normal/s1"
        self.run_.children["truth"] = child.end()
        text = self.show()
        self.assertRegex(text, r"  y    f16\+f32, worst of 5 +0.04 ")
        self.assertRegex(text, r"  dx   f16     +2.00 .*FAIL")
        self.assertRegex(text, r"  dx   f16\+f32, worst of 4 +0.09 ")

    def test_both_arms_are_shown_against_the_bar(self):
        self.assertRegex(self.show(), r"  dx   f32 +0.10 +0.14   - +PASS")

    def test_a_fault_is_shown_with_its_gate_and_distance(self):
        self.assertRegex(self.show(), r"eps dropped +truth; 4.0e\+05 x the bar")

    def test_a_failure_shows_got_want_bar_place_case_and_replays(self):
        self.run_.children["truth"] = Child("truth").case(1).case(
            2, "dw", 4.1e-5, tensor_path_error=6e-7, moved="you", got="3.125", want="3.0481 (float128)", place="col 127",
            how_many=3, message="looks like: dw accumulated in bf16 (D01)").end()
        text = self.show()
        self.assertRegex(text, r"  dw   f32 +41.0 +0.60   you +FAIL")
        for part in ("dw in rmsnorm/torch/f32/64x4096/eps-dominated/s2\n", "error 4.1e-05, bar 1e-06 (41.0 x the bar)",
                     "got 3.125, want 3.0481 (float128) at col 127; 3 elements over\n",
                     "looks like: dw accumulated in bf16 (D01)\n",
                     "  replay: seamgate replay rmsnorm/torch/f32/64x4096/eps-dominated/s2\n"):
            self.assertIn(part, text)

    def test_a_check_that_failed_shows_its_name_got_and_want(self):
        self.run_.children["kill_switch"] = Child("kill_switch").add(
            "check", name="C == (1,1,0,0)", passed=False, got="(1,0,1,0)", want="(1,1,0,0)").end()
        text = self.show()
        self.assertIn("    C == (1,1,0,0)\n    got (1,0,1,0), want (1,1,0,0)\n", text)
        self.assertNotIn("replay:", text)

    def test_the_replay_names_gate_and_backend_where_they_are_not_the_usual_ones(self):
        self.run_.children["leaf"] = Child("leaf").case(3, error=1.0).end()
        self.assertIn("  replay: seamgate replay rmsnorm/torch/f32/64x4096/eps-dominated/s3 --gate leaf\n", self.show())
        run = RunFolder(self.top / "gpu", backend="cuda")
        run.children["truth"] = Child("truth", "cuda").case(1, error=1.0).case(2).end()
        self.assertIn("eps-dominated/s1 --backend cuda\n", screen(self.decide(run)))

    def test_what_did_not_run_has_its_reason_and_the_command_that_discharges_it(self):
        self.run_.plan["required_backends"].append("cuda")
        self.run_.plan["gates"] += [planned_gate("truth", "right", "cuda"),
                                    planned_gate("speed", "house", required=False)]
        child = Child("truth", "cuda")
        child.lines = [child.line("not_run", reason="no GPU")]
        self.run_.children["truth-cuda"] = child
        text = self.show()
        self.assertIn("NOT RUN\n  cuda: no GPU (required): truth\n"
                      "  cpu: planned, left no record (not required): speed\n", text)
        self.assertIn("exit 3\n  discharge: ci/gate --require cuda --tier smoke\n", text)

    def test_a_question_whose_gates_did_not_run_says_so(self):
        del self.run_.children["leaf"]
        self.assertRegex(self.show(), r"DOES IT TRAIN\? +NOT RUN\n")

    def test_an_interrupted_run_says_so(self):
        self.run_.write()
        (self.run_.folder / "interrupted").touch()
        self.assertIn("INTERRUPTED", self.show())

    def test_it_is_plain_and_narrow_whatever_the_records_hold(self):
        long = "x" * 40
        self.run_.children["truth"] = Child("truth").case(1).case(
            2, "dw", None, got="nan", want="1", message=" ".join([long] * 6)).end()
        for number in range(30):
            self.run_.plan["gates"].append(planned_gate(f"gate_number_{number}", "right"))
            self.run_.children[f"g{number}"] = Child(f"gate_number_{number}").case(1).end()
        text = self.show()
        self.assertNotIn("\x1b", text)
        self.assertLessEqual(max(map(len, text.split("\n"))), 100)
        self.assertLessEqual(WIDTH, 100)


if __name__ == "__main__":
    unittest.main()
