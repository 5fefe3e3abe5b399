"""One gate of a run that goes on, and a run that came to nothing."""

import os
import unittest

from run_folder import Child, RunTest
from test_command_line import call

from seamgate_report.decision import decide_folder
from seamgate_report.outcome import NOT_RUN, PASS, PENDING


class OneGate(RunTest):
    def judge(self, gate, *arguments):
        self.run_.write()
        before = sorted(os.listdir(self.run_.folder))
        result = call("judge", self.run_.folder, "--gate", gate, *arguments)
        self.assertEqual(sorted(os.listdir(self.run_.folder)), before, "something was written")
        return result

    def test_passes_fails_or_did_not_run_whatever_the_others_did(self):
        self.run_.children["truth"] = Child("truth").case(1, error=1.0).case(2).end()
        del self.run_.children["leaf"]
        self.assertEqual([self.judge(gate).returncode for gate in ("counters", "truth", "leaf")], [0, 1, 77])
        self.assertIn("error 1, bar 1e-06", self.judge("truth").stdout)

    def test_a_record_that_another_gate_is_writing_does_not_matter(self):
        self.run_.children["leaf"] = Child("leaf").check()
        self.run_.write()
        self.run_.record_path("leaf").write_text('{"kind": "beg')
        self.assertEqual(call("judge", self.run_.folder, "--gate", "counters").returncode, 0)

    def test_a_contradiction_in_its_own_record_is_70(self):
        self.run_.children["counters"] = Child("counters").end().check()
        result = self.judge("counters")
        self.assertEqual(result.returncode, 70)
        self.assertIn("BROKEN: records/counters.jsonl:3: 'check' after the end", result.stdout)

    def test_planted_faults_are_judged_by_op(self):
        self.assertEqual(self.judge("mutants").returncode, 0)
        self.assertEqual(self.judge("mutants", "--op", "rmsnorm").returncode, 0)
        self.assertEqual(self.judge("mutants", "--op", "swiglu").returncode, 64)
        self.run_.children["truth-eps_dropped"] = Child("truth", implementation="mutant:eps_dropped").case(1).case(2).end()
        self.assertEqual(self.judge("mutants").returncode, 1)
        del self.run_.children["truth-eps_dropped"]
        self.run_.record_path("truth-eps_dropped").unlink()
        self.assertEqual(self.judge("mutants").returncode, 77)

    def test_a_gate_that_is_not_there_is_64(self):
        for arguments in (("speed",), ("truth", "--backend", "cuda"), ("truth", "--op", "swiglu")):
            result = self.judge(*arguments)
            self.assertEqual(result.returncode, 64)
            self.assertIn("gates of this run", result.stderr)


class Nothing(RunTest):
    def test_a_run_that_came_to_nothing_gives_its_reason_to_gates_without_a_record_alone(self):
        del self.run_.children["leaf"]
        (self.run_.write() / "not_run").write_text("waiting\nbusy (pid 7, 534 MiB)\n")
        decision = decide_folder(self.run_.folder)
        self.assertEqual(decision.verdict, PENDING)
        verdicts = {gate.id: (gate.verdict, gate.reason) for gate in decision.gates}
        self.assertEqual(verdicts["leaf"], (NOT_RUN, "busy (pid 7, 534 MiB)"))
        self.assertEqual(verdicts["truth"], (PASS, ""))


if __name__ == "__main__":
    unittest.main()
