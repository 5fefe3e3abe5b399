"""A run in parts: planned, joined by gates in processes of their own, decided as one."""

import json
import unittest

from program import FAIL, PASS, PENDING, USAGE, Program, call, listing, start

SKIPPED = 77
OP = listing()["ops"][0]


class Join(Program):
    def plan(self, *arguments, require="cpu"):
        result = call("plan", "--require", require, "--op", OP["id"], "--out", self.out, *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads((self.out / "plan.json").read_text())

    def joining(self, gate, *arguments, require="cpu"):
        return ("run", "--gate", gate, "--op", OP["id"], "--require", require, "--no-mutants", "--ctest", *arguments)

    def join(self, gate, *arguments, require="cpu", **changes):
        return call(*self.joining(gate, *arguments, require=require), SEAMGATE_RUN=str(self.out), **changes)

    def decide(self):
        return call("decide", self.out)

    def gate(self, name):
        return next(gate for gate in self.summary()["gates"] if gate["id"] == name)


class OneReport(Join):
    def test_a_plan_runs_nothing_and_what_left_no_record_did_not_run(self):
        plan = self.plan()
        self.assertEqual(list((self.out / "records").iterdir()), [])
        self.assertEqual(self.decide().returncode, PENDING)
        self.assertEqual({gate["verdict"] for gate in self.summary()["gates"]}, {"NOT RUN", "NOT APPLICABLE"})
        self.assertEqual(self.summary()["run_id"], plan["run_id"])

    def test_gates_that_join_are_one_run_at_its_tier(self):
        plan = self.plan("--tier", "premerge")
        for gate in ("environment", "graph"):
            result = self.join(gate)
            self.assertEqual(result.returncode, PASS, result.stdout + result.stderr)
            self.assertIn("PASS", result.stdout)
        self.assertFalse((self.out / "summary.json").exists(), "a gate wrote the report of the whole")
        result = self.decide()
        self.assertEqual(result.returncode, PENDING)
        self.assertIn("tier premerge", result.stdout)
        self.assertEqual(self.gate("graph")["verdict"], "PASS")
        self.assertEqual(self.gate("truth")["reason"], "planned, left no record")
        planned = next(gate["planned_cases"] for gate in plan["gates"] if gate["id"] == "graph")
        self.assertEqual(self.gate("graph")["cases"], planned)

    def test_the_planted_faults_of_a_run_on_a_gpu_are_held_against_the_host(self):
        plan = self.plan("--gate", "truth,mutants", require="cuda")
        self.assertEqual([gate["backend"] for gate in plan["gates"] if gate["required"]], ["cuda"])
        self.assertEqual([gate["backend"] for gate in plan["gates"] if not gate["required"]], ["cpu"])
        result = call("run", "--gate", "mutants", "--op", OP["id"], "--require", "cpu", "--ctest", SEAMGATE_RUN=str(self.out))
        self.assertEqual(result.returncode, USAGE)  # it was planned with one gate, and would run them all
        plan = self.plan(require="cuda")
        result = call("run", "--gate", "mutants", "--op", OP["id"], "--require", "cpu", "--ctest", SEAMGATE_RUN=str(self.out))
        self.assertEqual(result.returncode, PASS, result.stdout + result.stderr)
        self.decide()
        self.assertEqual(self.gate("mutants")["verdict"], "PASS")
        self.assertEqual({mutant["verdict"] for mutant in self.summary()["mutants"]}, {"caught"})

    def test_a_run_in_parts_is_merged_with_another(self):
        self.plan("--gate", "environment", require="cuda")
        self.join("environment", require="cuda")
        self.decide()
        other = self.top / "cpu"
        call("run", "--require", "cpu", "--no-mutants", "--op", OP["id"], "--gate", "environment", "--out", other)
        result = call("merge", other, self.out, "--out", self.top / "both")
        self.assertEqual(result.returncode, PENDING, result.stderr)
        merged = {(gate["id"], gate["backend"]): gate["verdict"] for gate in self.summary(self.top / "both")["gates"]}
        self.assertEqual(merged["environment", "cpu"], "PASS")
        self.assertEqual(merged["environment", "cuda"], self.gate("environment")["verdict"])


class Switches(Join):
    def test_an_inherited_switch_fails_by_name_and_nothing_else_runs(self):
        self.plan()
        leak = {OP["switch"]: "0"}
        self.assertEqual(self.join("environment", **leak).returncode, FAIL)
        result = self.join("truth", **leak)
        self.assertEqual(result.returncode, SKIPPED)
        self.assertIn(f"environment: {OP['switch']}=0 is inherited", " ".join(result.stdout.split()))
        result = self.decide()
        self.assertEqual(result.returncode, FAIL)
        self.assertEqual(self.gate("environment")["verdict"], "FAIL")
        self.assertEqual(self.gate("truth")["verdict"], "NOT RUN")

    def test_a_switch_of_the_plan_is_known_to_every_gate(self):
        self.plan("--switch", f"{OP['switch']}=0")
        self.assertEqual(self.join("environment").returncode, PASS)
        result = self.join("truth")
        self.assertEqual(result.returncode, SKIPPED)
        self.assertIn(f"switched by --switch {OP['switch']}=0", result.stdout)


class Twice(Join):
    def assert_one_record(self, gate):
        records = list((self.out / "records").glob(f"{gate}-*.jsonl"))
        self.assertEqual(len(records), 1)
        self.assertEqual(records[0].read_text().count('"kind":"begin"'), 1)

    def test_a_gate_that_comes_again_is_refused(self):
        self.plan()
        self.assertEqual(self.join("environment", **{OP["switch"]: "0"}).returncode, FAIL)
        again = self.join("environment")
        self.assertEqual((again.returncode, again.stdout), (USAGE, ""))
        self.assertIn("has joined it already", again.stderr)
        self.assert_one_record("environment")
        self.assertEqual(self.decide().returncode, FAIL, "a rerun has replaced a failure")

    def test_of_two_at_once_one_runs(self):
        self.plan()
        pair = [start(*self.joining("truth"), SEAMGATE_RUN=str(self.out)) for _ in range(2)]
        self.assertEqual(sorted(process.wait(120) for process in pair), [PASS, USAGE])
        self.assert_one_record("truth")
        self.decide()
        self.assertEqual(self.gate("truth")["verdict"], "PASS")


class Refusals(Join):
    def assert_refused(self, result, *parts):
        self.assertEqual((result.returncode, result.stdout), (USAGE, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for part in ("SEAMGATE_RUN is '", *parts):
            self.assertIn(part, result.stderr)
        self.assertEqual(list((self.out / "records").glob("*.jsonl")), [], "something was written")

    def test_what_is_not_in_the_plan(self):
        self.plan("--gate", "environment")
        self.assert_refused(self.join("truth"), "gate truth-", "is not in its plan")
        self.assert_refused(self.join("environment", require="cuda"), "-cuda is not in its plan")

    def test_a_plan_of_another_program_or_of_other_sources(self):
        for fact in ("binary_sha256", "source_sha256"):
            plan = self.plan()
            plan["provenance"][fact] = "5e"
            (self.out / "plan.json").write_text(json.dumps(plan))
            self.assert_refused(self.join("environment"), "another program", f"{fact} '5e'")

    def test_another_tier_a_switch_or_a_whole_run(self):
        self.plan()
        self.assert_refused(self.join("environment", "--tier", "nightly"), "its tier is smoke")
        self.assert_refused(self.join("environment", "--switch", f"{OP['switch']}=0"), "--switch")
        self.assert_refused(call("run", "--require", "cpu", SEAMGATE_RUN=str(self.out)), "--ctest")

    def test_no_plan_and_a_run_that_was_decided(self):
        self.assert_refused(self.join("environment"), "no plan.json")
        self.plan()
        (self.out / "plan.json").write_text("{")
        self.assert_refused(self.join("environment"), "no plan.json")
        self.plan()
        self.decide()
        self.assert_refused(self.join("environment"), "decided already")


if __name__ == "__main__":
    unittest.main()
