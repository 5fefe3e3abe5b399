"""summary.json: the decision as data, and the only thing from which an exit code is taken."""

from __future__ import annotations

import json
from pathlib import Path

from .discharge import discharge_command
from .outcome import (BROKEN, EXIT_CODES, FAIL, NOT_APPLICABLE, NOT_RUN, PASS, SKIPPED_EXIT, BrokenError,
                      UsageError)
from .quantity import to_json

SCHEMA = 1
SUMMARY = "summary.json"


def _gate(gate):
    worst = gate.worst and {"error_over_bar": to_json(gate.worst.error_over_bar), "case": gate.worst.case,
                            "tensor": gate.worst.tensor}
    return {"id": gate.id, "title": gate.title, "question": gate.question, "op": gate.op, "backend": gate.backend,
            "verdict": gate.verdict, "reason": gate.reason, "cases": gate.cases, "checks": gate.checks, "worst": worst,
            "seconds": to_json(round(gate.seconds, 6)), "required": gate.required, "rows": gate.rows}


def _mutant(mutant):
    return {"id": mutant.id, "op": mutant.op, "title": mutant.title, "verdict": mutant.verdict, "reason": mutant.reason,
            "by": mutant.by, "expected_gate": mutant.expected_gate, "by_expected": mutant.by_expected,
            "over_bar": to_json(mutant.over_bar), "case": mutant.case}


def counts(decision):
    """Gates by verdict; planned leaves out what does not apply, so that planned == passed + failed + not_run."""
    tally = {"passed": len(decision.with_verdict(PASS)), "failed": len(decision.with_verdict(FAIL)),
             "not_run": len(decision.with_verdict(NOT_RUN)), "not_applicable": len(decision.with_verdict(NOT_APPLICABLE))}
    return {"planned": tally["passed"] + tally["failed"] + tally["not_run"], **tally}


def summarise(decision):
    """The summary as a JSON object."""
    return {
        "schema": SCHEMA,
        "run_id": decision.run_id,
        "command": decision.command,
        "tier": decision.tier,
        "verdict": decision.verdict,
        "exit_code": decision.exit_code,
        "interrupted": decision.interrupted,
        "problems": decision.problems,
        "shortfalls": decision.shortfalls,
        "required": [gate.key for gate in decision.required],
        "counts": counts(decision),
        "requirements": [{"id": row.id, "title": row.title, "gates": row.gates, "verdict": row.verdict}
                         for row in decision.rows],
        "gates": [_gate(gate) for gate in decision.gates],
        "mutants": [_mutant(mutant) for mutant in decision.mutants],
        "discharge": discharge_command(decision),
        "provenance": decision.provenance,
        "complete": True,
    }


def _read_back(folder, run_id):
    """The summary of run `run_id`; BrokenError unless it is whole, of this run, and at one with itself."""
    path = Path(folder) / SUMMARY
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BrokenError(f"{path}: unreadable: {error}") from None
    if not isinstance(data, dict) or data.get("complete") is not True:
        raise BrokenError(f"{path}: not a complete summary")
    if data.get("run_id") != run_id:
        raise BrokenError(f"{path}: of run {data.get('run_id')}, not of {run_id}")
    verdict, code = data.get("verdict"), data.get("exit_code")
    if verdict not in EXIT_CODES or EXIT_CODES[verdict] != code:
        raise BrokenError(f"{path}: verdict {verdict!r} and exit code {code!r} contradict each other")
    return data


def exit_code_of(folder, run_id):
    """The exit code of run `run_id`, read back from its summary."""
    return _read_back(folder, run_id)["exit_code"]


def exit_code_of_gate(folder, run_id, gate):
    """The exit code of one gate of the run, whatever became of the others: 0 PASS, 1 FAIL, 77 NOT RUN, 70 broken.

    On several backends or ops it is that of all of them. For CTest, which runs one gate at a time.
    """
    summary = _read_back(folder, run_id)
    if summary["verdict"] == BROKEN:
        return EXIT_CODES[BROKEN]
    verdicts = {item["verdict"] for item in summary["gates"] if item["id"] == gate}
    if not verdicts:
        known = ", ".join(dict.fromkeys(item["id"] for item in summary["gates"]))
        raise UsageError(f"--gate is '{gate}'; gates of this run: {known}")
    return exit_code_of_verdicts(verdicts)


def exit_code_of_verdicts(verdicts):
    """For CTest: 1 if one of them is FAIL, 0 if what applies has passed, else 77."""
    if FAIL in verdicts:
        return EXIT_CODES[FAIL]
    return EXIT_CODES[PASS] if PASS in verdicts and verdicts <= {PASS, NOT_APPLICABLE} else SKIPPED_EXIT
