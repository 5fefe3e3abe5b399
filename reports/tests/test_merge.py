"""Joining a CPU and a GPU run of the same sources, and refusing to join anything else."""

import unittest

from run_folder import Child, RunFolder, RunTest, planned_gate

from seamgate_report.merge import merge_folders
from seamgate_report.outcome import BROKEN, FAIL, MISSED, NOT_RUN, PASS, PENDING, UsageError


class TwoRuns(RunTest):
    """A CPU run that plans GPU gates and could not run them, and a GPU run that ran them."""

    def setUp(self):
        super().setUp()
        self.cpu = RunFolder(self.top / "cpu", "c0")
        self.gpu = RunFolder(self.top / "gpu", "60", backend="cuda")
        self.cpu.plan["required_backends"] = ["cpu", "cuda"]
        for gate in self.gpu.plan["gates"]:
            self.cpu.plan["gates"].append({**gate})
            child = Child(gate["id"], "cuda", run_id="c0")
            child.lines = [child.line("not_run", reason="no GPU")]
            self.cpu.children[gate["id"] + "-cuda"] = child

    def merge(self):
        return merge_folders(self.cpu.write(), self.gpu.write())


class Merging(TwoRuns):
    def test_what_one_could_not_run_and_the_other_passed_has_passed(self):
        self.assert_verdict(PENDING, self.decide(self.cpu))
        decision = self.assert_verdict(PASS, self.merge())
        self.assertEqual(len(decision.required), 9)
        self.assertEqual(decision.provenance["gpu"], "H200")
        self.assertEqual({row.verdict for row in decision.rows if row.gates}, {PASS})

    def test_a_failure_in_either_fails_the_whole(self):
        self.gpu.children["truth"] = Child("truth", "cuda", run_id="60").case(1, error=1.0).case(2).end()
        self.assert_verdict(FAIL, self.merge())

    def test_a_failure_stands_against_a_pass_of_the_same_gate_in_the_other_run(self):
        for first, second in ((1.0, 1e-7), (1e-7, 1.0)):
            with self.subTest(first=first):
                self.cpu.children["truth-cuda"] = Child("truth", "cuda", run_id="c0").case(1, error=first).case(2).end()
                self.cpu.plan["provenance"]["gpu_uuid"] = "GPU-1"
                self.gpu.children["truth"] = Child("truth", "cuda", run_id="60").case(1, error=second).case(2).end()
                self.assert_verdict(FAIL, self.merge())

    def test_a_fault_that_one_of_them_missed_was_missed(self):
        self.gpu.children["truth-eps_dropped"] = Child("truth", "cuda", "mutant:eps_dropped", "60").case(1).end()
        decision = self.assert_verdict(FAIL, self.merge())
        self.assertEqual(decision.mutants[0].verdict, MISSED)

    def test_a_fault_that_only_one_of_them_judged_was_caught(self):
        del self.gpu.children["truth-eps_dropped"]
        self.assert_verdict(PASS, self.merge())

    def test_what_neither_ran_did_not_run(self):
        del self.gpu.children["leaf"]
        decision = self.assert_verdict(PENDING, self.merge())
        self.assertEqual([gate.key for gate in decision.with_verdict(NOT_RUN)], ["leaf/rmsnorm/cuda"])

    def test_a_gate_that_one_plan_alone_requires_is_required(self):
        self.gpu.plan["gates"].append(planned_gate("streams", "right", "cuda"))
        self.assert_verdict(PENDING, self.merge())

    def test_a_gate_beside_the_planted_faults_does_not_stand_for_the_required_one(self):
        beside = planned_gate("leaf", "trains", "cpu", ["A5"], required=False)
        self.gpu.plan["gates"].append(beside)
        self.gpu.children["leaf-cpu"] = Child("leaf", "cpu", run_id="60").check().end()
        self.assert_verdict(PASS, self.merge())
        self.cpu.children["leaf"].lines = [self.cpu.children["leaf"].line("not_run", reason="interrupted")]
        for runs in ((self.cpu, self.gpu), (self.gpu, self.cpu)):
            decision = merge_folders(*[run.write() for run in runs])
            self.assert_verdict(PENDING, decision)
            self.assertEqual([gate.key for gate in decision.with_verdict(NOT_RUN)], ["leaf/rmsnorm/cpu"])
        self.gpu.children["leaf-cpu"] = Child("leaf", "cpu", run_id="60").check(passed=False).end()
        self.assert_verdict(FAIL, self.merge())

    def test_broken_stays_broken(self):
        self.gpu.children["extra"] = Child("extra", "cuda", run_id="60").check().end()
        self.assert_verdict(BROKEN, self.merge())

    def test_an_interruption_stays(self):
        self.gpu.write()
        (self.gpu.folder / "interrupted").touch()
        self.assert_verdict(PENDING, self.merge())


class Refusals(TwoRuns):
    def assert_refused(self, part):
        with self.assertRaises(UsageError) as caught:
            self.merge()
        self.assertIn(part, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_other_sources(self):
        self.gpu.plan["provenance"]["commit"] = "b5bf6e4"
        self.assert_refused("different sources: commit 74e4202 and b5bf6e4")

    def test_unknown_sources(self):
        for run in (self.cpu, self.gpu):
            del run.plan["provenance"]["commit"]
        self.assert_refused("commit unknown and unknown")

    def test_a_changed_checkout_without_a_hash_of_its_sources(self):
        self.gpu.plan["provenance"]["dirty"] = True
        self.assert_refused("dirty")

    def test_changed_checkouts_with_the_same_hash_are_the_same_sources(self):
        for run in (self.cpu, self.gpu):
            run.plan["provenance"].update(dirty=True, source_sha256="5e")
        self.assert_verdict(PASS, self.merge())
        self.gpu.plan["provenance"]["source_sha256"] = "5f"
        self.assert_refused("source hash 5e and 5f")

    def test_another_tier(self):
        self.gpu.plan["tier"] = "premerge"
        self.assert_refused("different tiers: smoke and premerge")

    def test_a_run_with_itself(self):
        with self.assertRaisesRegex(UsageError, "the same run"):
            merge_folders(self.cpu.write(), self.cpu.write())


if __name__ == "__main__":
    unittest.main()
