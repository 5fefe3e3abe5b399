"""Every way in which doctored or damaged records could be read as PASS, played; the verdict must not be PASS."""

import math
import unittest

from run_folder import Child, RunTest, planned_gate

from seamgate_report.outcome import BROKEN, FAIL, NOT_RUN, PASS, PENDING


class TheUnspoiledRun(RunTest):
    def test_passes_so_that_every_other_test_here_fails_for_its_own_reason(self):
        decision = self.assert_verdict(PASS)
        self.assertEqual(decision.exit_code, 0)


class RecordsThatAreMissing(RunTest):
    def test_a_planned_gate_without_a_record_did_not_run(self):
        del self.run_.children["leaf"]
        self.assert_verdict(PENDING, gate="leaf", reason="left no record")

    def test_a_run_without_any_record_is_pending(self):
        self.run_.children.clear()
        decision = self.assert_verdict(PENDING)
        self.assertTrue(all(gate.verdict == NOT_RUN for gate in decision.gates))

    def test_an_empty_record_file_is_no_record(self):
        self.run_.children["leaf"].lines = []
        self.assert_verdict(PENDING, gate="leaf", reason="left no record")

    def test_a_plan_without_gates_is_pending(self):
        self.run_.plan["gates"], self.run_.plan["rows"] = [], []
        self.run_.plan["mutants"] = []
        self.run_.children.clear()
        self.assert_verdict(PENDING, reason="no required gate is planned for backend cpu")

    def test_a_required_backend_without_a_gate_is_pending(self):
        self.run_.plan["required_backends"] = ["cpu", "cuda"]
        self.assert_verdict(PENDING, reason="no required gate is planned for backend cuda")

    def test_gates_that_are_not_required_do_not_make_a_pass(self):
        for gate in self.run_.plan["gates"]:
            gate["required"] = False
        self.assert_verdict(PENDING, reason="no required gate is planned")

    def test_gates_that_do_not_apply_do_not_make_a_pass(self):
        self.run_.children.clear()
        for gate in self.run_.plan["gates"]:
            gate.update(applies=False, reason="no such op")
        self.assert_verdict(PENDING)

    def test_no_gpu_is_not_a_pass(self):
        self.run_.plan["gates"].append(planned_gate("truth", "right", "cuda"))
        self.run_.plan["required_backends"].append("cuda")
        child = Child("truth", "cuda")
        child.lines = [child.line("not_run", reason="no GPU")]
        self.run_.children["truth-cuda"] = child
        decision = self.assert_verdict(PENDING)
        self.assertEqual([gate.reason for gate in decision.gates if gate.backend == "cuda"], ["no GPU"])

    def test_a_gpu_gate_that_passed_on_no_named_gpu_is_not_a_pass(self):
        run = type(self.run_)(self.top / "gpu", backend="cuda")
        self.assert_verdict(PASS, self.decide(run))
        for uuid in ("", None, "NVIDIA-SMI has failed"):
            with self.subTest(uuid):
                run.plan["provenance"]["gpu_uuid"] = uuid
                self.assert_verdict(PENDING, self.decide(run), "truth", "names no GPU")

    def test_a_part_of_the_gates_does_not_pass_for_the_whole(self):
        self.run_.plan["gates"] = [gate for gate in self.run_.plan["gates"] if gate["id"] != "leaf"]
        del self.run_.children["leaf"]
        self.assert_verdict(PENDING, reason="not selected: leaf")


class RecordsThatSayTooLittle(RunTest):
    def test_zero_assertions(self):
        self.run_.children["leaf"] = Child("leaf").end()
        self.assert_verdict(PENDING, gate="leaf", reason="zero assertions")

    def test_a_missing_end(self):
        self.run_.children["leaf"].lines.pop()
        self.assert_verdict(PENDING, gate="leaf", reason="no end")

    def test_a_child_that_found_out_late_that_it_cannot_run(self):
        leaf = self.run_.children["leaf"]
        leaf.lines = leaf.lines[:-1] + [leaf.line("not_run", reason="no witness")]
        self.assert_verdict(PENDING, gate="leaf", reason="no witness")

    def test_a_missing_beginning(self):
        self.run_.children["leaf"].lines.pop(0)
        self.assert_verdict(BROKEN, reason="before the beginning")

    def test_fewer_cases_than_planned(self):
        self.run_.gate("truth")["planned_cases"] = 3
        self.assert_verdict(PENDING, gate="truth", reason="3 cases planned, 2 run")

    def test_more_cases_than_planned(self):
        self.run_.gate("truth")["planned_cases"] = 1
        self.assert_verdict(PENDING, gate="truth", reason="1 cases planned, 2 run")

    def test_the_same_case_twice_is_one_case(self):
        self.run_.children["truth"] = Child("truth").case(1).case(1).end()
        self.assert_verdict(PENDING, gate="truth", reason="2 cases planned, 1 run")

    def test_an_end_that_counts_more_than_the_record_holds(self):
        for name in ("cases", "checks", "failed"):
            with self.subTest(name):
                self.run_.children["truth"] = Child("truth").case(1).case(2).end(**{name: 7})
                self.assert_verdict(PENDING, gate="truth", reason="record incomplete")

    def test_a_path_that_is_not_the_shipped_one(self):
        self.run_.children["truth"] = Child("truth").case(1).case(2).end(path="plain (not the shipped one)")
        self.assert_verdict(PENDING, gate="truth", reason="not the shipped one")


