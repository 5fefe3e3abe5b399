"""The head of the page: the verdict, and the five questions with what failed in full, in the words of the screen."""

from __future__ import annotations

from ..discharge import discharge_command, discharge_place
from ..failures import describe
from ..outcome import BROKEN, CAUGHT, FAIL, NOT_RUN
from ..provenance import machine, subject, version
from ..quantity import short, times_the_bar, to_json
from ..questions import COUNTERS, answers, by_place, by_reason, first_replay, replay_command
from ..summary import counts
from ..words import amount, plural
from .markup import badge, clipped, element, joined, number_cell, table, verdict_class

SHOWN_FAILURES = 5  # of one gate; up to MAX_FAILURES unfold, and the records hold all of them
MAX_FAILURES = 20


def head(decision, elapsed_s):
    """The verdict, why, and the two commands that the screen ends with."""
    tally = counts(decision)
    seconds = elapsed_s if elapsed_s is not None else sum(gate.seconds for gate in decision.gates)
    cases = plural(sum(gate.cases for gate in decision.gates), "case")
    facts = [f"seamgate {version(decision)}".strip(), *([subject(decision.library)] if decision.library else []), machine(decision), f"tier {decision.tier}", cases, f"{seconds:.1f} s"]
    told = (f"{plural(tally['failed'], 'gate')} failed, {tally['passed']} passed, {tally['not_run']} did not run; "
            f"exit {decision.exit_code}")
    parts = [element("p", " | ".join(facts), class_="facts"), element("h1", "VERDICT: ", decision.verdict, id="verdict"),
             element("p", told)]
    if decision.interrupted:
        parts.append(element("p", "INTERRUPTED: the run was stopped before its end"))
    reasons = decision.problems if decision.verdict == BROKEN else decision.shortfalls
    if reasons:
        parts.append(element("ul", *(element("li", clipped(reason, 1000)) for reason in reasons[:50])))
    replay, discharge = first_replay(decision), discharge_command(decision)
    if replay:
        parts.append(_command("replay", replay))
    if discharge:
        parts.append(_command("discharge", discharge))
        if discharge_place(decision):
            parts.append(element("p", discharge_place(decision)))
    return element("header", *parts, class_=f"verdict {verdict_class(decision.verdict)}")


def _command(name, command):
    words = clipped(command, 1000).split(" ")
    told = joined((element("span", word, class_="option") if word.startswith("--") else word for word in words), " ")
    return element("p", element("b", name, ": "), element("code", told), class_="command")


def _counted(answer):
    rows = []
    for row in answer.counted:
        figures = [number_cell(row.totals[name], row.totals[name]) for name in COUNTERS[:5]]
        witness = f"{row.totals['witness_forward']}/{row.totals['witness_backward']}"
        rows.append([f"{row.gate.id} {row.gate.op} {row.gate.backend}" + (f": {row.name}" if row.name else ""), *figures, element("td", witness, class_="n"),
                     badge(row.verdict)])
    return table(["gate", "asked", "declined", "node", "bare", "backward", "witness fwd/bwd", "verdict"], rows)


def _compared(answer):
    rows, told = [], []
    for row in answer.comparisons:
        theirs = to_json(row.tensor_path)
        rows.append([row.tensor, row.dtype, row.where, number_cell(short(row.you), to_json(row.you)),
                     number_cell(short(row.tensor_path), "" if theirs is None else theirs), row.moved,
                     badge("PASS" if row.passed else FAIL), element("td", clipped(row.case), class_="case")])
        told += [element("p", f"{row.tensor} {row.dtype} ({row.where}): ", "; ".join(row.hints))] if row.hints else []
    shown = table(["tensor", "dtype", "where", "you: worst error / bar", "tensor path", "who moved", "verdict", "worst case"],
                  rows)
    return joined([shown, *told]) if told else shown


def _faults(decision):
    caught = sum(mutant.verdict == CAUGHT for mutant in decision.mutants)
    rows = []
    for mutant in decision.mutants:
        by = ", ".join(mutant.by) or "-"
        if mutant.by and not mutant.by_expected:
            by += f"; not by {mutant.expected_gate}, which should have"
        far = "-" if not mutant.by else times_the_bar(mutant.over_bar) if mutant.over_bar is not None else "not numeric"
        rows.append([element("td", mutant.title, title=mutant.defect or None), mutant.op, badge(mutant.verdict), element("td", by, class_="text" if len(by) > 30 else None), far,
                     element("td", mutant.reason, class_="text" if mutant.reason else None)])
    told = f"{caught} of {len(decision.mutants)} planted faults caught"
    return joined([element("p", told, class_="lead"),
                   table(["planted fault", "op", "verdict", "by", "error", "reason"], rows, class_="faults", id="faults")])


def _failure(gate, line, library):
    replay = replay_command(gate, line, library)
    told = [clipped(text, 2000) for text in describe(line)]
    parts = [element("pre", "\n".join(told))]
    if replay:
        parts.append(_command("replay", replay))
    return element("li", *parts)


def _failed(gate, library):
    parts = [element("h3", f"{gate.id} ({gate.op} {gate.backend}) ", badge(gate.verdict)),
             element("p", element("b", gate.title), ": ", clipped(gate.reason, 1000))]
    first, more = gate.failures[:SHOWN_FAILURES], gate.failures[SHOWN_FAILURES:MAX_FAILURES]
    if first:
        parts.append(element("ul", *(_failure(gate, line, library) for line in first)))
    if more:
        parts.append(element("details", element("summary", f"{len(more)} more"),
                             element("ul", *(_failure(gate, line, library) for line in more))))
    if len(gate.failures) > MAX_FAILURES:
        parts.append(element("p", f"Another {len(gate.failures) - MAX_FAILURES} are in the records."))
    return element("article", *parts, class_="failed")


def _passed(gates):
    items = []
    for place, members in by_place(gates):
        ran = amount(members)
        told = f"{place}: {', '.join(gate.id for gate in members)}" + (f" ({ran})" if ran else "")
        items.append(element("li", badge("PASS"), " ", told))
    return element("ul", *items, class_="plain") if items else ""


def _not_run(gates):
    items = []
    for backend, required, reason, members in by_reason(gates):
        need = "required" if required else "not required"
        names = ", ".join(dict.fromkeys(gate.id for gate in members))
        items.append(element("li", badge(NOT_RUN), f" {backend}: {clipped(reason or 'no reason was given')} ({need}): {names}"))
    return element("ul", *items, class_="plain") if items else ""


def _answer(answer, decision):
    parts = [element("h2", answer.title, " ", badge(answer.verdict))]
    parts += [_failed(gate, decision.library) for gate in answer.failed]
    parts += [_counted(answer), _compared(answer)]
    if answer.question == "could_fail":
        parts.append(_faults(decision))
    tabled = {row.gate.key for row in answer.counted if row.name} | {"mutants"}
    parts += [_passed([gate for gate in answer.passed if gate.key not in tabled]),
              _not_run([gate for gate in answer.gates if gate.verdict == NOT_RUN])]
    if not answer.gates:
        parts.append(element("p", f"{answer.unasked[:1].upper()}{answer.unasked[1:]}."))
    return element("section", *parts, class_="question", id=f"q-{answer.question}")


def questions(decision):
    return joined(_answer(answer, decision) for answer in answers(decision))
