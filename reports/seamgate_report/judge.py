"""The verdict of one gate, from its plan and its records.

FAIL if an assertion failed or the child died; PASS only if everything that was planned is there, whole, of this run, and
passed; otherwise NOT RUN with the reason. Nothing is assumed in the gate's favour.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .outcome import FAIL, NOT_APPLICABLE, NOT_RUN, PASS
from .plan import PlannedGate
from .provenance import names_a_gpu
from .quantity import over_bar

SHIPPED = "shipped"
LEFT_NO_RECORD = "planned, left no record"


@dataclass
class Worst:
    """The numeric comparison nearest to its bar, or furthest over it."""

    error_over_bar: float
    case: str
    tensor: str


@dataclass
class GateResult:
    key: str
    id: str
    title: str
    question: str
    op: str
    backend: str
    required: bool
    verdict: str
    reason: str = ""
    rows: list = field(default_factory=list)
    cases: int = 0
    checks: int = 0
    worst: Worst | None = None
    seconds: float = 0.0
    failures: list = field(default_factory=list)  # failed lines, as recorded
    numbers: list = field(default_factory=list)  # every numeric comparison, as recorded
    counters: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def worst_of(lines):
    """The Worst among numeric comparisons; None when there are none."""
    ranked = [(over_bar(line["error"], line["bar"]), line) for line in lines]
    if not ranked:
        return None
    value, line = max(ranked, key=lambda pair: pair[0])
    return Worst(value, line["case"], line["tensor"])


def why_incomplete(record, run_id):
    """Why `record` is not the whole evidence of run `run_id`; empty when it is."""
    if record.run_ids != {run_id}:
        return f"its record is of another run ({', '.join(sorted(record.run_ids - {run_id})) or 'unnamed'})"
    if record.problems:
        return f"broken record: {record.problems[0]}"
    if record.not_run is not None:
        return record.not_run
    if record.incomplete:
        return f"record incomplete ({record.incomplete})"
    seen = (len(record.cases), len(record.checks), len(record.failures))
    said = tuple(record.end[name] for name in ("cases", "checks", "failed"))
    if seen != said:
        return ("record incomplete (its end says {} cases, {} checks, {} failed; ".format(*said)
                + "it holds {}, {}, {})".format(*seen))
    if not record.assertions:
        return "zero assertions"
    return ""


def _why_not_passed(gate, record, plan):
    reason = why_incomplete(record, plan.run_id)
    if reason:
        return reason
    if gate.planned_cases is not None and gate.planned_cases != len(record.distinct_cases):
        return f"{gate.planned_cases} cases planned, {len(record.distinct_cases)} run"
    path = record.end.get("path", SHIPPED)
    if path != SHIPPED:
        return f"path: {path}"
    if gate.backend == "cuda" and gate.question != "house" and not names_a_gpu(plan.provenance):
        return "the run names no GPU that it could have run on"
    return ""


def _other_runs(record, plan):
    return [f"a line of run {run}" for run in sorted(record.run_ids - {plan.run_id})]


def judge_gate(gate: PlannedGate, records, plan, interrupted):
    """The verdict on our implementation. `records` are those of this gate, op and backend, mutants left out."""
    result = GateResult(gate.key, gate.id, gate.title, gate.question, gate.op, gate.backend,
                        gate.required and gate.applies, NOT_RUN, rows=list(gate.rows))
    if not gate.applies:
        result.verdict, result.reason = NOT_APPLICABLE, gate.reason or "does not apply"
        return result
    if not records:
        result.reason = "interrupted" if interrupted else LEFT_NO_RECORD
        return result

    mine = [record for record in records if record.run_ids == {plan.run_id}]
    for record in mine:
        result.cases += len(record.distinct_cases)
        result.checks += len(record.checks)
        result.seconds += record.end["seconds"] if record.end else 0.0
        result.failures += record.failures
        result.numbers += record.cases
        result.counters += record.counters
        result.notes += record.notes
    result.worst = worst_of(result.numbers)

    crashes = [reason for record in mine for reason in record.crashes]
    damaged = [problem for record in records for problem in record.problems + _other_runs(record, plan)] if plan.library else []
    if result.failures:
        count = len(result.failures)
        result.verdict = FAIL
        result.reason = f"{count} of {sum(len(r.assertions) for r in mine)} assertions failed"
        if crashes:
            result.reason += f"; crashed: {crashes[0]}"
    elif damaged:
        result.verdict = FAIL
        result.reason = f"its record was written to while the library ran: {damaged[0]}"
    elif crashes and not interrupted:
        result.verdict, result.reason = FAIL, f"crashed: {crashes[0]}"
    elif crashes:
        result.reason = f"interrupted ({crashes[0]})"
    else:
        reasons = [reason for reason in (_why_not_passed(gate, record, plan) for record in records) if reason]
        if len(records) > 1:
            reasons.append("it left two records: " + ", ".join(record.name for record in records))
        if interrupted and reasons and all(not r.problems and r.not_run is None for r in records):
            result.reason = f"interrupted ({reasons[0]})"
        elif reasons:
            result.reason = reasons[0]
        else:
            result.verdict = PASS
    return result
