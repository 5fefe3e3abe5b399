"""What a run set out to do: plan.json, read and checked before a single record is looked at."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from .outcome import BrokenError

SCHEMA = 1
QUESTIONS = ("ran", "trains", "right", "off", "could_fail", "house")
OURS = "seamgate"  # how records call what this program was linked with
MUTANTS_GATE = "mutants"  # the gate that this program adds: every planted fault was caught


def gate_key(gate, op, backend):
    return f"{gate}/{op}/{backend}"


@dataclass
class PlannedGate:
    id: str
    title: str
    question: str
    rows: list[str]
    op: str
    backend: str
    applies: bool
    reason: str
    required: bool
    planned_cases: int | None

    @property
    def key(self):
        return gate_key(self.id, self.op, self.backend)


@dataclass
class PlannedMutant:
    id: str
    op: str
    title: str
    defect: str
    expected_gate: str
    not_built: str = ""  # why there is no mutant to judge; empty when there is one
    crash_counts: bool = False  # a fault whose only symptom is a crash or a time-out says so in the plan


@dataclass
class Row:
    id: str
    title: str
    gates: list[str]


@dataclass
class Library:
    """A library of somebody else's that the run judges, in its author's words."""

    path: str
    label: str  # how records call it
    implementation: str  # how `seamgate replay` takes it
    facts: dict = field(default_factory=dict)


@dataclass
class Plan:
    run_id: str
    command: str
    tier: str
    required_backends: list[str]
    ops: list[str]
    gates: list[PlannedGate]
    mutants: list[PlannedMutant]
    rows: list[Row]
    provenance: dict = field(default_factory=dict)
    library: Library | None = None

    @property
    def subject(self):
        """What is judged, as records call it."""
        return self.library.label if self.library else OURS


def _take(data, name, kind, where, default=None, optional=False):
    if name not in data:
        if optional:
            return default
        raise BrokenError(f"{where}: '{name}' is missing")
    value = data[name]
    if (kind is int and isinstance(value, bool)) or not isinstance(value, kind):
        if value is None and optional:
            return default
        raise BrokenError(f"{where}: '{name}' is {value!r}, which is not a {kind.__name__}")
    return value


def _names(data, name, where):
    values = _take(data, name, list, where)
    if not all(isinstance(value, str) and value for value in values):
        raise BrokenError(f"{where}: '{name}' is {values!r}, which is not a list of names")
    return values


def _gate(data, where):
    gate = PlannedGate(
        id=_take(data, "id", str, where),
        title=_take(data, "title", str, where),
        question=_take(data, "question", str, where),
        rows=_names(data, "rows", where),
        op=_take(data, "op", str, where),
        backend=_take(data, "backend", str, where),
        applies=_take(data, "applies", bool, where),
        reason=_take(data, "reason", str, where, default="", optional=True),
        required=_take(data, "required", bool, where),
        planned_cases=_take(data, "planned_cases", int, where, optional=True),
    )
    if gate.question not in QUESTIONS:
        raise BrokenError(f"{where}: 'question' is {gate.question!r}; allowed: {', '.join(QUESTIONS)}")
    if gate.id == MUTANTS_GATE:
        raise BrokenError(f"{where}: the gate id '{MUTANTS_GATE}' is kept for the planted faults")
    return gate


def _mutant(data, where):
    return PlannedMutant(
        id=_take(data, "id", str, where),
        op=_take(data, "op", str, where),
        title=_take(data, "title", str, where),
        defect=_take(data, "defect", str, where, default="", optional=True),
        expected_gate=_take(data, "expected_gate", str, where, default="", optional=True),
        not_built=_take(data, "not_built", str, where, default="", optional=True),
        crash_counts=_take(data, "crash_counts", bool, where, default=False, optional=True),
    )


def _library(data, where):
    where = f"{where}: library"
    return Library(_take(data, "path", str, where), _take(data, "label", str, where), _take(data, "implementation", str, where),
                   _take(data, "facts", dict, where, default={}, optional=True))


def _refuse_duplicates(names, what, where):
    seen = set()
    for name in names:
        if name in seen:
            raise BrokenError(f"{where}: the {what} '{name}' is planned twice")
        seen.add(name)


def _refuse_contradictions(plan, where):
    _refuse_duplicates([gate.key for gate in plan.gates], "gate", where)
    _refuse_duplicates([mutant.id for mutant in plan.mutants], "mutant", where)
    _refuse_duplicates([row.id for row in plan.rows], "row", where)
    gates_of_row = {row.id: row.gates for row in plan.rows}
    for gate in plan.gates:
        for row in gate.rows:
            if gate.id not in gates_of_row.get(row, []):
                raise BrokenError(f"{where}: gate '{gate.key}' answers row '{row}', which does not list it")


def parse_plan(data, where):
    """The plan in `data`, the parsed plan.json; `where` names the file in errors."""
    if not isinstance(data, dict):
        raise BrokenError(f"{where}: not a JSON object")
    schema = _take(data, "schema", int, where)
    if schema != SCHEMA:
        raise BrokenError(f"{where}: schema {schema}; this program reads schema {SCHEMA}")
    plan = Plan(
        run_id=_take(data, "run_id", str, where),
        command=_take(data, "command", str, where),
        tier=_take(data, "tier", str, where),
        required_backends=_names(data, "required_backends", where),
        ops=_names(data, "ops", where),
        gates=[],
        mutants=[],
        rows=[],
        provenance=_take(data, "provenance", dict, where),
    )
    library = _take(data, "library", dict, where, optional=True)
    plan.library = _library(library, where) if library else None
    if not plan.run_id:
        raise BrokenError(f"{where}: 'run_id' is empty")
    for name, parse in (("gates", _gate), ("mutants", _mutant), ("rows", None)):
        for index, item in enumerate(_take(data, name, list, where)):
            here = f"{where}: {name}[{index}]"
            if not isinstance(item, dict):
                raise BrokenError(f"{here}: not a JSON object")
            if parse:
                getattr(plan, name).append(parse(item, here))
            else:
                plan.rows.append(
                    Row(_take(item, "id", str, here), _take(item, "title", str, here), _names(item, "gates", here)))
    _refuse_contradictions(plan, where)
    return plan


def load_plan(folder):
    """The plan of the run in `folder`; BrokenError when it is missing, unreadable or contradicts itself."""
    path = Path(folder) / "plan.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BrokenError(f"{path}: missing; a run writes its plan before any gate") from None
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BrokenError(f"{path}: unreadable: {error}") from None
    return parse_plan(data, str(path))
