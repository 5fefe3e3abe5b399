"""The verdict on the whole: gates, planted faults and requirement rows of one run, joined into one answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from .judge import LEFT_NO_RECORD, judge_gate
from .mutants import judge_mutant, mutants_gate
from .outcome import BROKEN, EXIT_CODES, FAIL, NO_GATE, NOT_APPLICABLE, NOT_RUN, PASS, PENDING
from .plan import MUTANTS_GATE, Library, load_plan
from .records import load_records


@dataclass
class RowResult:
    id: str
    title: str
    gates: list
    verdict: str


@dataclass
class Decision:
    run_id: str
    command: str
    tier: str
    required_backends: list
    ops: list
    gates: list
    mutants: list
    rows: list
    provenance: dict
    interrupted: bool = False
    problems: list = field(default_factory=list)  # contradictions: the whole is BROKEN
    shortfalls: list = field(default_factory=list)  # what keeps the whole from PASS beside gates that did not run
    library: Library | None = None

    def with_verdict(self, *verdicts):
        return [gate for gate in self.gates if gate.verdict in verdicts]

    @property
    def required(self):
        return [gate for gate in self.gates if gate.required]

    @property
    def verdict(self):
        """FAIL also for a gate that was not required: it ran and it failed, and nobody may read PASS above it."""
        if self.problems:
            return BROKEN
        if self.with_verdict(FAIL):
            return FAIL
        if self.interrupted or self.shortfalls or any(gate.verdict != PASS for gate in self.required):
            return PENDING
        return PASS

    @property
    def exit_code(self):
        return EXIT_CODES[self.verdict]


def judge_rows(rows, gates):
    """FAIL if one of a row's gates failed; PASS if all of them passed wherever they are required; else NOT RUN."""
    results = []
    for row in rows:
        mine = [gate for gate in gates if gate.id in row.gates and gate.verdict != NOT_APPLICABLE]
        required = [gate for gate in mine if gate.required]
        unplanned = set(row.gates) - {gate.id for gate in gates}
        if not row.gates:
            verdict = NO_GATE
        elif any(gate.verdict == FAIL for gate in mine):
            verdict = FAIL
        elif required and not unplanned and all(gate.verdict == PASS for gate in required):
            verdict = PASS
        else:
            verdict = NOT_RUN
        results.append(RowResult(row.id, row.title, list(row.gates), verdict))
    return results


def _find_problems(plan, records):
    """What the records say against the plan or against themselves. What a library has done to a record is that gate's failure."""
    if plan.library:
        return []
    planned = {gate.key: gate for gate in plan.gates}
    mutants = {mutant.id for mutant in plan.mutants}
    problems, seen = [], {}
    for record in records:
        problems += record.problems
        if not record.gate:
            continue
        if record.key not in planned:
            problems.append(f"{record.name}: gate '{record.key}' was not planned")
        elif not planned[record.key].applies:
            problems.append(f"{record.name}: gate '{record.key}' was planned as not applicable, and left a record")
        if record.mutant is not None and record.mutant not in mutants:
            problems.append(f"{record.name}: mutant '{record.mutant}' was not planned")
        if record.mutant is None and record.implementation != plan.subject:
            problems.append(f"{record.name}: implementation '{record.implementation}' was not planned")
        if record.run_ids == {plan.run_id}:
            first = seen.setdefault((record.key, record.implementation), record.name)
            if first != record.name:
                problems.append(f"{record.name}: a second record of '{record.key}' for '{record.implementation}'; "
                                f"the first is {first}")
    return problems


def _find_shortfalls(plan):
    """A backend or an op that was asked for and for which no required gate was planned."""
    shortfalls = [] if plan.required_backends else ["no backend is required"]
    if not plan.ops:
        shortfalls.append("no op was asked for")
    counted = [gate for gate in plan.gates if gate.required and gate.applies]
    for backend in plan.required_backends:
        if not any(gate.backend == backend for gate in counted):
            shortfalls.append(f"no required gate is planned for backend {backend}")
    for op in plan.ops:
        if not any(gate.op == op for gate in counted):
            shortfalls.append(f"no required gate is planned for op {op}")
    return shortfalls + find_unselected(plan.rows, plan.gates)


def find_unselected(rows, gates):
    """Gates that answer a row and were left out of the plan: a part of the gates cannot pass for the whole."""
    planned = {gate.id for gate in gates} | {MUTANTS_GATE}
    missing = sorted({gate for row in rows for gate in row.gates} - planned)
    return [f"not selected: {', '.join(missing)}"] if missing else []


def _file_of(gate, implementation):
    """Where the program leaves the record of a gate on an implementation."""
    return "records/" + re.sub(r"[^A-Za-z0-9_.-]", "-", f"{gate.id}-{gate.op}-{gate.backend}-{implementation}") + ".jsonl"


def _left_by_children(plan, records):
    """The records of a library's run, known by where they lie: whatever else is there is somebody else's, and what does not say
    what its place says has been written to."""
    names = {_file_of(gate, who): (gate, who) for gate in plan.gates
             for who in [plan.subject, *(f"mutant:{mutant.id}" for mutant in plan.mutants)]}
    kept = [record for record in records if record.name in names]
    for record in kept:
        gate, who = names[record.name]
        if (record.key, record.implementation) != (gate.key, who):
            record.problems.append(f"{record.name}: it says that it is of {record.key} on {record.implementation or 'nothing'}")
            record.gate, record.op, record.backend, record.implementation = gate.id, gate.op, gate.backend, who
    return kept


def decide(plan, records, interrupted):
    """The decision on `plan` from `records` alone."""
    if plan.library:
        records = _left_by_children(plan, records)
    gates = []
    for gate in plan.gates:
        mine = [record for record in records if record.key == gate.key and record.implementation == plan.subject]
        gates.append(judge_gate(gate, mine, plan, interrupted))
    by_key = {gate.key: gate for gate in gates}
    mutants = [judge_mutant(mutant, [record for record in records if record.mutant == mutant.id], by_key, plan.run_id)
               for mutant in plan.mutants]
    gates.append(mutants_gate(mutants, interrupted))
    return Decision(plan.run_id, plan.command, plan.tier, plan.required_backends, plan.ops, gates, mutants,
                    judge_rows(plan.rows, gates), plan.provenance, interrupted, _find_problems(plan, records),
                    _find_shortfalls(plan), plan.library)


def decide_folder(folder):
    """The decision on the run in `folder`; BrokenError when it has no readable plan."""
    plan = load_plan(folder)
    decision = decide(plan, load_records(folder), (Path(folder) / "interrupted").exists())
    _name_the_reason(decision, Path(folder) / "not_run")
    return decision


def _name_the_reason(decision, path):
    """A run that came to nothing, such as one whose GPU was in use, says why in one file for all gates without a record."""
    try:
        reason = path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return
    for gate in decision.gates:
        if gate.verdict == NOT_RUN and gate.reason == LEFT_NO_RECORD and reason:
            gate.reason = reason.splitlines()[-1]
