"""ci/gpu with stand-ins for the program, CTest and the driver's tools: which tree it takes, what it hands on, how it ends."""

import json
import shutil
import subprocess
import tarfile
import unittest

from test_ci_scripts import NOTE, Scripts

TOOLS = ("cp", "gzip", "mktemp", "mv", "paste", "readelf", "strip", "tar", "tee", "tr")
SEAMGATE = """#!/bin/bash
echo "seamgate $* SEAMGATE_RUN=${SEAMGATE_RUN:-}" >>"$CALLS"
case $1 in
  plan)
    [[ "$*" == *layernorm* ]] && { echo "seamgate: op is 'layernorm'" >&2; exit 64; }
    while [[ $1 != --out ]]; do shift; done
    printf '{"provenance": {\\n "source_sha256": "%s"\\n}}\\n' "${SOURCES:-}" >"$2/plan.json" ;;
  lease)
    [[ -n ${BUSY:-} ]] && { echo "seamgate: busy (pid 7, 534 MiB)" >&2; exit 3; }
    [[ -n ${NO_LEASE:-} ]] && { echo "seamgate: command is 'lease'" >&2; exit 64; }
    while [[ $1 != -- ]]; do shift; done
    shift
    SEAMGATE_LEASE=taken exec "$@" ;;
  decide)
    [[ -e $2/not_run ]] && cat "$2/not_run"
    echo the screen
    exit "${VERDICT:-0}" ;;
esac
"""
CTEST = """#!/bin/bash
echo "ctest $* SEAMGATE_RUN=${SEAMGATE_RUN:-} SEAMGATE_LEASE=${SEAMGATE_LEASE:-}" >>"$CALLS"
[[ "$*" == *sanitizer* && -n ${FOUND:-} ]] && { echo ' 1/2 Test  #9: sanitizer.memcheck.rmsnorm ....***Failed  0.10 sec'; exit 8; }
[[ "$*" == *sanitizer* ]] && echo ' 1/2 Test  #9: sanitizer.memcheck.rmsnorm ....   Passed  0.10 sec'
exit "${CTEST:-0}"
"""
SMI = "#!/bin/bash\nprintf 'GPU 0: NVIDIA H200 (UUID: GPU-0A5c-1b)\\nGPU 1: NVIDIA H200 (UUID: GPU-7f-22)\\n'\n"


class Runner(Scripts):
    def setUp(self):
        super().setUp()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.stand_in("ctest", CTEST)
        (self.bin / "cmake").unlink()
        self.tree(self.root)
        self.out = self.top / "out"

    def tree(self, folder):
        """A built tree in `folder`, as a pack has it."""
        for part in ("bin", "ctest"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "bin" / "seamgate").write_text(SEAMGATE)
        (folder / "bin" / "seamgate").chmod(0o755)
        (folder / "ctest" / "gate_tests.cmake").write_text("")
        (folder / "ctest" / "run_tool.py").write_text("")

    def gpu(self, *arguments, **environment):
        return self.call("gpu", "--out", str(self.out), *arguments, **environment)

    def only(self, tool, part):
        found = [line for line in self.called(tool) if part in line]
        self.assertEqual(len(found), 1, self.calls.read_text())
        return found[0]


