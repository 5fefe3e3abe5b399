"""`seamgate check` on libraries that do what nobody asked for: each costs its own verdict, and nothing else."""

import json
import os
import unittest

from judged_library import QUICK, Check
from libraries import forward_does, including
from program import FAIL

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
                result, summary = self.judge(self.stranger(name, statement), *QUICK, "--gate", "truth,library_served,bounds")
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
