"""Planted faults: caught, missed or not judged, by which gate and by how much."""

import math
import unittest

from run_folder import Child, RunTest

from seamgate_report.outcome import CAUGHT, FAIL, MISSED, MUTANT_NOT_RUN, PASS, PENDING


class PlantedFaults(RunTest):
    def judge(self, child=None, name="truth-eps_dropped"):
        if child:
            self.run_.children[name] = child
        decision = self.decide()
        return decision, decision.mutants[0]

    def test_a_caught_fault_names_its_gate_and_how_far_over_the_bar(self):
        decision, mutant = self.judge()
        self.assert_verdict(PASS, decision)
        self.assertEqual((mutant.verdict, mutant.by), (CAUGHT, ["truth"]))
        self.assertTrue(mutant.by_expected)
        self.assertAlmostEqual(mutant.over_bar, 4e5)

    def test_a_fault_that_no_gate_notices_fails_the_whole(self):
        decision, mutant = self.judge(Child("truth", implementation="mutant:eps_dropped").case(1).case(2).end())
        self.assertEqual(mutant.verdict, MISSED)
        self.assert_verdict(FAIL, decision, "mutants", "missed: eps_dropped")

    def test_a_fault_that_was_not_judged_leaves_the_whole_pending(self):
        del self.run_.children["truth-eps_dropped"]
        decision, mutant = self.judge()
        self.assertEqual(mutant.verdict, MUTANT_NOT_RUN)
        self.assert_verdict(PENDING, decision, "mutants", "not judged: eps_dropped")

    def test_a_fault_that_was_not_built_was_not_judged(self):
        del self.run_.children["truth-eps_dropped"]
        self.run_.plan["mutants"][0]["not_built"] = "the text to replace is gone"
        decision, mutant = self.judge()
        self.assertEqual((mutant.verdict, mutant.reason), (MUTANT_NOT_RUN, "not built: the text to replace is gone"))
        self.assert_verdict(PENDING, decision)

    def test_a_fault_whose_gate_was_not_selected_was_not_missed(self):
        self.run_.plan["mutants"][0]["expected_gate"] = "eps"
        _, mutant = self.judge(Child("truth", implementation="mutant:eps_dropped").case(1).case(2).end())
        self.assertEqual(mutant.verdict, MUTANT_NOT_RUN)
        self.assertIn("was not selected: eps", mutant.reason)

    def test_no_planted_fault_at_all_leaves_the_whole_pending(self):
        self.run_.plan["mutants"] = []
        del self.run_.children["truth-eps_dropped"]
        self.assert_verdict(PENDING, gate="mutants", reason="no fault was planted")

    def test_a_record_without_assertions_judges_nothing(self):
        _, mutant = self.judge(Child("truth", implementation="mutant:eps_dropped").end())
        self.assertEqual((mutant.verdict, mutant.reason), (MUTANT_NOT_RUN, "truth: zero assertions"))

    def test_a_record_without_an_end_that_failed_nothing_judges_nothing(self):
        _, mutant = self.judge(Child("truth", implementation="mutant:eps_dropped").case(1))
        self.assertEqual(mutant.verdict, MUTANT_NOT_RUN)

    def crashed(self):
        child = Child("truth", implementation="mutant:eps_dropped").case(1)
        return child.add("crash", reason="signal 11")

    def test_a_crash_catches_nothing(self):
        decision, mutant = self.judge(self.crashed())
        self.assertEqual((mutant.verdict, mutant.reason), (MUTANT_NOT_RUN, "truth: crashed: signal 11"))
        self.assert_verdict(PENDING, decision)

    def test_a_crash_catches_where_the_plan_says_that_it_is_the_symptom(self):
        self.run_.plan["mutants"][0]["crash_counts"] = True
        decision, mutant = self.judge(self.crashed())
        self.assertEqual((mutant.verdict, mutant.by), (CAUGHT, ["truth (crash)"]))
        self.assert_verdict(PASS, decision)

    def test_a_failed_assertion_before_a_crash_catches(self):
        child = Child("truth", implementation="mutant:eps_dropped").case(1, error=1.0).add("crash", reason="signal 11")
        self.assertEqual(self.judge(child)[1].by, ["truth"])

    def test_an_error_that_is_not_finite_catches_and_is_infinitely_over_the_bar(self):
        _, mutant = self.judge(Child("truth", implementation="mutant:eps_dropped").case(1, error=None).end())
        self.assertEqual((mutant.verdict, mutant.over_bar), (CAUGHT, math.inf))

    def test_a_fault_caught_by_a_check_has_no_figure(self):
        _, mutant = self.judge(Child("counters", implementation="mutant:eps_dropped").check(passed=False).end())
        self.assertEqual((mutant.verdict, mutant.by, mutant.over_bar), (CAUGHT, ["counters"], None))
        self.assertFalse(mutant.by_expected)

    def test_a_gate_that_fails_on_the_sound_kernel_too_catches_nothing(self):
        self.run_.children["truth"] = Child("truth").case(1, error=1.0).case(2).end()
        decision, mutant = self.judge()
        self.assertEqual(mutant.verdict, MUTANT_NOT_RUN)
        self.assertIn("does not pass on the sound kernel", mutant.reason)
        self.assert_verdict(FAIL, decision)

    def test_records_of_a_mutant_never_count_for_the_sound_kernel(self):
        del self.run_.children["counters"]
        self.run_.children["counters-eps"] = Child("counters", implementation="mutant:eps_dropped").check().end()
        decision = self.assert_verdict(PENDING, gate="counters", reason="left no record")
        self.assertEqual([gate.id for gate in decision.with_verdict(FAIL)], [])


if __name__ == "__main__":
    unittest.main()
