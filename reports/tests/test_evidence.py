"""Recorded runs, decided anew on a machine that need not have a GPU: each gets the verdict that was put beside it."""

import json
import shutil
import tarfile
import unittest

from run_folder import REPORTS, RunTest

from seamgate_report.decision import decide_folder
from seamgate_report.outcome import FAIL, PASS
from seamgate_report.screen import screen

EVIDENCE = REPORTS / "tests" / "evidence"
RECORDED = REPORTS / "evidence"  # on a GPU, packed


class Evidence(RunTest):
    def folders(self):
        """Hand-written runs, and runs of a GPU unpacked into this test's own folder."""
        folders = sorted(path.parent for path in EVIDENCE.glob("*/expected.json"))
        for expected in sorted(RECORDED.glob("*/expected.json")):
            folder = self.top / expected.parent.name
            with tarfile.open(expected.parent / "run.tar.gz") as packed:
                packed.extractall(folder)
            shutil.copy(expected, folder)
            folders.append(folder)
        return folders

    def test_every_recorded_run_gets_the_verdict_that_was_put_beside_it(self):
        verdicts = set()
        for folder in self.folders():
            with self.subTest(folder.name):
                expected = json.loads((folder / "expected.json").read_text())
                decision = decide_folder(folder)
                self.assert_verdict(expected["verdict"], decision)
                self.assertEqual([gate.key for gate in decision.with_verdict(FAIL)], expected["failed"])
                self.assertTrue(any(gate.backend == "cuda" for gate in decision.required))
                verdicts.add(decision.verdict)
        self.assertLessEqual({PASS, FAIL}, verdicts, "one recorded run must pass and one must fail")

    def test_a_gpu_has_been_seen_to_pass_and_to_fail(self):
        folders = [folder for folder in self.folders() if folder.parent == self.top]
        decisions = [decide_folder(folder) for folder in folders]
        gpu = [gate for decision in decisions for gate in decision.required if gate.backend == "cuda"]
        self.assertTrue(any(gate.id == "truth" and gate.verdict == PASS for gate in gpu))
        self.assertTrue(any(gate.id == "truth" and gate.verdict == FAIL for gate in gpu))

    def test_the_failing_record_names_gate_figures_and_case(self):
        text = screen(decide_folder(EVIDENCE / "gpu_fail"))
        for part in ("truth (rmsnorm cuda): 1 of 6 assertions failed", "error 4.1e-05, bar 1e-06",
                     "got 3.125, want 3.0481", "replay: seamgate replay rmsnorm/torch/f32/64x4096/eps-dominated/s1 --backend cuda"):
            self.assertIn(part, text)

    def test_a_recorded_pass_without_one_of_its_records_is_no_pass(self):
        for record in sorted((EVIDENCE / "gpu_pass" / "records").glob("*.jsonl")):
            with self.subTest(record.name):
                copy = self.top / record.stem
                shutil.copytree(EVIDENCE / "gpu_pass", copy)
                (copy / "records" / record.name).unlink()
                self.assertNotEqual(decide_folder(copy).verdict, PASS)


if __name__ == "__main__":
    unittest.main()