class Runs(Runner):
    def test_plan_lease_tests_and_report_in_this_order(self):
        result = self.gpu("--tier", "premerge", "--op", "rmsnorm", "--wait", "30", "--switch", "DM_RMSNORM_FUSED=0")
        self.assertEqual((result.returncode, result.stdout), (0, "the screen\n"), result.stderr)
        plan, lease, decide = self.called("seamgate")
        self.assertIn("plan --require cuda --tier premerge --op rmsnorm --switch DM_RMSNORM_FUSED=0", plan)
        self.assertIn("--command ci/gpu --out", plan)
        self.assertIn("lease --wait 30 -- ", lease)
        self.assertIn(f"decide {self.out}", decide)
        tests = self.only("ctest", "cuda|planted")
        self.assertIn(f"SEAMGATE_RUN={self.out} SEAMGATE_LEASE=taken", tests)
        self.assertIn("-L ^(rmsnorm|planted_.*)$", tests)
        self.assertNotIn("resource-spec", tests)
        self.assertEqual((self.out / "ctest" / "CTestTestfile.cmake").read_text(), f"include([=[{self.root}/ctest/gate_tests.cmake]=])\n")

    def test_the_exit_code_is_that_of_the_verdict(self):
        for code in (0, 1, 3, 70):
            self.assertEqual(self.gpu(VERDICT=str(code), CTEST="8").returncode, code)

    def test_every_gpu_is_a_resource(self):
        self.stand_in("nvidia-smi", SMI)
        self.gpu()
        self.assertIn("--resource-spec-file", self.only("ctest", "cuda"))
        specification = json.loads((self.out / "ctest" / "gpus.json").read_text())
        self.assertEqual(specification["local"][0]["gpus"], [{"id": "gpu_0a5c_1b", "slots": 12}, {"id": "gpu_7f_22", "slots": 12}])

    def test_parts_of_a_gpu_are_taken_before_the_whole(self):
        self.stand_in("nvidia-smi", SMI.replace("GPU 1: NVIDIA H200 (UUID: GPU-", "  MIG 1g.18gb Device 0: (UUID: MIG-"))
        self.gpu()
        self.assertEqual(json.loads((self.out / "ctest" / "gpus.json").read_text())["local"][0]["gpus"], [{"id": "mig_7f_22", "slots": 12}])

    def test_a_gpu_in_use_is_left_alone_and_every_gate_has_the_reason(self):
        result = self.gpu(BUSY="1", VERDICT="3")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(self.called("ctest"), [])
        self.assertEqual(result.stdout, "busy (pid 7, 534 MiB)\nthe screen\n")

    def test_without_a_lease_each_gate_says_for_itself_why_it_cannot_run(self):
        self.assertEqual(self.gpu(NO_LEASE="1", VERDICT="3").returncode, 3)
        self.assertIn("SEAMGATE_LEASE=\n", self.calls.read_text())

    def test_a_ctest_that_breaks_is_named_and_the_report_still_comes(self):
        result = self.gpu(CTEST="2", VERDICT="3")
        self.assertIn("ctest ended with 2", result.stderr)
        self.assertEqual((result.returncode, result.stdout), (3, "the screen\n"))


class Sanitizers(Runner):
    def test_are_named_and_change_nothing_when_they_pass(self):
        result = self.gpu("--sanitizers")
        self.assertEqual(result.returncode, 0)
        self.assertIn("compute-sanitizer: passed: sanitizer.memcheck.rmsnorm; NOT RUN: none; FAILED: none", result.stderr)
        self.assertNotIn("SEAMGATE_RUN=" + str(self.out), self.only("ctest", "sanitizer"))

    def test_one_that_finds_something_is_no_pass(self):
        for verdict, code in (("0", 1), ("3", 1), ("1", 1), ("70", 70)):
            result = self.gpu("--sanitizers", FOUND="1", VERDICT=verdict)
            self.assertEqual(result.returncode, code)
            self.assertIn("compute-sanitizer FAILED: sanitizer.memcheck.rmsnorm", result.stderr)


