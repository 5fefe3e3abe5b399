"""Recorded runs, decided anew on a machine that need not have a GPU: each gets the verdict that was put beside it."""

import json
import shutil
import subprocess
import tarfile
import unittest

from run_folder import REPORTS, RunFolder, RunTest

from pack_evidence import make
from seamgate_account.evidence import problems_of_evidence, problems_of_quotes
from seamgate_account.sources import source_facts

from seamgate_report.decision import decide_folder
from seamgate_report.outcome import FAIL, PASS
from seamgate_report.screen import screen

EVIDENCE = REPORTS / "tests" / "evidence"
RECORDED = REPORTS / "evidence"  # on a GPU, packed


class Folders(RunTest):
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


class Evidence(Folders):
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


def page(path):
    return (REPORTS.parent / path).read_text(encoding="utf-8")


class RecordedSources(Folders):
    """The folders of this repository."""

    def test_every_run_of_a_gpu_fits_the_sources_that_it_claims(self):
        documents = {name: page(name) for name in ("README.md", "reports/evidence/README.md", "docs/figures.md")}
        names = [folder.name for folder in self.folders() if folder.parent == self.top]
        self.assertTrue(names)
        for name in names:
            with self.subTest(name):
                provenance = json.loads((self.top / name / "plan.json").read_text())["provenance"]
                expected = json.loads((self.top / name / "expected.json").read_text())
                self.assertEqual(problems_of_evidence(name, expected, provenance, REPORTS.parent, documents), [])
                self.assertEqual(decide_folder(self.top / name).run_id, json.loads((RECORDED / name / "summary.json").read_text())["run_id"])
        self.assertEqual(problems_of_quotes("README.md", documents["README.md"], names), [])

    def test_no_whole_identifier_of_a_gpu_is_kept(self):
        self.assertTrue(self.folders())
        for path in self.top.rglob("*"):
            if path.is_file():
                self.assertNotRegex(path.read_text(errors="replace"), r"GPU-[0-9a-f]{8}-", path.name)