class RecordsThatLie(RunTest):
    def play(self, **fields):
        self.run_.children["truth"] = Child("truth").case(1).case(2, **fields).end()
        return self.decide()

    def test_an_error_that_is_not_a_number_never_passes(self):
        for error in (None, math.nan, "nan", math.inf, "inf"):
            with self.subTest(error):
                self.assert_verdict(BROKEN, self.play(error=error, passed=True))
                self.assert_verdict(FAIL, self.play(error=error, passed=False))

    def test_an_error_over_its_bar_that_claims_to_have_passed(self):
        self.assert_verdict(BROKEN, self.play(error=2e-6, passed=True), reason="says passed=true")

    def test_an_error_within_its_bar_that_claims_to_have_failed(self):
        self.assert_verdict(BROKEN, self.play(error=1e-7, passed=False), reason="says passed=false")

    def test_a_bar_that_is_no_bar(self):
        for bar in (None, math.nan, math.inf, "inf", -1e-6):
            for passed in (True, False):
                with self.subTest(bar=bar, passed=passed):
                    self.assert_verdict(BROKEN, self.play(bar=bar, passed=passed), reason="a bar is finite")

    def test_a_negative_error(self):
        self.assert_verdict(BROKEN, self.play(error=-1.0, passed=True), reason="not negative")

    def test_words_where_numbers_or_truth_values_belong(self):
        for fields in ({"error": "small"}, {"error": True}, {"bar": [1]}, {"passed": "yes"}, {"passed": 1}):
            with self.subTest(fields):
                self.assert_verdict(BROKEN, self.play(**{"passed": True, **fields}))

    def test_bar_zero_passes_equal_operands_alone(self):
        self.assert_verdict(PASS, self.play(error=0.0, bar=0.0))
        self.assert_verdict(FAIL, self.play(error=1e-30, bar=0.0))


class RecordsOfTwoMinds(RunTest):
    def test_a_second_end(self):
        self.run_.children["leaf"].end()
        self.assert_verdict(BROKEN, reason="after the end")

    def test_a_second_beginning(self):
        leaf = self.run_.children["leaf"]
        leaf.lines.insert(1, leaf.line("begin"))
        self.assert_verdict(BROKEN, reason="begins twice")

    def test_assertions_after_the_end(self):
        self.run_.children["leaf"].check()
        self.assert_verdict(BROKEN, reason="after the end")

    def test_not_run_and_run(self):
        leaf = self.run_.children["leaf"]
        leaf.lines.insert(0, leaf.line("not_run", reason="no GPU"))
        self.assert_verdict(BROKEN, reason="did not run")

    def test_two_gates_in_one_file(self):
        self.run_.children["leaf"].lines[1]["gate"] = "truth"
        self.assert_verdict(BROKEN, reason="in a record of leaf")

    def test_a_rerun_that_left_a_second_record(self):
        self.run_.children["leaf-again"] = Child("leaf").check().end()
        self.assert_verdict(BROKEN, reason="a second record")

    def test_an_unplanned_gate(self):
        self.run_.children["extra"] = Child("extra").check().end()
        self.assert_verdict(BROKEN, reason="was not planned")

    def test_an_unplanned_backend(self):
        self.run_.children["extra"] = Child("leaf", "cuda").check().end()
        self.assert_verdict(BROKEN, reason="was not planned")

    def test_an_unplanned_implementation(self):
        for name in ("mutant:unheard_of", "someone-else"):
            with self.subTest(name):
                self.run_.children["extra"] = Child("leaf", implementation=name).check().end()
                self.assert_verdict(BROKEN, reason="was not planned")

    def test_a_record_of_a_gate_that_does_not_apply(self):
        self.run_.gate("leaf").update(applies=False, reason="no such path")
        self.assert_verdict(BROKEN, reason="planned as not applicable")

    def test_an_unknown_kind_of_line(self):
        leaf = self.run_.children["leaf"]
        leaf.lines.insert(1, leaf.line("pass"))
        self.assert_verdict(BROKEN, reason="'kind' is 'pass'")


class RecordsOfAnotherRun(RunTest):
    def test_a_record_of_an_older_run(self):
        self.run_.children["leaf"] = Child("leaf", run_id="0ld").check().end()
        self.assert_verdict(PENDING, gate="leaf", reason="of another run (0ld)")

    def test_an_older_record_beside_this_run_s_own(self):
        self.run_.children["leaf-old"] = Child("leaf", run_id="0ld").check().end()
        self.assert_verdict(PENDING, gate="leaf", reason="of another run")

    def test_lines_of_two_runs_in_one_record(self):
        self.run_.children["leaf"].lines[1]["run_id"] = "0ld"
        self.assert_verdict(PENDING, gate="leaf", reason="of another run")

    def test_a_line_without_a_run(self):
        del self.run_.children["leaf"].lines[1]["run_id"]
        self.assert_verdict(BROKEN, reason="'run_id'")

    def test_a_fault_caught_in_an_older_run(self):
        older = Child("truth", "cpu", "mutant:eps_dropped", "0ld").case(1, error=1).end()
        self.run_.children["truth-eps_dropped"] = older
        self.assert_verdict(PENDING, gate="mutants", reason="not judged: eps_dropped")


if __name__ == "__main__":
    unittest.main()
