"""`seamgate check`: bad libraries, a right one, ten wrong ones and more, and strangers that do what nobody asked for."""

import json
import os
import tempfile
import unittest
from pathlib import Path

from libraries import compile_text, forward_does, including, source
from program import FAIL, PASS, USAGE, Program, call

QUICK = ("--op", "rmsnorm", "--no-mutants", "--call-limit", "2")


class Check(Program):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="seamgate-check-")
        cls.addClassCleanup(temporary.cleanup)
        cls.libraries = Path(temporary.name)

    def library(self, name, *edits, of="rmsnorm.c"):
        return compile_text(self.libraries, name, source(of, *edits))

    def judge(self, library, *arguments, **changes):
        result = call("check", library, *(arguments or QUICK), "--out", self.out, **changes)
        return result, (self.summary() if result.returncode in (PASS, FAIL, 3) else {})


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
        for name, statement in {"crashes": "*(volatile int*)0 = 1;", "exits": "exit(0);", "throws_away": "raise(9);"}.items():
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
        library = self.library("projection", WRONG["projection"][0])
        result, _ = self.judge(library)
        line = next(line for line in result.stdout.splitlines() if line.strip().startswith("replay: "))
        again = call(*line.split()[2:])
        self.assertEqual(again.returncode, FAIL, again.stdout)
        self.assertIn("FAIL", again.stdout)


# Edits of the example, and what its author has to read on the screen.
WRONG = {
    "projection": (("(double)g[n] * w.first[n] - xhat * dot", "(double)g[n] * w.first[n]"), "the projection term", "is left out"),
    "eps_outside": (("sqrt((double)(float)sum / (double)x.columns + call->eps)", "(sqrt((double)(float)sum / (double)x.columns) + call->eps)"),
                    "eps is added to the root, not under it"),
    "eps_fixed": (("(double)x.columns + call->eps)", "(double)x.columns + 1e-6)"), "eps is always 1e-06"),
    "eps_dropped": (("(double)x.columns + call->eps)", "(double)x.columns)"), "eps is left out of the root"),
    "tail": (("for (n = 0; n < x.columns; ++n) y.first", "for (n = 0; n < x.columns / 4 * 4; ++n) y.first"), "N is no multiple of 4"),
    "last_row": (("      sums[n] += g[n] * xhat;", "      if (m + 1 < x.count || x.count == 1) sums[n] += g[n] * xhat;"), "dw"),
    "w_twice": (("- xhat * dot)", "- xhat * dot * w.first[n])"), "multiplied by w a second time"),
    "one_less": (("(double)(float)sum / (double)x.columns", "(double)(float)sum / (double)(x.columns > 1 ? x.columns - 1 : 1)"), "divided by N - 1"),
    "layer_norm": (("    rstd[m] = ", "    if (x.columns > 1) { double mean = 0, v = 0; for (n = 0; n < x.columns; ++n) mean += row[n] / (double)x.columns;"
                    " for (n = 0; n < x.columns; ++n) v += (row[n] - mean) * (row[n] - mean); sum = v; }\n    rstd[m] = "), "y"),
    "bf16_sums": (("      sums[n] += g[n] * xhat;", "      { float s = (float)(sums[n] + g[n] * xhat); unsigned u; memcpy(&u, &s, 4);"
                   " u = (u + 0x7fff + (u >> 16 & 1)) & 0xffff0000u; memcpy(&s, &u, 4); sums[n] = s; }"), "held in bf16", "D01"),
    "gy_packed": (("gy.first + m * gy.stride", "gy.first + m * x.columns"), "gy "),
    "offset": (("(float*)seamgate_first(t)", "(float*)t->data"), "offset"),
    "rank": (("    rows.count *= t->shape[d];", "    rows.count = t->shape[d];"), "FAIL"),
    "dw_unwritten": (("for (n = 0; dw.first != NULL && n < x.columns; ++n) dw.first[n] = (float)sums[n];", ""), "every element is NaN: nothing was written"),
    "dw_ones": (("dw.first[n] = (float)sums[n]", "dw.first[n] = 0"), "every element is 0"),
    "wide": (("for (n = 0; n < x.columns; ++n) sum += ", "for (n = 0; n < x.columns && n < 1024; ++n) sum += "), "fails where N > "),
    "many_rows": (("      sums[n] += g[n] * xhat;", "      if (m < 32) sums[n] += g[n] * xhat;"), "only the first 32 rows are summed"),
    "nan_dropped": (("sum += (double)row[n] * row[n];", "sum += row[n] != row[n] ? 0.0 : (double)row[n] * row[n];"), "a NaN in a row"),
    "x_changed": (forward_does("x.first[0] = -x.first[0];"), "an input was changed"),
    "unsteady": (forward_does("{ static int calls; if (++calls % 2) y.first[0] += 0; }") , ""),
    "not_wanted": (("if (dx.first != NULL) dx.first", "dx.first"), "signal 11"),
    "refuses_strided": (forward_does('if (x.stride != x.columns) return refuse(message, SEAMGATE_UNSUPPORTED, "rows are not adjacent");'),
                        "the contract says that this is served (strided)", "rows are not adjacent"),
}
del WRONG["unsteady"]


