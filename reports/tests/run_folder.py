"""Builds the folder of a run by hand, whole and passing, for a test to spoil."""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from pathlib import Path

REPORTS = Path(__file__).resolve().parent.parent
if str(REPORTS) not in sys.path:
    sys.path.insert(0, str(REPORTS))

RUN_ID = "00c0ffee"
CASE = "rmsnorm/torch/f32/64x4096/eps-dominated/s{}"


def planned_gate(gate, question, backend="cpu", rows=(), **changes):
    return {"id": gate, "title": f"the title of {gate}", "question": question, "rows": list(rows), "op": "rmsnorm",
            "backend": backend, "applies": True, "reason": "", "required": True, "planned_cases": None, **changes}


class Child:
    """One record file: `lines` may be changed freely before the run is written."""

    def __init__(self, gate, backend="cpu", implementation="seamgate", run_id=RUN_ID):
        self.names = {"run_id": run_id, "gate": gate, "op": "rmsnorm", "backend": backend,
                      "implementation": implementation}
        self.lines = [self.line("begin")]

    def line(self, kind, **fields):
        return {"kind": kind, **self.names, **fields}

    def add(self, kind, **fields):
        self.lines.append(self.line(kind, **fields))
        return self

    def case(self, seed=1, tensor="dx", error=1e-7, bar=1e-6, passed=None, **fields):
        passed = error is not None and error <= bar if passed is None else passed
        return self.add("case", case=CASE.format(seed), tensor=tensor, error=error, bar=bar, passed=passed, **fields)

    def check(self, name="C == (1,0,1,0)", passed=True, **fields):
        return self.add("check", name=name, passed=passed, got="(1,0,1,0)", want="(1,0,1,0)", **fields)

    def end(self, **changes):
        cases = [line for line in self.lines if line["kind"] == "case"]
        checks = [line for line in self.lines if line["kind"] == "check"]
        failed = [line for line in cases + checks if not line["passed"]]
        return self.add("end", **{"cases": len(cases), "checks": len(checks), "failed": len(failed), "seconds": 0.25,
                                  "path": "shipped", **changes})


class RunFolder:
    """A passing run: gates counters, leaf, truth, kill_switch on the CPU, and one planted fault that truth catches."""

    def __init__(self, folder, run_id=RUN_ID, backend="cpu"):
        self.folder = Path(folder)
        self.backend = backend
        gpu = {"gpu": "H200", "gpu_uuid": "GPU-0b5c"} if backend == "cuda" else {}
        self.plan = {
            "schema": 1, "run_id": run_id, "command": f"seamgate run --require {backend} --tier smoke --out out",
            "tier": "smoke", "required_backends": [backend], "ops": ["rmsnorm"],
            "gates": [planned_gate("counters", "ran", backend, ["A9"]), planned_gate("leaf", "trains", backend, ["A5"]),
                      planned_gate("truth", "right", backend, ["A1", "A11"], planned_cases=2),
                      planned_gate("kill_switch", "off", backend, ["A7"])],
            "mutants": [{"id": "eps_dropped", "op": "rmsnorm", "title": "eps dropped", "defect": "eps is not added",
                         "expected_gate": "truth"}],
            "rows": [{"id": "A1", "title": "two parents and an analytic backward", "gates": ["truth"]},
                     {"id": "A5", "title": "a result wrapped back as a leaf is caught", "gates": ["leaf"]},
                     {"id": "A7", "title": "kill switch", "gates": ["kill_switch"]},
                     {"id": "A9", "title": "one ask per module forward", "gates": ["counters"]},
                     {"id": "A11", "title": "node against tensor path", "gates": ["truth"]},
                     {"id": "B25", "title": "large indices", "gates": []}],
            "provenance": {"version": "0.1.0", "commit": "74e4202", "dirty": False, "machine": "a test", **gpu},
        }
        self.children = {
            "counters": Child("counters", backend, run_id=run_id).check(counters={
                "asked": 512, "declined": 0, "node": 512, "bare": 0, "backward": 512, "witness_forward": 512,
                "witness_backward": 512}).end(),
            "leaf": Child("leaf", backend, run_id=run_id).check("x has a gradient").end(),
            "truth": Child("truth", backend, run_id=run_id).case(1, tensor_path_error=1.4e-7, moved="-").case(2).end(),
            "kill_switch": Child("kill_switch", backend, run_id=run_id).check("C == (1,1,0,0)").end(),
            "truth-eps_dropped": Child("truth", backend, "mutant:eps_dropped", run_id).case(1, error=0.4).case(2).end(),
        }

    def gate(self, name):
        return next(gate for gate in self.plan["gates"] if gate["id"] == name)

    def mutant(self):
        return self.children["truth-eps_dropped"]

    def record_path(self, name):
        return self.folder / "records" / f"{name}.jsonl"

    def write(self):
        (self.folder / "records").mkdir(parents=True, exist_ok=True)
        (self.folder / "plan.json").write_text(json.dumps(self.plan))
        for name, child in self.children.items():
            self.record_path(name).write_text("".join(json.dumps(line) + "\n" for line in child.lines))
        return self.folder


class RunTest(unittest.TestCase):
    """A test with a passing run in a temporary folder, not yet written."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.top = Path(temporary.name)
        self.run_ = RunFolder(self.top / "out")

    def decide(self, run=None):
        from seamgate_report.decision import decide_folder

        return decide_folder((run or self.run_).write())

    def assert_verdict(self, verdict, decision=None, gate=None, reason=""):
        """The whole is `verdict`; with `gate`, that gate's reason holds `reason`."""
        decision = decision or self.decide()
        told = [f"{item.key}: {item.verdict} {item.reason}" for item in decision.gates] + decision.problems
        self.assertEqual(decision.verdict, verdict, "\n".join(told))
        if gate:
            found = next(item for item in decision.gates if item.id == gate)
            self.assertIn(reason, found.reason)
        elif reason:
            self.assertIn(reason, "\n".join(told + decision.shortfalls))
        return decision
