"""What is made of the tools' outputs: clean, found, or not looked; and a whole call with a stand-in for compute-sanitizer."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from run_tool import FOUND, SYMPTOM, CannotRun, Evidence, errors_in, judge_clean, judge_planted, read_records  # noqa: E402

TOOLS = sorted(SYMPTOM)
RAN = Evidence(cases=12, ended=["truth"])


def recorded(name):
    """An output in the form that compute-sanitizer's public logs have, of the planted kernels; not of a run of ours."""
    return (HERE / "outputs" / f"{name}.txt").read_text()


def clean(tool):
    return recorded("racecheck_clean" if tool == "racecheck" else "clean")


class Summaries(unittest.TestCase):
    def test_errors_and_hazards_are_counted(self):
        self.assertEqual([errors_in(recorded(f"{tool}_found")) for tool in TOOLS], [64, 1, 1, 32])
        self.assertEqual([errors_in(clean(tool)) for tool in TOOLS], [0, 0, 0, 0])

    def test_no_summary_is_no_zero(self):
        self.assertIsNone(errors_in(""))
        self.assertIsNone(errors_in("ERROR SUMMARY: 0 errors"), "the program under the tool said it, not the tool")


class CleanRuns(unittest.TestCase):
    def test_a_clean_run_passes(self):
        for tool in TOOLS:
            self.assertEqual(judge_clean(tool, 0, clean(tool), RAN), "")

    def test_a_finding_fails_whatever_the_exit_code_says(self):
        for tool in TOOLS:
            for code in (0, FOUND):
                self.assertIn(f"{tool} found", judge_clean(tool, code, recorded(f"{tool}_found"), RAN))

    def test_an_exit_code_that_means_found_fails_without_a_summary(self):
        self.assertIn("found something", judge_clean("memcheck", FOUND, "", RAN))

    def test_a_tool_that_checked_nothing_does_not_pass(self):
        self.assertIn("did not look", judge_clean("memcheck", 0, "", RAN))
        self.assertIn("nothing was checked", judge_clean("memcheck", 0, clean("memcheck"), Evidence()))
        self.assertIn("nothing was checked", judge_clean("memcheck", 0, clean("memcheck"), Evidence(ended=["truth"])))

    def test_trouble_of_the_tool_is_no_clean_run(self):
        text = clean("memcheck") + "========= Internal Sanitizer Error: the device could not be instrumented\n"
        self.assertIn("trouble of its own", judge_clean("memcheck", 0, text, RAN))

    def test_a_crash_and_failed_assertions_fail(self):
        self.assertIn("exit -9", judge_clean("memcheck", -9, clean("memcheck"), RAN))
        self.assertIn("truth: c y", judge_clean("memcheck", 0, clean("memcheck"), Evidence(12, ["truth: c y"], [], ["truth"])))

    def test_gates_that_did_not_run_are_not_run(self):
        with self.assertRaisesRegex(CannotRun, "busy"):
            judge_clean("memcheck", 0, clean("memcheck"), Evidence(not_run=["busy (pid 7, 534 MiB)"]))


class PlantedFaults(unittest.TestCase):
    def test_each_tool_finds_its_own(self):
        for tool in TOOLS:
            self.assertEqual(judge_planted(tool, FOUND, recorded(f"{tool}_found")), "")

    def test_a_tool_that_finds_nothing_fails(self):
        for tool in TOOLS:
            self.assertIn("counts 0 errors", judge_planted(tool, 0, clean(tool)))
            self.assertIn("did not look", judge_planted(tool, FOUND, ""))

    def test_a_count_without_the_exit_code_fails(self):
        self.assertIn("exits 0", judge_planted("memcheck", 0, recorded("memcheck_found")))

    def test_another_fault_than_the_planted_one_fails(self):
        self.assertIn("something else", judge_planted("synccheck", FOUND, recorded("memcheck_found")))


class Records(unittest.TestCase):
    def test_cases_failures_and_reasons_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = [{"kind": "begin", "gate": "truth"}, {"kind": "case", "gate": "truth", "case": "a", "tensor": "y", "passed": True},
                     {"kind": "check", "gate": "truth", "case": "b", "name": "n", "passed": False}, {"kind": "end", "gate": "truth"}]
            Path(folder, "truth.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"kind": "cas')
            Path(folder, "eps.jsonl").write_text('{"kind": "not_run", "gate": "eps", "reason": "busy"}\n')
            self.assertEqual(read_records(folder), Evidence(2, ["truth: b n"], ["busy"], ["truth"]))


STAND_IN = """#!{python}
import os, pathlib, sys
text = pathlib.Path(os.environ["OUTPUT"]).read_text()
print(text)
if "--records" in sys.argv:
    folder = sys.argv[sys.argv.index("--records") + 1]
    pathlib.Path(folder, "truth.jsonl").write_text(os.environ["RECORDS"])
sys.exit(int(os.environ["CODE"]))
"""
RECORDS = ('{"kind":"begin","gate":"truth"}\n{"kind":"case","gate":"truth","case":"a","tensor":"y","passed":true}\n'
           '{"kind":"end","gate":"truth"}\n')


class WholeCall(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.bin = Path(temporary.name)

    def put(self, name, text):
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def call(self, *arguments, output="clean", code=0, records=RECORDS):
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "OUTPUT": str(HERE / "outputs" / f"{output}.txt"), "CODE": str(code),
                       "RECORDS": records, "CUDA_HOME": "", "SEAMGATE_LEASE": "taken"}
        return subprocess.run([sys.executable, "-B", str(HERE.parent / "run_tool.py"), *arguments], env=environment, capture_output=True,
                              text=True, check=False, timeout=60)

    def with_gpu(self):
        self.put("nvidia-smi", "#!/bin/sh\necho 'GPU 0: NVIDIA H200 (UUID: GPU-0)'\n")
        self.put("compute-sanitizer", STAND_IN.replace("{python}", sys.executable))

    GATES = ("--tool", "memcheck", "--program", "seamgate", "--op", "rmsnorm", "--gates", "truth")

    def test_without_a_gpu_it_is_not_run(self):
        self.put("nvidia-smi", "#!/bin/sh\nexit 9\n")
        result = self.call(*self.GATES)
        self.assertEqual((result.returncode, result.stdout), (77, "NOT RUN  no GPU\n"))

    def test_a_driver_that_lists_nothing_is_no_gpu(self):
        self.with_gpu()
        self.put("nvidia-smi", "#!/bin/sh\necho 'No devices were found'\n")
        self.assertEqual(self.call(*self.GATES).returncode, 77)

    def test_clean_found_and_empty_runs(self):
        self.with_gpu()
        self.assertEqual(self.call(*self.GATES).returncode, 0)
        self.assertEqual(self.call(*self.GATES, output="memcheck_found", code=FOUND).returncode, 1)
        self.assertEqual(self.call(*self.GATES, records="").returncode, 1)
        self.assertEqual(self.call(*self.GATES, records='{"kind":"not_run","gate":"truth","reason":"busy"}\n').returncode, 77)

    def test_a_planted_fault(self):
        self.with_gpu()
        planted = ("--tool", "memcheck", "--planted", "seamgate_planted")
        self.assertEqual(self.call(*planted, output="memcheck_found", code=FOUND).returncode, 0)
        self.assertEqual(self.call(*planted).returncode, 1)

    def test_bad_usage_is_64(self):
        for arguments in ((), ("--tool", "leakcheck", "--planted", "x"), ("--tool", "memcheck"), ("--tool", "memcheck", "--program", "x")):
            self.assertEqual(self.call(*arguments).returncode, 64)


if __name__ == "__main__":
    unittest.main()