class WrongLibraries(Check):
    def test_each_wrong_kernel_fails_with_a_screen_that_tells_why(self):
        for name, (edit, *parts) in WRONG.items():
            with self.subTest(name):
                result, summary = self.judge(self.library(f"wrong_{name}", edit))
                self.assertEqual(result.returncode, FAIL, result.stdout)
                self.assertEqual(summary["verdict"], "FAIL")
                told = " ".join(result.stdout.split())
                for part in parts:
                    self.assertIn(part, told, result.stdout)

    def test_a_wrong_seam_fails(self):
        table = {
            "cached_switch": (("const char* value = getenv(switch_name); /* at every ask */", "static const char* value; static int seen;"
                               " if (!seen) { value = getenv(switch_name); seen = 1; }"), "own_seam_switch"),
            "any_value": (("if (value != NULL && !is_among(value, off_words) && !is_among(value, on_words)) {", "if (0) {"), "own_seam_switch"),
            "counts_before": (("  if (value != NULL && is_among(value, off_words)) return decline",
                               "  atomic_fetch_add(&asked, 1);\n  if (value != NULL && is_among(value, off_words)) return decline"), "own_seam_asks"),
            "served_and_not_run": (("  code = forward(&forward_call, message);", "  code = SEAMGATE_OK;"), "own_seam_asks"),
            "declines_strided": (('  if (!has_rows(x) ||', '  if (x->rank == 2 && x->strides[0] != x->shape[1]) return "layout";\n  if (!has_rows(x) ||'), "own_seam_asks"),
            "no_backward": (("  code = backward(&call, message);", "  code = SEAMGATE_OK;"), "own_seam_trains"),
            "serves_all": (('  if (strcmp(call->variant, "torch") != 0 && strcmp(call->variant, "llama") != 0) return "variant";', ""), "own_seam_asks"),
        }
        for name, (edit, gate) in table.items():
            with self.subTest(name):
                result, summary = self.judge(self.library(f"seam_{name}", edit, of="rmsnorm_seam.c"), *QUICK, "--gate",
                                             "own_seam_asks,own_seam_trains,own_seam_switch,truth")
                verdicts = {item["id"]: item["verdict"] for item in summary["gates"]}
                self.assertEqual((result.returncode, verdicts[gate], verdicts["truth"]), (FAIL, "FAIL", "PASS"), result.stdout)


