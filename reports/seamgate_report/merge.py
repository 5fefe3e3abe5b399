"""Joins two runs of the same sources, such as one on a machine without a GPU and one on a machine with it.

Each run is decided anew from its own records; nothing is taken from its summary. A gate that passed in one run and did
not run in the other has passed; a gate that failed in either has failed.
"""

from __future__ import annotations

import dataclasses
import hashlib

from .decision import Decision, decide_folder, find_unselected, judge_rows
from .mutants import mutants_gate
from .outcome import CAUGHT, FAIL, MISSED, NOT_APPLICABLE, NOT_RUN, PASS, UsageError
from .plan import MUTANTS_GATE
from .provenance import names_a_gpu, sources

_RANK = {FAIL: 3, PASS: 2, NOT_RUN: 1, NOT_APPLICABLE: 0}
_MUTANT_RANK = {MISSED: 2, CAUGHT: 1}


def _refuse_strangers(first, second, folders):
    """UsageError unless both runs are of the same sources and the same tier."""
    ours, theirs = sources(first.provenance), sources(second.provenance)
    where = " and ".join(folders)
    if first.run_id == second.run_id:
        raise UsageError(f"{where} are the same run ({first.run_id}); merge joins two")
    if not ours[0] or ours[0] != theirs[0]:
        raise UsageError(f"{where} are of different sources: commit {ours[0] or 'unknown'} and {theirs[0] or 'unknown'}")
    if ours[2] != theirs[2]:
        raise UsageError(f"{where} are of different sources: source hash {ours[2]} and {theirs[2]}")
    if (ours[1] is not False or theirs[1] is not False) and not ours[2]:
        raise UsageError(f"{where}: a run of a changed checkout (dirty) is merged only if both name their source_sha256")
    if first.tier != second.tier:
        raise UsageError(f"{where} are of different tiers: {first.tier} and {second.tier}")


def _better(first, second, rank):
    return second if rank.get(second.verdict, 0) > rank.get(first.verdict, 0) else first


def _join_gate(first, second):
    """A gate that a run had beside its planted faults alone, with few cases, does not stand for one that was required."""
    if first.required != second.required and FAIL not in (first.verdict, second.verdict):
        return first if first.required else second
    return dataclasses.replace(_better(first, second, _RANK), required=first.required or second.required)


def _join_gates(first, second):
    joined = {gate.key: gate for gate in first.gates if gate.id != MUTANTS_GATE}
    for gate in second.gates:
        if gate.id == MUTANTS_GATE:
            continue
        known = joined.get(gate.key)
        joined[gate.key] = gate if known is None else _join_gate(known, gate)
    return list(joined.values())


def _join_mutants(first, second):
    joined = {mutant.id: mutant for mutant in first.mutants}
    for mutant in second.mutants:
        known = joined.get(mutant.id)
        joined[mutant.id] = mutant if known is None else _better(known, mutant, _MUTANT_RANK)
    return list(joined.values())


def _union(first, second):
    return list(dict.fromkeys([*first, *second]))


def merge(first, second, folders):
    """The joint decision on two decisions of the same sources."""
    _refuse_strangers(first, second, folders)
    mutants = _join_mutants(first, second)
    interrupted = first.interrupted or second.interrupted
    gates = _join_gates(first, second) + [mutants_gate(mutants, interrupted)]
    rows = list({row.id: row for row in [*first.rows, *second.rows]}.values())
    backends = _union(first.required_backends, second.required_backends)
    required = [gate for gate in gates if gate.required]
    shortfalls = [f"no required gate is planned for backend {backend}" for backend in backends
                  if not any(gate.backend == backend for gate in required)] + find_unselected(rows, gates)
    with_gpu = second if names_a_gpu(second.provenance) else first
    origins = [f"{folder} (run {run.run_id}, {run.provenance.get('machine', '-')})"
               for folder, run in zip(folders, (first, second))]
    provenance = {**with_gpu.provenance, "merged_from": origins}
    run_id = hashlib.sha256(f"{first.run_id} {second.run_id}".encode()).hexdigest()[:16]
    return Decision(run_id, f"merge {' '.join(folders)}", first.tier, backends, _union(first.ops, second.ops), gates,
                    mutants, judge_rows(rows, gates), provenance, interrupted, first.problems + second.problems,
                    shortfalls)


def merge_folders(first, second):
    """The joint decision on the runs in two folders."""
    return merge(decide_folder(first), decide_folder(second), [str(first), str(second)])