class BadInput(Runner):
    def test_is_64_in_one_line_and_nothing_runs(self):
        cases = {("--fast",): "unknown argument '--fast'", ("--tier", "weekly"): "smoke, premerge, nightly", ("--wait", "long"): "--wait is 'long'",
                 ("--op=",): "--op needs a value", ("--pack",): "--pack needs a value"}
        for arguments, part in cases.items():
            with self.subTest(arguments):
                self.assert_one_line(self.gpu(*arguments), 64, part)
        self.assert_one_line(self.gpu("--op", "layernorm"), 64, "op is 'layernorm'")
        self.assertEqual(self.called("ctest"), [])

    def test_no_tree_is_70(self):
        shutil.rmtree(self.root / "bin")
        self.assert_one_line(self.gpu(), 70, "no built tree in")

    def test_an_old_python_is_70(self):
        (self.bin / "python3").unlink()
        self.stand_in("python3", "#!/bin/bash\nexit 1\n")
        self.assert_one_line(self.gpu(), 70, "Python 3.11 or later")

    def test_a_binary_of_other_sources_than_those_around_it_is_refused(self):
        (self.root / "cmake").mkdir()
        (self.root / "cmake" / "SourceFacts.cmake").write_text("")
        self.stand_in("cmake", '#!/bin/bash\nout=${2#-DOUTPUT=}\necho \'constexpr const char* sources_sha256 = "5e";\' >"$out"\n')
        self.assert_one_line(self.gpu(SOURCES="5f"), 70, "a binary of other sources")
        self.assertEqual(self.gpu(SOURCES="5e").returncode, 0)

    def test_where_nvcc_is_the_checkout_is_built_first(self):
        shutil.rmtree(self.root / "bin")
        (self.root / "CMakeLists.txt").write_text("")
        self.stand_in("nvcc", "#!/bin/bash\n")
        self.stand_in("cmake", NOTE.format("cmake", "CMAKE"))
        self.tree(self.root / "build" / "cuda")
        result = self.gpu(CUDACXX="nvcc")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("--target seamgate", self.called("cmake")[-1])
        result = self.gpu(CUDACXX="nvcc", CMAKE="1")
        self.assertEqual(result.returncode, 70)
        self.assertIn("the build failed", result.stderr)


class Pack(Runner):
    def setUp(self):
        super().setUp()
        (self.root / "LICENSE").write_text("")
        for part in ("reports/seamgate_report/__pycache__", "fixtures/data"):
            (self.root / part).mkdir(parents=True)
        (self.root / "reports" / "seamgate_report.py").write_text("")
        (self.root / "reports" / "seamgate_report" / "__pycache__" / "x.pyc").write_text("")
        self.build(["-static"])
        self.file = self.top / "pack.tar.gz"

    def build(self, flags, source="int main() { return 0; }\n"):
        (self.top / "main.c").write_text(source)
        for name in ("seamgate", "seamgate_planted", "libseamgate_stand_in_nvml.so"):
            subprocess.run([shutil.which("cc"), *flags, "-o", str(self.root / "bin" / name), str(self.top / "main.c")], check=True)

    def test_holds_what_a_run_needs_and_no_more(self):
        result = self.call("gpu", "--pack", str(self.file))
        self.assertEqual(result.returncode, 0, result.stderr)
        with tarfile.open(self.file) as packed:
            names = {name.removeprefix("seamgate-gpu/") for name in packed.getnames()}
        self.assertLessEqual({"bin/seamgate", "bin/seamgate_planted", "bin/libseamgate_stand_in_nvml.so", "ci/gpu", "ci/lib.sh", "ctest/gate_tests.cmake", "ctest/run_tool.py",
                              "share/seamgate/reports/seamgate_report.py", "share/seamgate/reports/seamgate_report",
                              "share/seamgate/fixtures/data"}, names)
        self.assertFalse([name for name in names if "__pycache__" in name])

    def test_a_program_that_needs_a_library_is_refused(self):
        self.build(["-Wl,--no-as-needed", "-l:libgcc_s.so.1"])
        self.assert_one_line(self.call("gpu", "--pack", str(self.file)), 70, "needs libgcc_s.so.1")
        self.assertFalse(self.file.exists())

    def test_a_pack_that_is_too_large_is_refused_with_its_size(self):
        with open(self.root / "fixtures" / "data" / "large", "wb") as large:
            with open("/dev/urandom", "rb") as noise:
                large.write(noise.read(49 * 1024 * 1024))
        result = self.call("gpu", "--pack", str(self.file))
        self.assertEqual(result.returncode, 70)
        self.assertRegex(result.stderr, r"the pack has 5\d{7} bytes; at most 50331648 \(48 MiB\)")
        self.assertFalse(self.file.exists())


if __name__ == "__main__":
    unittest.main()
