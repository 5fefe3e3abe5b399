"""A run that asks for a GPU which is in use, or whose NVML will not tell: every gate NOT RUN with the reason, and no child started."""

import json
import unittest
from pathlib import Path

from program import PENDING, PROGRAM, Program, call

STAND_IN = Path(PROGRAM).parent / "libseamgate_stand_in_nvml.so"
NOT_BUILT = "not built (this build has no CUDA part)"


class InUse(Program):
    def ask(self, mode, *arguments, **changes):
        """The reason of gate `truth` on the GPU, and the seconds that the run took."""
        call("run", "--require", "cuda", "--no-mutants", "--gate", "truth", "--op", "rmsnorm", "--out", self.out, *arguments,
             SEAMGATE_NVML=str(STAND_IN), SEAMGATE_STAND_IN_NVML=mode, SEAMGATE_LEASE_DIR=str(self.top / "locks"), **changes)
        (gate,) = [gate for gate in self.summary()["gates"] if gate["id"] == "truth"]
        self.assertEqual(gate["verdict"], "NOT RUN")
        self.assertEqual(self.summary()["verdict"], "PENDING")
        return gate["reason"]

    def records(self):
        return [json.loads(line) for path in (self.out / "records").glob("*.jsonl") for line in path.read_text().splitlines()]

    def test_reads_not_run_with_the_reason_and_starts_nothing(self):
        reasons = {"process 1 534": r"busy: pid 1 \(.+\) with 534 MiB on GPU-57a7d1e5", "memory 534": "busy: 538 MiB in use by processes",
                   "hidden": "not proven free: NVML: .*Not Supported", "memory_error": "not proven free: NVML: .*GPU is lost",
                   "no_driver": "no GPU: no driver: NVML says Driver Not Loaded", "no_gpus": "no GPU"}
        for mode, want in reasons.items():
            with self.subTest(mode):
                reason = self.ask(mode)
                if reason != NOT_BUILT:
                    self.assertRegex(reason, want)
                    self.assertEqual([record["kind"] for record in self.records()], ["not_run"])

    def test_waits_as_long_as_it_is_told(self):
        reason = self.ask("process 1 534", "--wait", "1")
        self.assertTrue(reason == NOT_BUILT or reason.endswith("(waited 1 s)"), reason)

    def test_a_free_gpu_that_cuda_does_not_see_is_no_gpu(self):
        self.assertRegex(self.ask("free"), "no GPU|not built")

    def test_provenance_names_the_gpu_by_nvml(self):
        self.ask("memory 534")
        provenance = json.loads((self.out / "plan.json").read_text())["provenance"]
        self.assertEqual((provenance["gpu"], provenance["gpu_uuid"], provenance["gpu_clocks"]),
                         ("stand-in GPU", "GPU-57a7d1e5", "SM 345 MHz of 1980 MHz, memory 345 MHz"))
        self.assertIn("NVML is", provenance["gpu_note"])

    def test_bad_waits_are_usage(self):
        for arguments in (("run", "--wait", "long"), ("lease", "--wait", "-1", "--", "true"), ("lease",)):
            result = call(*arguments)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (64, 1), result.stderr)

    def test_a_command_that_does_not_exist_is_127(self):
        result = call("lease", "--", "no-such-command", SEAMGATE_NVML=str(STAND_IN), SEAMGATE_LEASE_DIR=str(self.top / "locks"))
        self.assertEqual(result.returncode, 127, result.stderr)

    def test_ctest_is_told_77(self):
        changes = {"SEAMGATE_NVML": str(STAND_IN), "SEAMGATE_STAND_IN_NVML": "memory 534", "SEAMGATE_LEASE_DIR": str(self.top / "locks")}
        self.assertEqual(call("lease", "--ctest", "--", "true", **changes).returncode, 77)
        self.assertEqual(call("lease", "--", "true", **changes).returncode, PENDING)


if __name__ == "__main__":
    unittest.main()