class ClaimedSources(RunTest):
    """A checkout made for the test, with one commit, and a run that claims to be of it."""

    def setUp(self):
        super().setUp()
        self.root = self.top / "checkout"
        for folder in ("kernels", "tensor", "seam", "gates/tests", "reports/evidence"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "kernels" / "norm.hpp").write_text("y = x * r\n")
        (self.root / "gates" / "truth.cpp").write_text("error <= bar\n")
        self.git("init", "-q")
        self.commit = self.commit_all()
        self.gpu = RunFolder(self.top / "gpu", "60", backend="cuda")
        self.gpu.plan["provenance"].update(commit=self.commit, binary_sha256="b1", source_sha256="50", driver="580", gpu="NVIDIA H200",
                                           gpu_uuid="GPU-0b5c1d2e-1111-2222-3333-444455556666", **source_facts(self.root))
        self.documents = {"reports/evidence/README.md": f"| `h200` | at {self.commit[:7]} |"}

    def git(self, *arguments):
        return subprocess.run(["git", "-C", str(self.root), "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True,
                              capture_output=True, text=True).stdout.strip()

    def commit_all(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a state")
        return self.git("rev-parse", "HEAD")

    def problems(self, past=False, **changes):
        expected = {"verdict": "PASS", "failed": [], "commit": self.commit, "past": past, **changes}
        return problems_of_evidence("h200", expected, self.gpu.plan["provenance"], self.root, self.documents)

    def assert_problem(self, part, problems):
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(part, problems[0])

    def test_a_run_of_the_sources_as_they_are_fits(self):
        self.assertEqual(self.problems(), [])
        (self.root / "gates" / "tests" / "truth_test.cpp").write_text("a test is no gate\n")
        self.assertEqual(self.problems(), [])

    def test_a_changed_kernel_or_gate_makes_it_another_s(self):
        (self.root / "kernels" / "norm.hpp").write_text("y = x * r * w\n")
        self.assert_problem("its kernel_sources_sha256 is", self.problems())
        (self.root / "gates" / "new.cpp").write_text("\n")
        self.assertEqual(len(self.problems()), 2)

    def test_a_run_without_hashes_is_not_of_the_sources_as_they_are(self):
        del self.gpu.plan["provenance"]["kernel_sources_sha256"]
        self.assert_problem("kernel_sources_sha256 is None", self.problems())

    def test_an_older_run_says_so_and_documents_name_its_commit(self):
        (self.root / "kernels" / "norm.hpp").write_text("y = x * r * w\n")
        self.commit_all()
        self.assertEqual(self.problems(past=True), [])
        self.documents["README.md"] = "As fast as h200 says.\n\nAnother paragraph."
        self.assert_problem("README.md: speaks of h200 without its commit", self.problems(past=True))
        self.documents["README.md"] = f"As fast as h200 said at {self.commit[:7]}."
        self.assertEqual(self.problems(past=True), [])

    def test_an_older_run_of_a_commit_that_nobody_has_is_refused(self):
        self.commit = "0" * 40
        self.gpu.plan["provenance"]["commit"] = self.commit
        self.documents = {"reports/evidence/README.md": "`h200` at 0000000"}
        self.assert_problem("is not in the history", self.problems(past=True))

    def test_a_commit_that_the_plan_does_not_name_and_silence_about_the_past_are_refused(self):
        self.documents["reports/evidence/README.md"] += " and 74e4202"
        self.assert_problem("expected.json names commit 74e4202", self.problems(commit="74e4202"))
        self.assert_problem("does not say whether it is past", self.problems(past=None))

    def test_a_run_of_a_changed_checkout_is_refused(self):
        self.gpu.plan["provenance"]["dirty"] = True
        self.assert_problem("changed checkout", self.problems())

    def test_a_run_that_no_page_lists_is_refused(self):
        self.documents = {}
        self.assert_problem("does not list h200", self.problems())

    def test_figures_of_a_gpu_are_quoted_from_evidence_alone(self):
        text = "An H200 takes 41 s.\n\nThe H200 is a GPU.\n\nAn H200 takes 41 s (reports/evidence/h200)."
        self.assertEqual(len(problems_of_quotes("README.md", text, ["h200"])), 1)

    def test_a_run_is_packed_with_a_short_identifier_and_decided_alike(self):
        self.gpu.plan["command"] = "ci/gpu --tier premerge --out /home/somebody/run"
        folder, _ = make(self.gpu.write(), "h200", False, self.root)
        self.assertEqual({path.name for path in folder.iterdir()},
                         {"run.tar.gz", "expected.json", "summary.json", "junit.xml", "report.md", "report.html"})
        with tarfile.open(folder / "run.tar.gz") as packed:
            packed.extractall(self.top / "unpacked")
        plan = json.loads((self.top / "unpacked" / "plan.json").read_text())
        self.assertEqual((plan["provenance"]["gpu_uuid"], plan["command"]), ("GPU-0b5c1d2e", "ci/gpu --tier premerge --out out"))
        self.assert_verdict(PASS, decide_folder(self.top / "unpacked"))
        for path in folder.iterdir():
            self.assertNotIn("1111-2222", path.read_text(errors="replace"))
        self.assertEqual(json.loads((folder / "expected.json").read_text()), {"verdict": "PASS", "failed": [], "commit": self.commit, "past": False})

    def test_a_run_of_other_sources_or_of_no_gpu_is_not_packed(self):
        (self.root / "kernels" / "norm.hpp").write_text("y = x * r * w\n")
        with self.assertRaisesRegex(ValueError, "kernel_sources_sha256"):
            make(self.gpu.write(), "h200", False, self.root)
        self.gpu.plan["provenance"]["gpu_uuid"] = ""
        with self.assertRaisesRegex(ValueError, "lacks gpu_uuid"):
            make(self.gpu.write(), "h200", True, self.root)


if __name__ == "__main__":
    unittest.main()
