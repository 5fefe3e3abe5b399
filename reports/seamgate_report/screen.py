"""The screen: five questions, what did not run, the verdict. Plain ASCII, at most WIDTH columns."""

from __future__ import annotations

import textwrap

from .discharge import discharge_command, discharge_place
from .failures import describe
from .outcome import BROKEN, CAUGHT, FAIL, MISSED, NOT_APPLICABLE, NOT_RUN, PASS
from .provenance import machine, subject, version
from .questions import answers, by_place, by_reason, counted_by_place, first_replay
from .quantity import short, times_the_bar
from .summary import counts
from .words import amount, plural

WIDTH = 98
_VERDICT_AT = 89
_HEADING = 23
_FAULT = 36
_MANY = 12  # rows of one table beyond which what passed is told in short; report.html has every one


def ruled(text, verdict):
    """`text`, wrapped, with `verdict` at the right of its last line."""
    indent = len(text) - len(text.lstrip())
    lines = textwrap.wrap(text, _VERDICT_AT - 1, subsequent_indent=" " * (indent + 2), drop_whitespace=True,
                          break_on_hyphens=False) if len(text) > _VERDICT_AT - 1 else [text]
    lines[-1] = f"{lines[-1]:<{_VERDICT_AT}}{verdict}".rstrip()
    return lines


def _wrap(text, indent):
    return textwrap.wrap(text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2),
                         break_on_hyphens=False)


def _joined(parts):
    """The parts on one line, or on two where one is too narrow; a part is never broken in the middle."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 3 + len(part) > WIDTH:
            lines[-1] += " |"
            lines.append("  " + part)
        else:
            lines[-1] += f" | {part}"
    return lines


def _passed(gates, heading):
    lines = []
    for place, members in by_place(gates):
        text = f"{heading}{place}: {', '.join(gate.id for gate in members)} ({amount(members)})"
        lines += ruled(text, PASS)
        heading = " " * 2
    return lines


def verdict_lines(gate):
    """One gate alone, as CTest's log shows it."""
    if gate.verdict == FAIL:
        return _failed([gate])
    detail = amount([gate]) if gate.verdict == PASS else gate.reason or "no reason was given"
    return ruled(f"  {gate.id} ({gate.op} {gate.backend}): {detail}", gate.verdict)


def _failed(gates, told=()):
    """The gates with their first failure each. `told`: tensors of which a table above has said what is wrong; of a failure in
    one of these a gate tells nothing again, and its first failure of another kind instead."""
    lines = []
    for gate in gates:
        news = [line for line in gate.failures if line.get("tensor") not in told] if told else gate.failures
        known = sorted({line["tensor"] for line in gate.failures if line.get("tensor") in told})
        because = f" ({', '.join(known)}: see IS IT RIGHT?)" if known else ""
        lines += ruled(f"  {gate.id} ({gate.op} {gate.backend}): {gate.reason}{because}", FAIL)
        for text in describe(news[0]) if news else []:
            lines += _wrap(text, 4)
        if len(gate.failures) > 1 and news:
            lines.append(f"    and {len(gate.failures) - 1} more in report.html")
    return lines


def _counted(answer):
    if not answer.counted:
        return []
    head = f"{'asked':>9}{'declined':>10}{'node':>8}{'bare':>8}{'backward':>10} | witness fwd/bwd"
    lines = [f"{answer.title:<{_HEADING}}{head}"]
    for place, total, verdict in counted_by_place(answer.counted):
        text = (f"  {place:<{_HEADING - 2}}{total['asked']:>9}{total['declined']:>10}"
                f"{total['node']:>8}{total['bare']:>8}{total['backward']:>10} | "
                f"{total['witness_forward']}/{total['witness_backward']}")
        lines += ruled(text, verdict)
    return lines


def _in_short(rows):
    """(row, how many types it stands for): each that failed, and of those that passed the worst of a tensor, where they are many."""
    if len(rows) <= _MANY:
        return [(row, 1) for row in rows]
    groups = {}
    for row in rows:
        groups.setdefault((row.where, row.tensor, None if row.passed else row.dtype), []).append(row)
    return [(max(group, key=lambda row: row.you), len(group)) for group in groups.values()]


def _compared(answer):
    if not answer.comparisons:
        return []
    places = {row.where for row in answer.comparisons}
    shown = _in_short(answer.comparisons)
    tensor_room = max([4, *(len(row.tensor) for row, _ in shown)])
    dtype_room = max([5, *(len(row.dtype) for row, _ in shown)])
    names = [f"  {row.tensor:<{tensor_room}} {row.dtype:<{dtype_room}}" + (f" {row.where}" if len(places) > 1 else "") +
             (f", worst of {types}" if types > 1 else "") for row, types in shown]
    room = max([_HEADING + 26, *(len(name) for name in names)])
    lines = [f"{answer.title:<{_HEADING}}{'worst error / bar':<{room - _HEADING}}{'you':>9}{'tensor path':>13}   who moved"]
    for name, (row, _) in zip(names, shown):
        lines += ruled(f"{name:<{room}}{short(row.you):>9}{short(row.tensor_path):>13}   {row.moved}", PASS if row.passed else FAIL)
        for hint in row.hints:
            lines += _wrap(hint, 4)
    return lines


