"""Could these gates fail? Every planted fault must be caught by a failed assertion, and the gate that did is named.

A crash catches a fault only where the plan says that crashing is its symptom: otherwise a broken mutant would count as a
good gate. A gate that does not pass on the sound implementation catches nothing, because it cannot tell the two apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .judge import GateResult, why_incomplete, worst_of
from .outcome import CAUGHT, FAIL, MISSED, MUTANT_NOT_RUN, NOT_RUN, PASS
from .plan import MUTANTS_GATE


@dataclass
class MutantResult:
    id: str
    op: str
    title: str
    defect: str
    expected_gate: str
    verdict: str
    reason: str = ""
    by: list = field(default_factory=list)  # ids of the gates that caught it
    over_bar: float | None = None  # the worst error over its bar among failed comparisons; None: none was numeric
    case: str = ""

    @property
    def by_expected(self):
        return self.expected_gate in self.by


def judge_mutant(mutant, records, gates, run_id):
    """`records` are this mutant's; `gates` are our results by key."""
    result = MutantResult(mutant.id, mutant.op, mutant.title, mutant.defect, mutant.expected_gate, MUTANT_NOT_RUN)
    reasons, whole, undecided = [], 0, []
    failed_numbers = []
    for record in records:
        if record.run_ids != {run_id}:
            reasons.append(f"{record.gate}: {why_incomplete(record, run_id)}")
            continue
        crash = record.crashes and mutant.crash_counts
        if record.failures or crash:
            sound = gates.get(record.key)
            if sound is None or sound.verdict != PASS:
                undecided.append(record.gate)
                continue
            name = record.gate if record.failures else f"{record.gate} (crash)"
            if name not in result.by:
                result.by.append(name)
            failed_numbers += [line for line in record.cases if not line["passed"]]
            continue
        if record.crashes:
            reasons.append(f"{record.gate}: crashed: {record.crashes[0]}")
            continue
        reason = why_incomplete(record, run_id)
        if reason:
            reasons.append(f"{record.gate}: {reason}")
        else:
            whole += 1
    if result.by:
        result.verdict = CAUGHT
        worst = worst_of(failed_numbers)
        if worst:
            result.over_bar, result.case = worst.error_over_bar, worst.case
    elif undecided:
        result.reason = f"only by {', '.join(undecided)}, which does not pass on the sound kernel either"
    elif reasons:
        result.reason = reasons[0]
    elif mutant.not_built:
        result.reason = f"not built: {mutant.not_built}"
    elif mutant.expected_gate and not any(gate.id == mutant.expected_gate for gate in gates.values()):
        result.reason = f"the gate that should catch it was not selected: {mutant.expected_gate}"
    elif whole:
        result.verdict = MISSED
        result.reason = f"{whole} {'gate' if whole == 1 else 'gates'} judged it and none failed"
    else:
        result.reason = "planned, left no record"
    return result


def mutants_gate(mutants, interrupted):
    """The gate `mutants`: FAIL if one was missed, PASS if all were caught, NOT RUN if one was not judged."""
    ops = sorted({mutant.op for mutant in mutants})
    op = ops[0] if len(ops) == 1 else "all"
    result = GateResult(MUTANTS_GATE, MUTANTS_GATE, "every planted fault is caught", "could_fail", op, "all", True,
                        NOT_RUN)
    missed = [mutant.id for mutant in mutants if mutant.verdict == MISSED]
    not_run = [mutant.id for mutant in mutants if mutant.verdict == MUTANT_NOT_RUN]
    result.checks = len(mutants) - len(not_run)
    if missed:
        result.verdict, result.reason = FAIL, f"missed: {', '.join(missed)}"
        result.failures = [{"kind": "check", "name": f"{mutant.id} is caught", "passed": False, "got": mutant.reason,
                            "want": f"caught by {mutant.expected_gate}"}
                           for mutant in mutants if mutant.verdict == MISSED]
    elif not_run:
        result.reason = f"{'interrupted; ' if interrupted else ''}not judged: {', '.join(not_run)}"
    elif not mutants:
        result.reason = "no fault was planted"
    else:
        result.verdict = PASS
    return result


