"""The command that would turn PENDING into a verdict."""

import unittest

from run_folder import Child, RunFolder, RunTest, planned_gate

from seamgate_report.discharge import MERGE, discharge_command, discharge_place


class Discharge(RunTest):
    def add_gpu_gate(self):
        self.run_.plan["required_backends"].append("cuda")
        self.run_.plan["gates"].append(planned_gate("truth", "right", "cuda"))

    def test_nothing_is_pending_after_pass_or_fail(self):
        self.assertEqual(discharge_command(self.decide()), "")
        self.add_gpu_gate()
        self.run_.children["leaf"] = Child("leaf").check(passed=False).end()
        self.assertEqual(discharge_command(self.decide()), "")

    def test_a_gpu_gate_asks_for_a_gpu(self):
        self.add_gpu_gate()
        decision = self.decide()
        self.assertEqual(discharge_command(decision), "ci/gate --require cuda --tier smoke")
        self.assertIn("GPU", discharge_place(decision))

    def test_a_cpu_gate_asks_for_any_machine(self):
        self.add_gpu_gate()
        self.run_.children["truth-cuda"] = Child("truth", "cuda").case(1).end()
        self.run_.plan["provenance"]["gpu_uuid"] = "GPU-0b5c"
        del self.run_.children["leaf"]
        decision = self.decide()
        self.assertEqual(discharge_command(decision), "ci/gate --require cpu --tier smoke")
        self.assertEqual(discharge_place(decision), f"then: {MERGE}")

    def test_both_ask_for_both_and_keep_tier_and_op(self):
        self.add_gpu_gate()
        del self.run_.children["leaf"]
        self.run_.plan.update(tier="premerge", command="seamgate run --op rmsnorm --tier premerge")
        self.assertEqual(discharge_command(self.decide()), "ci/gate --require cpu,cuda --tier premerge --op rmsnorm")

    def test_faults_that_were_not_judged_ask_for_the_machine_that_can(self):
        del self.run_.children["truth-eps_dropped"]
        self.assertEqual(discharge_command(self.decide()), "ci/gate --require cpu --tier smoke")

    def test_a_gpu_run_without_planted_faults_asks_for_them_where_they_are_judged(self):
        run = RunFolder(self.top / "gpu", backend="cuda")
        run.plan["mutants"] = []
        del run.children["truth-eps_dropped"]
        self.assertEqual(discharge_command(self.decide(run)), "ci/gate --require cpu --tier smoke")

    def test_a_run_of_the_gpu_runner_asks_for_the_runner_again_without_the_switch_that_kept_gates_back(self):
        run = RunFolder(self.top / "gpu", backend="cuda")
        run.plan["command"] = "ci/gpu --tier premerge --switch DM_RMSNORM_FUSED=0 --wait 60"
        del run.children["leaf"]
        decision = self.decide(run)
        self.assertEqual(discharge_command(decision), "ci/gpu --tier premerge --wait 60")
        self.assertEqual(discharge_place(decision), "on a machine with a free GPU")

    def test_an_interruption_asks_for_the_run_again(self):
        self.run_.write()
        (self.run_.folder / "interrupted").touch()
        self.assertEqual(discharge_command(self.decide()), "ci/gate --require cpu --tier smoke")


if __name__ == "__main__":
    unittest.main()
