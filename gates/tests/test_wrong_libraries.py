"""`seamgate check` on wrong kernels and wrong seams: what their author reads on the screen."""

import unittest

from judged_library import QUICK, Check
from libraries import forward_does
from program import FAIL

# Edits of the example, and what its author has to read on the screen.
WRONG = {
    "projection": (("(double)g[n] * w.first[n] - xhat * dot", "(double)g[n] * w.first[n]"), "the projection term", "is left out"),
    "eps_outside": (("sqrt((double)(float)sum / (double)x.columns + call->eps)", "(sqrt((double)(float)sum / (double)x.columns) + call->eps)"),
                    "eps is added to the root, not under it"),
    "eps_fixed": (("(double)x.columns + call->eps)", "(double)x.columns + 1e-6)"), "eps is always 1e-06"),
    "eps_dropped": (("(double)x.columns + call->eps)", "(double)x.columns)"), "eps is left out of the root"),
    "tail": (("for (n = 0; n < x.columns; ++n) y.first", "for (n = 0; n < x.columns / 4 * 4; ++n) y.first"), "N is no multiple of 4", "a tail (D70)"),
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
    "not_wanted": (("if (dx.first != NULL) dx.first", "dx.first"), "signal 11"),
    "refuses_strided": (forward_does('if (x.stride != x.columns) return refuse(message, SEAMGATE_UNSUPPORTED, "rows are not adjacent");'),
                        "the contract says that this is served (strided)", "rows are not adjacent"),
}


# Those that a fault of a kernel shows in; the others are about the same calls again.
GATES = ("--gate", "boundaries,bounds,eps,layouts,library_served,special_values,truth")


class WrongLibraries(Check):
    def test_each_wrong_kernel_fails_with_a_screen_that_tells_why(self):
        for name, (edit, *parts) in WRONG.items():
            with self.subTest(name):
                result, summary = self.judge(self.library(f"wrong_{name}", edit), *QUICK, *GATES)
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

if __name__ == "__main__":
    unittest.main()
