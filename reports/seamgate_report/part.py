"""One gate of a run whose other gates may still be running: its verdict, from its own records alone."""

from __future__ import annotations

import dataclasses

from .decision import decide
from .outcome import BROKEN, EXIT_CODES, UsageError
from .plan import MUTANTS_GATE, load_plan
from .records import load_records
from .screen import verdict_lines
from .summary import exit_code_of_verdicts


def _part_of(plan, gate, ops, backends):
    """`plan` with what concerns the gate alone; the planted faults need every gate that they are held against."""
    chosen = [planned for planned in plan.gates
              if (gate == MUTANTS_GATE or planned.id == gate and planned.backend in (backends or [planned.backend]))
              and planned.op in (ops or [planned.op])]
    mutants = [mutant for mutant in plan.mutants if gate == MUTANTS_GATE and mutant.op in (ops or [mutant.op])]
    if not (mutants if gate == MUTANTS_GATE else chosen):
        known = ", ".join(dict.fromkeys([planned.id for planned in plan.gates] + [MUTANTS_GATE]))
        raise UsageError(f"--gate is '{gate}'; gates of this run, on its ops and backends: {known}")
    return dataclasses.replace(plan, gates=chosen, mutants=mutants)


def judge_part(folder, gate, ops, backends):
    """Lines for a screen, and the exit code: 0 PASS, 1 FAIL, 77 NOT RUN, 70 broken."""
    plan = _part_of(load_plan(folder), gate, ops, backends)
    keys = {planned.key for planned in plan.gates}
    faults = {mutant.id for mutant in plan.mutants}
    records = [record for record in load_records(folder, "*" if gate == MUTANTS_GATE else f"{gate}*") if record.key in keys
               and (record.mutant in faults if record.mutant is not None else True)]
    decision = decide(plan, records, interrupted=False)
    shown = [item for item in decision.gates if item.id == gate]
    lines = [line for item in shown for line in verdict_lines(item)]
    if decision.problems:
        return lines + [f"{BROKEN}: {text}" for text in decision.problems[:5]], EXIT_CODES[BROKEN]
    return lines, exit_code_of_verdicts({item.verdict for item in shown})