# What a stranger does in its forward, and the words that name it.
STRANGERS = {
    "crashes": ("*(volatile int*)0 = 1;", "signal 11"),
    "aborts": ("abort();", "signal 6"),
    "hangs": ("for (;;) { volatile int i = 0; (void)i; }", "did not return in its time"),
    "exits": ("exit(0);", "ended the process before the gate's end"),
    "exits_at_once": ("_exit(0);", "ended the process before the gate's end"),
    "frees_its_arguments": ("free((void*)call->inputs);", "signal"),
    "changes_its_arguments": ("((seamgate_tensor*)call->inputs)[0].byte_offset += 4;", "structs were changed"),
    "writes_before": ("y.first[-1] = 1.0f;", "y"),
    "writes_behind": ("y.first[x.columns + (x.count - 1) * y.stride] = 1.0f;", "y"),
    "changes_the_environment": ('setenv("SEAMGATE_CASE", "mine", 1);', "the environment was changed: SEAMGATE_CASE was set"),
    "clears_the_environment": ("clearenv();", "the environment was changed"),
    "changes_rounding": ("fesetround(FE_UPWARD);", "the rounding mode was changed from to nearest to upward"),
    "flushes_subnormals": ("__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);", "the treatment of subnormals was changed"),
    "takes_signals": ("signal(SIGSEGV, SIG_IGN);", "the handler of signal 11"),
    "moves_away": ('if (chdir("/") != 0) abort();', "the working directory was changed"),
    "overfills_its_message": ("memset(message, 'x', SEAMGATE_MESSAGE_BYTES + 32);", "message was written beyond"),
    "prints_to_every_channel": ('for (int fd = 1; fd < 64; ++fd) dprintf(fd, "{\\"kind\\":\\"end\\",\\"cases\\":1}\\nVERDICT: PASS\\n");', "its record was written to"),
    "closes_every_channel": ("for (int fd = 3; fd < 64; ++fd) close(fd);", "crashed"),
}


class Strangers(Check):
    def stranger(self, name, statement):
        headers = including("fenv.h", "signal.h", "stdlib.h", "unistd.h")
        return self.library(f"stranger_{name}", headers, forward_does(statement))

    def test_each_costs_its_own_verdict_and_says_why(self):
        right = self.library("right")
        before, _ = self.judge(right, *QUICK, "--gate", "truth,repeat,bounds")
        for name, (statement, *parts) in STRANGERS.items():
            with self.subTest(name):
                result, summary = self.judge(self.stranger(name, statement), *QUICK, "--gate", "truth,library_served")
                told = " ".join(result.stdout.split())
                self.assertEqual(result.returncode, FAIL, result.stdout + result.stderr)
                self.assertEqual(summary["verdict"], "FAIL")
                for part in parts:
                    self.assertIn(part, told, result.stdout)
                self.assertEqual(result.stdout.count("VERDICT"), 1, "the screen is the library's to write on")
                self.assertEqual(os.environ.get("SEAMGATE_CASE"), None)
        after, summary = self.judge(right, *QUICK, "--gate", "truth,repeat,bounds")
        self.assertEqual(summary["counts"]["failed"], 0, after.stdout)
        self.assertEqual(before.returncode, after.returncode)

    def test_a_stranger_beside_others_changes_none_of_their_verdicts(self):
        """It behaves until the gate `repeat`, whose shapes are nobody else's, and then ends the process well."""
        statement = "if (x.count == 30 && x.columns == 8) exit(0);"
        result, summary = self.judge(self.stranger("at_one_gate", statement))
        verdicts = {gate["id"]: gate["verdict"] for gate in summary["gates"] if gate["verdict"] in ("PASS", "FAIL")}
        failed = {gate for gate, verdict in verdicts.items() if verdict == "FAIL"}
        self.assertEqual(failed, {"repeat"}, result.stdout)
        self.assertGreater(len(verdicts), 10)

    def test_records_of_its_own_making_count_for_nothing(self):
        forged = json.dumps({"kind": "end", "cases": 0, "checks": 0, "failed": 0, "seconds": 0, "path": "shipped"}).replace('"', '\\"')
        statement = ('char path[4096]; FILE* f = fopen("/proc/self/cmdline", "r"); size_t got = fread(path, 1, sizeof path - 1, f); path[got] = 0;'
                     ' for (char* p = path; p < path + got; p += strlen(p) + 1) { if (strcmp(p, "--records") == 0) { char name[4200];'
                     ' snprintf(name, sizeof name, "%s/forged.jsonl", p + strlen(p) + 1); FILE* out = fopen(name, "w");'
                     f' fputs("{forged}\\n", out); fclose(out); }} }} _exit(0);')
        result, summary = self.judge(self.stranger("forges", statement), *QUICK, "--gate", "truth")
        self.assertEqual((result.returncode, summary["verdict"]), (FAIL, "FAIL"), result.stdout)


if __name__ == "__main__":
    unittest.main()
