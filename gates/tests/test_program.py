"""Bad input, switches, interruption, runs beside each other and replay: the program from outside."""

import json
import math
import shlex
import signal
import unittest

from program import FAIL, PASS, PENDING, USAGE, Program, call, listing, processes_with, start, wait_until

ONE_GATE = ("run", "--require", "cpu", "--no-mutants", "--gate")


class BadInput(Program):
    def assert_refused(self, arguments, *parts, **changes):
        """Exit 64, nothing on stdout, and one line on stderr with every part."""
        with self.subTest(arguments):
            result = call(*arguments, **changes)
            self.assertEqual((result.returncode, result.stdout), (USAGE, ""), result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertTrue(result.stderr.startswith("seamgate: "), result.stderr)
            for part in parts:
                self.assertIn(part, result.stderr)

    def test_a_run_refuses_what_it_does_not_know_and_writes_nothing(self):
        out = ("--out", self.out)
        table = {
            ("--op", "layernorm"): ("op is 'layernorm'", "allowed: "),
            ("--op", ""): ("--op is empty", "allowed: "),
            ("--op", ","): ("op is ''", "allowed: "),
            ("--op", "rmsnorm", "--op", "layernorm"): ("op is 'layernorm'", "allowed: "),
            ("--gate", "speed"): ("gate is 'speed'", "allowed: ", "truth"),
            ("--gate", "truth,speed"): ("gate is 'speed'", "allowed: "),
            ("--gate", ""): ("--gate is empty", "allowed: "),
            ("--tier", "weekly"): ("tier is 'weekly'", "smoke, premerge, nightly"),
            ("--tier", ""): ("tier is ''", "smoke, premerge, nightly"),
            ("--require", "tpu"): ("backend is 'tpu'", "cpu, cuda"),
            ("--require", "cpu,tpu"): ("backend is 'tpu'", "cpu, cuda"),
            ("--require", "CPU"): ("backend is 'CPU'", "cpu, cuda"),
            ("--require", ""): ("--require is empty", "cpu, cuda"),
            ("--jobs", "0"): ("--jobs", "1"),
            ("--jobs", "many"): ("--jobs", "many"),
            ("--ctest",): ("--ctest", "one, by --gate"),
            ("--fast",): ("--fast",),
            ("truth",): ("truth",),
            ("--gate", "a\nb"): ("a\\x0ab", "allowed: "),
        }
        for arguments, parts in table.items():
            self.assert_refused(("run", *arguments, *out), *parts)
            self.assertFalse(self.out.exists(), "something was written")

    def test_an_odd_switch_is_refused(self):
        for op in listing()["ops"]:
            name = op["switch"]
            table = {"SPEED=0": ("SPEED=0", "allowed: NAME=VALUE", name), name: (name, "NAME=VALUE"), "": ("''", "NAME=VALUE"),
                     f"{name}=maybe": (f"{name}='maybe'", "0, false, off, no", "1, true, on, yes"), f"{name}=": (f"{name}=''", "allowed")}
            for text, parts in table.items():
                self.assert_refused(("run", "--require", "cpu", "--switch", text, "--out", self.out), *parts)
                self.assertFalse(self.out.exists())

    def test_an_output_folder_that_cannot_be_written_is_refused(self):
        (self.top / "file").write_text("kept")
        for out in (self.top / "file", self.top / "file" / "below", "/proc/seamgate", ""):
            self.assert_refused((*ONE_GATE, "environment", "--out", out), "--out", f"'{out}'", "allowed: a folder that can be made and written")
        self.assertEqual((self.top / "file").read_text(), "kept")

    def test_what_is_no_command_is_refused(self):
        self.assert_refused((), "subcommand")
        self.assert_refused(("judge",), "command is 'judge'", "allowed: check, run, plan, decide, lease, list, requirements, merge, replay")
        self.assert_refused(("list", "--yaml"), "--yaml")

    def test_a_replay_refuses_what_is_no_case(self):
        op = listing()["ops"][0]
        case = f"{op['id']}/{op['variants'][0]}/f32/3x7/normal/s7"
        table = {
            ("garbage",): ("case 'garbage'", "OP/VARIANT/DTYPE/SHAPE/DISTRIBUTION/sSEED"),
            ("",): ("case ''", "OP/VARIANT"),
            (case + "/sideways",): ("'sideways'", "allowed: a layout"),
            ("x\ny",): ("x\\x0ay",),
            (): ("CASE",),
            (case, "--gate", "speed"): ("gate is 'speed'", "allowed: "),
            (case, "--backend", "tpu"): ("backend is 'tpu'", "cpu, cuda"),
            (case, "--implementation", "mutant:nobody"): ("'mutant:nobody'", "allowed: ", "seamgate"),
        }
        for arguments, parts in table.items():
            self.assert_refused(("replay", *arguments), *parts)

    def test_a_folder_of_somebody_elses_records_is_left_alone(self):
        (self.out / "records").mkdir(parents=True)
        (self.out / "records" / "songs.txt").write_text("kept")
        call(*ONE_GATE, "environment", "--out", self.out)
        self.assertEqual((self.out / "records" / "songs.txt").read_text(), "kept")


class Listings(Program):
    def test_every_listing_is_json_too(self):
        found = listing()
        self.assertTrue(found["ops"] and found["gates"] and found["mutants"])
        rows = json.loads(call("requirements", "--json", "--out", self.out).stdout)
        self.assertFalse(rows["found"])
        self.assertEqual(len(rows["requirements"]), 50)
        ids = {gate["id"] for gate in found["gates"]}
        for row in rows["requirements"]:
            self.assertIn(row["verdict"], ("NOT RUN", "no gate yet"))
            self.assertEqual(row["verdict"] == "no gate yet", not row["gates"])
            self.assertLessEqual(set(row["gates"]), ids)
        known = {row["id"] for row in rows["requirements"]}
        for gate in found["gates"]:
            self.assertLessEqual(set(gate["rows"]), known, f"{gate['id']} answers a row that is not there")
        for mutant in found["mutants"]:
            self.assertIn(mutant["expected_gate"], ids, f"{mutant['id']} is to be caught by a gate that is not there")
            self.assertEqual(mutant["not_built"], "")

    def test_listings_and_help_exit_0(self):
        for arguments in (("list",), ("requirements", "--out", self.out), ("--help",), ("run", "--help"), ("--version",)):
            with self.subTest(arguments):
                result = call(*arguments)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertGreater(len(result.stdout), 4)


class OneGate(Program):
    def test_for_ctest_one_gate_has_an_exit_code_of_its_own(self):
        self.assertEqual(call(*ONE_GATE, "environment", "--ctest", "--out", self.out).returncode, PASS)
        self.assertEqual(self.verdicts()["environment"], "PASS")
        switch = listing()["ops"][0]["switch"]
        self.assertEqual(call(*ONE_GATE, "environment", "--ctest", "--out", self.out, **{switch: "0"}).returncode, FAIL)
        self.assertEqual(call(*ONE_GATE, "truth", "--ctest", "--out", self.out, **{switch: "0"}).returncode, 77)

    def test_for_ctest_a_gate_without_its_gpu_is_skipped_and_never_passed(self):
        code = call("run", "--require", "cuda", "--no-mutants", "--gate", "truth", "--ctest", "--out", self.out).returncode
        gate = next(gate for gate in self.summary()["gates"] if gate["id"] == "truth")
        self.assertEqual(code, {"PASS": PASS, "NOT RUN": 77}[gate["verdict"]], gate)
        if gate["verdict"] == "NOT RUN":
            self.assertRegex(gate["reason"], "no GPU|not built")

    def test_one_gate_alone_is_not_the_whole(self):
        self.assertEqual(call(*ONE_GATE, "environment", "--out", self.out).returncode, PENDING)
        self.assertEqual(self.summary()["verdict"], "PENDING")


class Switches(Program):
    def test_an_inherited_switch_fails_by_name_and_nothing_else_runs(self):
        for op in listing()["ops"]:
            for word in ("0", "1", "maybe", ""):
                with self.subTest(word):
                    result = call(*ONE_GATE, "environment,truth,boundaries", "--op", op["id"], "--out", self.out,
                                  **{op["switch"]: word})
                    self.assertEqual(result.returncode, FAIL, result.stdout)
                    verdicts = self.verdicts()
                    self.assertEqual([verdicts[gate] for gate in ("environment", "truth", "boundaries")], ["FAIL", "NOT RUN", "NOT RUN"])
                    self.assertIn(f"{op['switch']}={word}", result.stdout)
                    reasons = {gate["id"]: gate["reason"] for gate in self.summary()["gates"]}
                    self.assertIn(f"{op['switch']}={word} is inherited", reasons["truth"])

    def test_a_switch_that_is_set_on_purpose_is_no_leak_and_no_pass(self):
        op = listing()["ops"][0]
        for chosen in (f"{op['adjoint_switch']}=tensor", f"{op['switch']}=0"):
            result = call(*ONE_GATE, "environment,kill_switch,truth", "--op", op["id"], "--switch", chosen, "--out", self.out)
            self.assertEqual(result.returncode, PENDING, result.stdout)
            self.assertEqual([self.verdicts()[gate] for gate in ("environment", "kill_switch")], ["PASS", "PASS"])
        self.assertEqual(self.verdicts()["truth"], "NOT RUN")
        records = "".join(path.read_text() for path in (self.out / "records").glob("environment-*.jsonl"))
        self.assertEqual(records.count('"got":"(1,1,0,0)"'), 3, "not every ask is shown to decline")

    def test_a_chosen_switch_that_is_ignored_is_seen(self):
        mutant = next(mutant for mutant in listing()["mutants"] if mutant["id"] == "switch_ignored")
        op = next(op for op in listing()["ops"] if op["id"] == mutant["op"])
        self.out.mkdir()
        for implementation, failures in ((f"mutant:{mutant['id']}", 3), ("seamgate", 0)):
            call("gate", "--gate", "environment", "--op", op["id"], "--backend", "cpu", "--tier", "smoke", "--implementation", implementation,
                 "--run-id", "test", "--records", self.out, **{op["switch"]: "0", "SEAMGATE_CHOSEN_SWITCHES": op["switch"]})
            record = next(self.out.glob(f"environment-*{implementation.split(':')[-1]}.jsonl")).read_text()
            self.assertEqual(record.count('"passed":false'), failures, record)


class Interruption(Program):
    def running(self):
        """A premerge run that has begun to leave records of its own."""
        plan = self.out / "plan.json"
        before = plan.read_bytes() if plan.exists() else b""
        process = start("run", "--require", "cpu", "--tier", "premerge", "--out", self.out)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(wait_until(lambda: plan.exists() and plan.read_bytes() != before
                                   and any((self.out / "records").glob("*.jsonl")), 60))
        return process

    def assert_children_were_ended(self):
        """None is alive, and not because it had come to its end."""
        self.assertTrue(wait_until(lambda: not processes_with(str(self.out)), 20), processes_with(str(self.out)))
        records = [path.read_text() for path in (self.out / "records").glob("*.jsonl")]
        self.assertTrue(any('"kind":"begin"' in text and '"kind":"end"' not in text for text in records),
                        "every child was left to run to its end")

    def test_an_interrupted_run_leaves_a_report_that_says_so(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(sent):
                process = self.running()
                process.send_signal(sent)
                self.assertEqual(process.wait(60), PENDING)
                self.assertTrue(self.summary()["interrupted"])
                self.assertEqual(self.summary()["verdict"], "PENDING")
                self.assertNotIn("FAIL", self.verdicts().values())
                self.assertTrue((self.out / "report.md").exists())
                self.assert_children_were_ended()

    def test_a_killed_run_leaves_no_verdict_and_no_child(self):
        process = self.running()
        process.kill()
        process.wait(60)
        self.assert_children_were_ended()
        self.assertFalse((self.out / "summary.json").exists())
        self.assertEqual(json.loads(call("requirements", "--json", "--out", self.out).stdout)["found"], False)

    def test_a_run_never_shows_the_verdict_of_an_older_one(self):
        self.assertEqual(call(*ONE_GATE, "environment", "--out", self.out).returncode, PENDING)
        before = self.summary()["run_id"]
        (self.out / "interrupted").write_text("of an older run")
        process = self.running()
        self.assertFalse((self.out / "summary.json").exists())
        self.assertFalse((self.out / "interrupted").exists())
        process.kill()
        process.wait(60)
        self.assert_children_were_ended()
        self.assertEqual(call(*ONE_GATE, "environment", "--out", self.out).returncode, PENDING)
        self.assertNotEqual(self.summary()["run_id"], before)
        self.assertFalse(self.summary()["interrupted"])


class Beside(Program):
    def test_two_runs_at_once_into_two_folders_both_pass(self):
        folders = [self.top / "one", self.top / "two"]
        runs = [start(*ONE_GATE, "truth", "--ctest", "--out", folder) for folder in folders]
        self.assertEqual([run.wait(120) for run in runs], [PASS, PASS])
        self.assertNotEqual(self.summary(folders[0])["run_id"], self.summary(folders[1])["run_id"])
        for folder in folders:
            self.assertEqual(self.verdicts(folder)["truth"], "PASS")


class Replay(Program):
    def test_a_caught_fault_replays_with_the_same_error(self):
        """Every mutant that a number caught, from its case, as often as one likes."""
        call("run", "--require", "cpu", "--gate", "truth", "--out", self.out)
        caught = [mutant for mutant in self.summary()["mutants"] if mutant["case"]]
        self.assertTrue(caught, "no planted fault was caught by a number")
        for mutant in caught:
            line = ("replay", mutant["case"], "--gate", "truth", "--implementation", "mutant:" + mutant["id"])
            first, second = call(*line), call(*line)
            self.assertEqual(first.returncode, FAIL, first.stdout + first.stderr)
            self.assertEqual(first.stdout, second.stdout, "not the same bits")
            worst = max(float(word) for text in first.stdout.splitlines() if text.startswith("FAIL") and " error " in text
                        for word in [text.split(" error ")[1].split(",")[0].strip('"')])
            if math.isfinite(worst) and math.isfinite(float(mutant["over_bar"])):
                self.assertAlmostEqual(worst / 1e-6 / float(mutant["over_bar"]), 1.0, places=6)
            sound = call("replay", mutant["case"], "--gate", "truth")
            self.assertEqual(sound.returncode, PASS, sound.stdout + sound.stderr)

    def test_the_line_that_a_failure_printed_replays_it(self):
        switch = listing()["ops"][0]["switch"]
        screen = call(*ONE_GATE, "environment", "--out", self.out, **{switch: "0"}).stdout
        lines = [line.split("replay: ", 1)[1] for line in screen.splitlines() if "replay: " in line]
        self.assertEqual(len(lines), 1, screen)
        words = shlex.split(lines[0])
        self.assertEqual(words[0], "seamgate")
        again = call(*words[1:], **{switch: "0"})
        self.assertEqual(again.returncode, FAIL, again.stdout + again.stderr)
        self.assertIn(f"{switch}=0", again.stdout)
        self.assertEqual(call(*words[1:]).returncode, PASS)


if __name__ == "__main__":
    unittest.main()
