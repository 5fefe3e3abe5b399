"""The records of a run: records/*.jsonl, one file per child process, read line by line with nothing taken on trust.

A line is checked against what it says itself: a case that claims to have passed must have an error within its bar. A
claim that does not hold is a problem of the record (the whole is then BROKEN), never a passed assertion.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path

from .plan import gate_key
from .quantity import number, within

KINDS = ("begin", "case", "check", "note", "end", "not_run", "crash")
MUTANT_PREFIX = "mutant:"


@dataclass
class Record:
    """One child's evidence. `problems` are contradictions; `incomplete` says why it is not whole (or is empty)."""

    name: str  # the file, relative to the run's folder
    gate: str = ""
    op: str = ""
    backend: str = ""
    implementation: str = ""
    run_ids: set = field(default_factory=set)
    began: bool = False
    end: dict | None = None
    not_run: str | None = None
    crashes: list[str] = field(default_factory=list)
    cases: list[dict] = field(default_factory=list)
    checks: list[dict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    counters: list[dict] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    incomplete: str = ""

    @property
    def key(self):
        return gate_key(self.gate, self.op, self.backend)

    @property
    def mutant(self):
        """The id of the mutant that was judged; None when it was not one."""
        return self.implementation[len(MUTANT_PREFIX):] if self.implementation.startswith(MUTANT_PREFIX) else None

    @property
    def assertions(self):
        return self.cases + self.checks

    @property
    def failures(self):
        return [line for line in self.assertions if not line["passed"]]

    @property
    def distinct_cases(self):
        return {line["case"] for line in self.assertions if line.get("case")}


def _text(line, name):
    value = line.get(name)
    if not isinstance(value, str) or not value:
        raise ValueError(f"'{name}' is {value!r}, which is not a name")
    return value


def _passed(line):
    if not isinstance(line.get("passed"), bool):
        raise ValueError(f"'passed' is {line.get('passed')!r}, which is neither true nor false")
    return line["passed"]


def _check_case(line):
    _text(line, "case")
    _text(line, "tensor")
    claimed = _passed(line)
    error, bar = number(line.get("error")), number(line.get("bar"))
    line["error"], line["bar"] = error, bar
    if line.get("tensor_path_error") is not None:
        line["tensor_path_error"] = number(line["tensor_path_error"])
    if not math.isfinite(bar) or bar < 0:
        raise ValueError(f"the bar is {bar}; a bar is finite and not negative (case {line['case']})")
    if error < 0:
        raise ValueError(f"the error is {error}; an error is not negative (case {line['case']})")
    if claimed != within(error, bar):
        raise ValueError(f"says passed={str(claimed).lower()} with error {error:g} and bar {bar:g} "
                         f"(case {line['case']}, tensor {line['tensor']})")


def _check_end(line):
    for name in ("cases", "checks", "failed"):
        if isinstance(line.get(name), bool) or not isinstance(line.get(name), int):
            raise ValueError(f"'{name}' is {line.get(name)!r}, which is not a count")
    line["seconds"] = number(line.get("seconds"))


def _add(record, line):
    """Adds one parsed line; ValueError when it contradicts itself or what stands before it."""
    kind = line.get("kind")
    if kind not in KINDS:
        raise ValueError(f"'kind' is {kind!r}; allowed: {', '.join(KINDS)}")
    names = tuple(_text(line, name) for name in ("gate", "op", "backend", "implementation"))
    if not record.gate:
        record.gate, record.op, record.backend, record.implementation = names
    elif names != (record.gate, record.op, record.backend, record.implementation):
        raise ValueError(f"belongs to {'/'.join(names)}, in a record of {record.key}/{record.implementation}")
    record.run_ids.add(_text(line, "run_id"))
    if kind == "crash":
        record.crashes.append(_text(line, "reason"))
        return
    if record.end is not None:
        raise ValueError(f"'{kind}' after the end")
    if record.not_run is not None:
        raise ValueError(f"'{kind}' in a record that says it did not run")
    if kind == "not_run":
        record.not_run = _text(line, "reason")
        return
    if kind == "begin":
        if record.began:
            raise ValueError("begins twice")
        record.began = True
        return
    if not record.began:
        raise ValueError(f"'{kind}' before the beginning")
    if isinstance(line.get("counters"), dict):
        record.counters.append(line["counters"])
    if kind == "case":
        _check_case(line)
        record.cases.append(line)
    elif kind == "check":
        _text(line, "name")
        _passed(line)
        record.checks.append(line)
    elif kind == "note":
        if line.get("message"):
            record.notes.append(str(line["message"]))
    else:
        _check_end(line)
        record.end = line


def parse_record(name, content):
    """The record in `content`, bytes. A last line that is cut off leaves it incomplete, be it in the middle of a letter; an
    unreadable one elsewhere breaks it. A crash line may follow a cut line or the end: the parent writes it, not the child.
    """
    record = Record(name)
    torn, forgiven = None, True  # the first unreadable line, forgiven if only crash lines follow it
    for index, raw in enumerate(content.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            line = json.loads(raw.decode("utf-8"))
            if not isinstance(line, dict):
                raise ValueError("not a JSON object")
        except ValueError:
            torn, forgiven = torn or index, torn is None
            continue
        forgiven = forgiven and (torn is None or line.get("kind") == "crash")
        try:
            _add(record, line)
        except ValueError as error:
            record.problems.append(f"{name}:{index}: {error}")
    if torn is not None:
        record.incomplete = f"line {torn} is cut off"
        if not forgiven:
            record.problems.append(f"{name}:{torn}: not a line of JSON")
    elif record.not_run is None and not record.began:
        record.incomplete = "no beginning"
    elif record.not_run is None and record.end is None:
        record.incomplete = "no end"
    return record


def load_records(folder, names="*"):
    """The records of the run in `folder` whose file names match, by name. A missing or unreadable folder is a run that left
    none.
    """
    records = []
    for path in sorted((Path(folder) / "records").glob(f"{names}.jsonl")):
        name = f"records/{path.name}"
        try:
            records.append(parse_record(name, path.read_bytes()))
        except OSError as error:
            records.append(Record(name, problems=[f"{name}: unreadable: {error}"], incomplete="unreadable"))
    return records
