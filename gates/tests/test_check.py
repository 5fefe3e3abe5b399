"""`seamgate check`: libraries that cannot be judged, and right ones."""

import unittest

from judged_library import QUICK, Check
from libraries import ROOT, compile_text, including, source
from program import FAIL, PASS, USAGE, call


class BadLibraries(Check):
    def refused(self, library, *parts, arguments=("--op", "rmsnorm")):
        with self.subTest(str(library)):
            result = call("check", library, *arguments, "--out", self.out)
            self.assertEqual((result.returncode, result.stdout), (USAGE, ""), result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            for part in parts:
                self.assertIn(part, result.stderr)
            self.assertFalse(self.out.exists(), "something was written")

    def test_what_is_no_library_is_refused_in_one_line(self):
        text = self.libraries / "text.so"
        text.write_text("not an ELF file\n")
        self.refused(self.libraries / "missing.so", "missing.so", "no such file")
        self.refused(text, "text.so", "cannot be loaded")
        self.refused(self.libraries, "cannot be loaded")
        self.refused(compile_text(self.libraries, "nothing", "int nothing_of_the_kind;\n"), "does not export seamgate_kernel", "seamgate/kernel.h")
        self.refused(compile_text(self.libraries, "unresolved", source() + "\nvoid nobody_has_this(void);\n"
                                  "__attribute__((constructor)) static void start(void) { nobody_has_this(); }\n"), "nobody_has_this")

    def test_loading_may_crash_or_end_the_process(self):
        for name, statement in {"crashes": "raise(SIGSEGV);", "exits": "exit(0);", "throws_away": "raise(9);"}.items():
            text = source("rmsnorm.c", including("stdlib.h", "signal.h"))
            text += f"\n__attribute__((constructor)) static void start(void) {{ {statement} }}\n"
            self.refused(compile_text(self.libraries, name, text), "loading it ended the process")

    def test_a_library_of_another_version_is_refused(self):
        version = ("{SEAMGATE_ABI_VERSION, sizeof", "{99, sizeof")
        self.refused(self.library("version", version), "abi_version is 99", "reads 1")
        size = ("sizeof(seamgate_kernel_info), ", "sizeof(seamgate_kernel_info) - 8, ")
        self.refused(self.library("size", size), "kernel_bytes", "another seamgate/kernel.h")
        null = ("{ return &library; }", "{ return NULL; }")
        self.refused(self.library("null", null), "returned null")
        none = ('kernels, 1};', 'kernels, 0};')
        self.refused(self.library("none", none), "describes 0 kernels")

    def test_a_contract_that_contradicts_itself_is_refused(self):
        served = "static const seamgate_dtypes f32[] = {{{SEAMGATE_F32, SEAMGATE_F32}, SEAMGATE_F32}};"
        table = {
            "no_repeats": ((".repeats = SEAMGATE_REPEATS_LAYOUTS,", ""), "repeats is 0", "SEAMGATE_REPEATS_ROWS"),
            "no_columns": ((".max_columns = 1 << 20,", ""), "max_columns is 0", "1 or more"),
            "no_backward": ((".backward = backward,", ""), "backward is null"),
            "no_machine": ((".machine = SEAMGATE_CPU,", ""), "machine is 0", "SEAMGATE_CUDA"),
            "odd_output": ((served, served.replace("}, SEAMGATE_F32}}", "}, SEAMGATE_BF16}}")), "gives bf16", "the variant gives f32"),
            "odd_dtype": ((served, served.replace("{{{SEAMGATE_F32,", "{{{7,")), "dtype 7", "SEAMGATE_F32, SEAMGATE_BF16, SEAMGATE_F16"),
            "odd_variant": (('{"llama", f32, 1}', '{"lama", f32, 1}'), "variant 'lama'", "llama"),
            "twice": (('{"llama", f32, 1}', '{"torch", f32, 1}'), "'torch' is stated twice"),
            "alignment": ((".strided_rows = 1,", ".strided_rows = 1, .alignment = 12,"), "alignment is 12", "a power of two"),
            "ranks": ((".strided_rows = 1,", ".strided_rows = 1, .least_rank = 3, .most_rank = 2,"), "least_rank is 3 and most_rank is 2"),
            "bar": ((".strided_rows = 1,", ".strided_rows = 1, .bar = 0.5,"), "bar is 0.5", "1e-6 to 1e-2"),
            "saved": ((".saved_count = 1}", ".saved_count = 9}"), "saved_count is 9"),
            "outputs": ((".saved_count = 1}", ".saved_count = 1, .outputs_for_backward = 2}"), "outputs_for_backward"),
        }
        for name, (edit, *parts) in table.items():
            self.refused(self.library(name, edit), f"lib{name}.so", "kernel 'plain'", *parts)

    def test_an_odd_question_is_refused(self):
        library = self.library("right")
        self.refused(library, "op is 'layernorm'", "rmsnorm", arguments=("--op", "layernorm"))
        self.refused(library, "no kernel for --op swiglu", "rmsnorm 'plain' (cpu)", arguments=("--op", "swiglu"))
        self.refused(library, "--variant is 'gemma'", "torch, llama", arguments=("--op", "rmsnorm", "--variant", "gemma"))
        self.refused(library, "--backend cuda", "'plain' (cpu)", arguments=("--op", "rmsnorm", "--backend", "cuda"))
        self.refused(library, "--kernel fast", "'plain' (cpu)", arguments=("--op", "rmsnorm", "--kernel", "fast"))
        self.refused(library, "gate is 'speed'", arguments=("--op", "rmsnorm", "--gate", "speed"))


class RightLibraries(Check):
    def test_the_example_passes_and_its_screen_speaks_its_names(self):
        library = self.library("right")
        result, summary = self.judge(library, "--op", "rmsnorm")
        self.assertEqual(result.returncode, PASS, result.stdout)
        self.assertEqual(summary["verdict"], "PASS")
        for part in (f"{library}: plain of example 1.0", "contiguous", "strided", "11 of 11 planted faults caught", "CAN IT BE OFF?",
                     "the library has no seam of its own"):
            self.assertIn(part, " ".join(result.stdout.split()))

    def test_a_narrow_contract_is_not_asked_for_more(self):
        text = (ROOT / "gates" / "plugin" / "tests" / "swiglu_bf16.c").read_text()
        library = compile_text(self.libraries, "narrow", text)
        for op in ("swiglu", "rmsnorm"):
            with self.subTest(op):
                result, summary = self.judge(library, "--op", op)
                self.assertEqual((result.returncode, summary["verdict"]), (PASS, "PASS"), result.stdout)
                for word in ("strided", "offset 1"):
                    self.assertNotIn(f"  {word} ", result.stdout)

    def test_one_variant_alone(self):
        result, summary = self.judge(self.library("right"), *QUICK, "--variant", "llama", "--gate", "truth,fixtures,trainer,variants")
        self.assertEqual([gate["verdict"] for gate in summary["gates"] if gate["id"] == "truth"], ["PASS"], result.stdout)
        self.assertEqual(summary["counts"]["failed"], 0, result.stdout)

    def test_a_seam_of_its_own_passes(self):
        result, summary = self.judge(self.library("seam", of="rmsnorm_seam.c"))
        verdicts = {gate["id"]: gate["verdict"] for gate in summary["gates"]}
        for gate in ("own_seam_asks", "own_seam_trains", "own_seam_switch"):
            self.assertEqual(verdicts[gate], "PASS", result.stdout)
        self.assertEqual(summary["counts"]["failed"], 0, result.stdout)

    def test_what_is_replayed_is_the_library(self):
        library = self.library("projection", ("(double)g[n] * w.first[n] - xhat * dot", "(double)g[n] * w.first[n]"))
        result, _ = self.judge(library)
        line = next(line for line in result.stdout.splitlines() if line.strip().startswith("replay: "))
        again = call(*line.split()[2:])
        self.assertEqual(again.returncode, FAIL, again.stdout)
        self.assertIn("FAIL", again.stdout)

if __name__ == "__main__":
    unittest.main()