def _faults(decision):
    caught = [mutant for mutant in decision.mutants if mutant.verdict == CAUGHT]
    gate = next(gate for gate in decision.gates if gate.id == "mutants")
    head = f"COULD THESE GATES FAIL?  {len(caught)} of {len(decision.mutants)} planted faults caught"
    lines = ruled(head, gate.verdict)
    shown = decision.mutants
    if decision.library:  # whose author did not plant them
        shown = [mutant for mutant in decision.mutants if mutant.verdict == MISSED]
        waiting = len(decision.mutants) - len(caught) - len(shown)
        why = ": a gate that fails on the library as it is catches nothing" if decision.with_verdict(FAIL) else ""
        if waiting:
            lines += _wrap(f"{waiting} were not judged{why}", 2)
    elif len(shown) > _MANY:
        shown = [mutant for mutant in shown if mutant.verdict != CAUGHT or not mutant.by_expected]
    for mutant in shown:
        if mutant.verdict == CAUGHT:
            how = ", ".join(mutant.by[:4]) + (f" and {len(mutant.by) - 4} more" if len(mutant.by) > 4 else "")
            how += f"; {times_the_bar(mutant.over_bar)}" if mutant.over_bar is not None else ""
            how += "" if mutant.by_expected else f"; not by {mutant.expected_gate}, which should have"
        else:
            how = f"{mutant.verdict.upper()}: {mutant.reason}"
        title = [mutant.title] if len(mutant.title) <= _FAULT else [mutant.title, ""]
        lines += ["  " + line for line in title[:-1]]
        lines += textwrap.wrap(f"{title[-1]:<{_FAULT}} {how}", WIDTH, initial_indent="  ", break_on_hyphens=False,
                               subsequent_indent=" " * (_FAULT + 3))
    return lines


def _answer(answer, decision, told=()):
    faults = answer.question == "could_fail"
    table = _faults(decision) if faults else _counted(answer) or _compared(answer)
    shown = {row.gate.key for row in answer.counted if row.name and row.gate.verdict != FAIL}
    passed = [gate for gate in answer.passed if gate.key not in shown and gate.id != "mutants"]
    failed = [gate for gate in answer.failed if gate.id != "mutants"]
    if table:
        return table + _passed(passed, "  ") + _failed(failed, told)
    heading = f"{answer.title:<{_HEADING - 2}}  "
    if failed or not passed:
        return ruled(heading + answer.unasked, answer.verdict) + _passed(passed, "  ") + _failed(failed, told)
    lines = _passed(passed, heading)
    if answer.verdict == NOT_RUN:
        lines += ruled("  the rest is listed under NOT RUN", NOT_RUN)
    return lines


def _not_run(decision):
    lines = []
    for backend, required, reason, gates in by_reason(decision.with_verdict(NOT_RUN)):
        names = ", ".join(dict.fromkeys(gate.id for gate in gates))
        need = "required" if required else "not required"
        lines += _wrap(f"{backend}: {reason or 'no reason was given'} ({need}): {names}", 2)
    skipped = decision.with_verdict(NOT_APPLICABLE)
    if skipped:
        lines.append(f"  {plural(len(skipped), 'gate')} not applicable; report.html says why")
    return [NOT_RUN] + lines if lines else []


def _verdict(decision):
    tally = counts(decision)
    text = (f"VERDICT: {decision.verdict}  {plural(tally['failed'], 'gate')} failed, {tally['passed']} passed, "
            f"{tally['not_run']} did not run")
    return [f"{text:<{_VERDICT_AT}}exit {decision.exit_code}"]


def screen(decision, elapsed_s=None, report="", why_not_drawn=""):
    """The whole screen as text. `report` is the folder that the report was written into."""
    seconds = elapsed_s if elapsed_s is not None else sum(gate.seconds for gate in decision.gates)
    head = [f"seamgate {version(decision)}".strip(), *([subject(decision.library)] if decision.library else []),
            machine(decision), f"tier {decision.tier}", plural(sum(gate.cases for gate in decision.gates), "case"), f"{seconds:.1f} s"]
    lines = _joined(head) + [""]
    given = answers(decision)
    # A library's author reads of each wrong tensor once, in the table.
    told = {row.tensor for answer in given for row in answer.comparisons if not row.passed} if decision.library else ()
    for answer in given:
        lines += _answer(answer, decision, told)
    lines += _not_run(decision) + [""]
    if decision.interrupted:
        lines.append("INTERRUPTED: the run was stopped before its end")
    for text in decision.problems[:5] if decision.verdict == BROKEN else []:
        lines += _wrap(f"BROKEN: {text}", 0)
    for text in decision.shortfalls:
        lines += _wrap(f"PENDING: {text}", 0)
    lines += _verdict(decision)
    replay = first_replay(decision)
    if replay:
        lines.append(f"  replay: {replay}")
    if discharge_command(decision):
        lines.append(f"  discharge: {discharge_command(decision)}")
        lines += _wrap(discharge_place(decision), 13) if discharge_place(decision) else []
    if report:
        lines.append(f"  report: {report.rstrip('/')}/report.html (as text: report.md)")
    if why_not_drawn:
        lines.append(f"  picture: not drawn ({why_not_drawn})")
    return "\n".join(lines) + "\n"
