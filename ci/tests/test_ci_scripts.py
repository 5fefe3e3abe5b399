"""The scripts of ci/, run in a copy of the repository's ci folder with stand-ins for the tools that they call.

The stand-in for cmake "builds" a seamgate that notes its arguments and exits as the test says; that for nvcc is on PATH or
is not. So the choices of the scripts are seen without a build.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

CI = Path(__file__).resolve().parent.parent
TOOLS = ("awk", "bash", "basename", "cat", "chmod", "comm", "cut", "dirname", "env", "find", "grep", "head", "id", "mkdir", "nproc",
         "realpath", "rm", "sed", "setsid", "sha256sum", "sleep", "sort", "tail", "uniq", "wc")
CMAKE = """#!/bin/bash
[[ $1 == --version ]] && { echo "cmake version ${CMAKE_VERSION:-3.25.1}"; exit 0; }
echo "cmake $*" >>"$CALLS"
[[ $1 != --build ]] && exit 0
echo '[1/2] compiling'
[[ -n ${BUILD_FAILS:-} ]] && { echo 'error: no such thing'; exit 2; }
mkdir -p "$2/bin"
printf '#!/bin/bash\\necho "seamgate $*" >>"$CALLS"\\necho the screen\\nexit ${VERDICT:-0}\\n' >"$2/bin/seamgate"
chmod +x "$2/bin/seamgate"
"""
NOTE = '#!/bin/bash\necho "{0} $*" >>"$CALLS"\nexit ${{{1}:-0}}\n'


class Scripts(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.top = Path(temporary.name)
        self.root, self.bin, self.calls = self.top / "repository", self.top / "bin", self.top / "calls"
        shutil.copytree(CI, self.root / "ci", ignore=shutil.ignore_patterns("tests", "__pycache__"))
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        (self.bin / "python3").symlink_to(sys.executable)
        self.stand_in("cmake", CMAKE)
        self.stand_in("ctest", NOTE.format("ctest", "CTEST"))

    def stand_in(self, name, text):
        (self.bin / name).unlink(missing_ok=True)
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def call(self, script, *arguments, **environment):
        self.calls.write_text("")
        environment = {"PATH": str(self.bin), "CALLS": str(self.calls), "HOME": str(self.top), **environment}
        return subprocess.run([str(self.root / "ci" / script), *arguments], env=environment, capture_output=True, text=True,
                              cwd=self.top, check=False)

    def called(self, tool):
        return [line for line in self.calls.read_text().splitlines() if line.startswith(tool + " ")]

    def assert_one_line(self, result, code, part):
        self.assertEqual((result.returncode, result.stdout), (code, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(part, result.stderr)


class Gate(Scripts):
    def gate(self, *arguments, **environment):
        return self.call("gate", "--no-setup", *arguments, **{"CUDACXX": "nvcc", **environment})

    def with_nvcc(self):
        self.stand_in("nvcc", "#!/bin/bash\n")

    def test_bad_usage_is_64_in_one_line_and_nothing_is_built(self):
        cases = {("--fast",): "unknown argument '--fast'", ("--tier", "weekly"): "smoke, premerge, nightly",
                 ("--require", "tpu"): "allowed: cpu, cuda", ("--require", "cpu,cpu"): "allowed: cpu, cuda",
                 ("--require=",): "--require needs a value", ("--out",): "--out needs a value",
                 ("--op", ""): "--op needs a value"}
        for arguments, part in cases.items():
            with self.subTest(arguments):
                self.assert_one_line(self.gate(*arguments), 64, part)
                self.assertEqual(self.called("cmake"), [])

    def test_an_output_folder_that_cannot_be_written_is_64_before_the_build(self):
        (self.top / "file").write_text("")
        self.assert_one_line(self.gate("--out", "file/out"), 64, "a folder that can be written is needed")
        self.assertEqual(self.called("cmake"), [])

    def test_the_exit_code_of_the_verdict_is_passed_on(self):
        for code in (0, 1, 3, 64, 70):
            with self.subTest(code):
                result = self.gate("--require", "cpu", VERDICT=str(code))
                self.assertEqual((result.returncode, result.stdout), (code, "the screen\n"))

    def test_options_reach_the_program_and_out_is_taken_from_where_the_caller_stands(self):
        self.gate("--require=cuda,cpu", "--tier", "premerge", "--op", "rmsnorm", "--out", "here")
        self.assertEqual(self.called("seamgate"), [f"seamgate run --require cpu,cuda --tier premerge --op rmsnorm --out "
                                                   f"{self.top.resolve()}/here"])

    def test_the_defaults_require_both_backends_at_the_smoke_tier(self):
        self.gate()
        self.assertEqual(self.called("seamgate"), [f"seamgate run --require cpu,cuda --tier smoke --out {self.root}/out"])

    def test_cpu_alone_looks_for_no_nvcc(self):
        self.with_nvcc()
        self.gate("--require", "cpu")
        self.assertIn("--preset cpu", self.called("cmake")[0])

    def test_cuda_is_built_where_nvcc_is(self):
        self.with_nvcc()
        for require in ("cuda", "cpu,cuda"):
            self.gate("--require", require)
            self.assertIn("--preset cuda", self.called("cmake")[0])

    def test_cuda_without_nvcc_builds_the_cpu_part_and_says_so(self):
        result = self.gate("--require", "cuda", VERDICT="3")
        self.assertEqual(result.returncode, 3)
        self.assertIn("--preset cpu", self.called("cmake")[0])
        self.assertIn("the CUDA part is not built", result.stderr)

    def test_a_build_that_fails_is_70_and_shows_the_end_of_its_log(self):
        result = self.gate("--require", "cpu", BUILD_FAILS="1")
        self.assertEqual((result.returncode, result.stdout), (70, ""))
        self.assertIn("error: no such thing", result.stderr)
        self.assertEqual(self.called("seamgate"), [])

    def test_an_interrupted_build_takes_what_it_started_with_it(self):
        self.stand_in("cmake", '#!/bin/bash\nsleep 300 &\necho "sleep $!" >>"$CALLS"\nwait\n')
        self.calls.write_text("")
        environment = {"PATH": str(self.bin), "CALLS": str(self.calls), "HOME": str(self.top)}
        gate = subprocess.Popen([str(self.root / "ci" / "gate"), "--no-setup", "--require", "cpu"], env=environment,
                                stderr=subprocess.DEVNULL)
        self.wait_until(lambda: self.called("sleep"), "the build did not start")
        child = int(self.called("sleep")[0].split()[1])
        gate.terminate()
        self.assertEqual(gate.wait(20), 130)
        self.wait_until(lambda: not self.alive(child), "what the build started lives on")

    @staticmethod
    def alive(pid):
        try:
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def wait_until(self, happened, otherwise, limit_s=20):
        end = time.monotonic() + limit_s
        while not happened():
            self.assertLess(time.monotonic(), end, otherwise)
            time.sleep(0.05)

    def test_what_is_not_written_is_not_mistaken_for_a_verdict(self):
        self.assertEqual(self.gate("--require", "cpu", BUILD_FAILS="1", VERDICT="0").returncode, 70)


class Test(Scripts):
    def test_ctest_gets_the_preset_and_an_error_for_no_tests_and_its_code_is_passed_on(self):
        for code in (0, 8):
            result = self.call("test", "--no-setup", CUDACXX="nvcc", CTEST=str(code))
            self.assertEqual(result.returncode, code)
            self.assertIn("ctest --preset cpu --no-tests=error", self.called("ctest")[0])

    def test_with_nvcc_the_cuda_part_is_built_and_tested(self):
        self.stand_in("nvcc", "#!/bin/bash\n")
        self.call("test", "--no-setup", CUDACXX="nvcc")
        self.assertIn("ctest --preset cuda", self.called("ctest")[0])

    def test_a_build_that_fails_runs_no_test(self):
        self.assertNotEqual(self.call("test", "--no-setup", CUDACXX="nvcc", BUILD_FAILS="1").returncode, 0)
        self.assertEqual(self.called("ctest"), [])

    def test_bad_usage_is_64(self):
        self.assert_one_line(self.call("test", "--preset", "fast"), 64, "allowed: cpu, cuda, asan")
        self.assert_one_line(self.call("test", "-x"), 64, "unknown argument")


class Matrix(Scripts):
    def matrix(self, *arguments, **environment):
        return self.call("matrix", "--no-setup", *arguments, **{"CUDACXX": "nvcc", **environment})

    def presets_tested(self):
        return [line.split("--preset ")[1].split()[0] for line in self.called("ctest")]

    def test_every_preset_is_built_and_tested_and_what_cannot_be_built_is_named(self):
        result = self.matrix()
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(self.presets_tested(), ["cpu", "asan", "ubsan", "tsan"])
        self.assertIn("cuda: NOT RUN (no nvcc", result.stdout)
        self.assertEqual(result.stdout.count(": PASS"), 4)

    def test_with_nvcc_nothing_is_left_out(self):
        self.stand_in("nvcc", "#!/bin/bash\n")
        result = self.matrix()
        self.assertEqual((result.returncode, self.presets_tested()), (0, ["cpu", "cuda", "asan", "ubsan", "tsan"]))

    def test_one_that_fails_is_named_and_the_others_are_still_run(self):
        self.stand_in("ctest", '#!/bin/bash\necho "ctest $*" >>"$CALLS"\n[[ $* != *"--preset asan"* ]] || exit 8\n')
        result = self.matrix("cpu", "asan", "tsan")
        self.assertEqual((result.returncode, self.presets_tested()), (1, ["cpu", "asan", "tsan"]))
        self.assertIn("asan: FAIL (ci/test --preset asan ended with 8)", result.stdout)
        self.assertEqual(result.stdout.count(": PASS"), 2)

    def test_a_build_that_fails_is_a_failure(self):
        self.assertEqual(self.matrix("cpu", BUILD_FAILS="1").returncode, 1)

    def test_bad_usage_is_64_and_builds_nothing(self):
        self.assert_one_line(self.matrix("fast"), 64, "allowed: --no-setup, cpu cuda asan ubsan tsan")
        self.assertEqual(self.called("cmake"), [])


class Setup(Scripts):
    """dpkg-query says what is installed; id says who asks; .venv is there and current unless a test removes it."""

    def setUp(self):
        super().setUp()
        text = (self.root / "ci" / "setup").read_text()
        self.packages = text[text.index("packages=(") + 10:].split(")")[0].split()
        self.installed(self.packages)
        (self.root / ".venv" / "bin").mkdir(parents=True)
        (self.root / ".venv" / "bin" / "python3").symlink_to(sys.executable)
        lock = (self.root / "ci" / "requirements.lock").read_bytes()
        stamp = subprocess.run(["sha256sum"], input=lock, capture_output=True, check=True).stdout
        (self.root / ".venv" / ".locked").write_bytes(stamp)
        self.stand_in("apt-get", NOTE.format("apt-get", "APT"))
        self.who(0)

    def installed(self, packages):
        lines = "".join(f"echo {package} ii\n" for package in packages)
        self.stand_in("dpkg-query", "#!/bin/bash\n" + lines)

    def who(self, user):
        self.stand_in("id", f"#!/bin/bash\necho {user}\n")

    def test_nothing_missing_is_nothing_to_do(self):
        result = self.call("setup")
        self.assertEqual((result.returncode, result.stderr), (0, "setup: nothing to do\n"))
        self.assertEqual(self.called("apt-get"), [])

    def test_without_root_or_sudo_it_prints_what_to_install_and_exits_70(self):
        self.installed(self.packages[2:])
        self.who(1000)
        self.assert_one_line(self.call("setup"), 70, "sudo apt-get install -y --no-install-recommends "
                             + " ".join(self.packages[:2]))
        self.assertEqual(self.called("apt-get"), [])

    def test_root_installs_exactly_what_is_missing(self):
        self.installed(self.packages[1:])
        result = self.call("setup")
        self.assertIn("apt-get install -y --no-install-recommends " + self.packages[0], self.called("apt-get"))
        self.assertEqual(result.returncode, 70)
        self.assertIn(f"still missing after the installation: {self.packages[0]}", result.stderr)

    def test_an_installation_that_fails_is_70(self):
        self.installed(self.packages[1:])
        self.assertEqual(self.call("setup", APT="100").returncode, 70)

    def test_a_package_that_was_removed_and_left_its_settings_is_missing(self):
        self.stand_in("dpkg-query", "#!/bin/bash\n" + "".join(f"echo {name} rc\n" for name in self.packages))
        self.who(1000)
        self.assertEqual(self.call("setup").returncode, 70)

    def test_a_browser_is_installed_only_where_it_is_asked_for_and_missing(self):
        self.call("setup")
        self.assertEqual(self.called("apt-get"), [])
        self.call("setup", "--with-browser")
        self.assertIn("apt-get install -y --no-install-recommends chromium", self.called("apt-get"))
        self.stand_in("google-chrome", "#!/bin/bash\n")
        result = self.call("setup", "--with-browser")
        self.assertEqual((result.returncode, result.stderr, self.called("apt-get")), (0, "setup: nothing to do\n", []))

    def test_a_browser_that_cannot_be_installed_is_said_and_stops_nothing(self):
        for user, apt in ((0, "100"), (1000, "0")):
            with self.subTest(user=user):
                self.who(user)
                result = self.call("setup", "--with-browser", APT=apt)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("will be Skipped", result.stderr)

    def test_a_cmake_that_is_too_old_is_70(self):
        self.assert_one_line(self.call("setup", CMAKE_VERSION="3.22.1"), 70, "cmake is 3.22.1; 3.25 or newer is needed")

    def test_a_lock_that_changed_makes_the_environment_anew(self):
        (self.root / "ci" / "requirements.lock").write_text("no-such-thing-at-all==0 --hash=sha256:" + "0" * 64 + "\n")
        self.stand_in("python3", '#!/bin/bash\n[[ $1 == -c ]] && exit 0\necho "python3 $*" >>"$CALLS"\nexit 1\n')
        result = self.call("setup")
        self.assertEqual(result.returncode, 70)
        self.assertIn(f"python3 -m venv {self.root}/.venv", self.called("python3"))


class Lint(Scripts):
    def setUp(self):
        super().setUp()
        (self.bin / "git").symlink_to(shutil.which("git"))
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)

    def test_a_clean_tree_has_no_findings_and_missing_tools_are_named(self):
        result = self.call("lint")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("NOT RUN (shellcheck is not installed)", result.stderr)

    def test_a_long_file_is_a_finding(self):
        (self.root / "long.cpp").write_text("\n" * 501)
        result = self.call("lint")
        self.assertEqual(result.returncode, 1)
        self.assertIn("long.cpp: 501 lines; at most 500", result.stderr)

    def test_python_that_does_not_compile_is_a_finding(self):
        (self.root / "bad.py").write_text("def f(:\n")
        result = self.call("lint")
        self.assertEqual(result.returncode, 1)
        self.assertIn("bad.py:1:", result.stderr)

    def test_unformatted_code_is_a_finding(self):
        (self.root / "bad.cpp").write_text("int   x ;\n")
        self.stand_in("clang-format", "#!/bin/bash\necho 'bad.cpp:1:4: error: code should be clang-formatted' >&2; exit 1\n")
        result = self.call("lint")
        self.assertEqual(result.returncode, 1)
        self.assertIn("1 bad.cpp", result.stderr)


if __name__ == "__main__":
    unittest.main()
