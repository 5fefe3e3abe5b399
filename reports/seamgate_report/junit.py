"""JUnit XML: one test case per gate, op and backend, one per planted fault, and one for the whole.

Most readers count `skipped` as green, so a required gate that did not run is an error here, not a skip.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from .failures import describe
from .outcome import BROKEN, CAUGHT, FAIL, MISSED, NOT_APPLICABLE, NOT_RUN, PASS

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]")


def _clean(text):
    return _NOT_XML.sub("?", str(text))


def _case(suite, classname, name, seconds, outcome=None, message="", body=""):
    case = ElementTree.SubElement(suite, "testcase", classname=_clean(classname), name=_clean(name))
    case.set("time", f"{seconds:.3f}")
    if outcome:
        child = ElementTree.SubElement(case, outcome, message=_clean(message))
        if outcome != "skipped":
            child.set("type", _clean(message.split(":")[0]))
        child.text = _clean(body) or None


def _gate(suite, gate):
    if gate.verdict == PASS:
        outcome, message = None, ""
    elif gate.verdict == FAIL:
        outcome, message = "failure", f"{FAIL}: {gate.reason}"
    elif gate.verdict == NOT_APPLICABLE or not gate.required:
        outcome, message = "skipped", f"{gate.verdict}: {gate.reason}"
    else:
        outcome, message = "error", f"{NOT_RUN}: {gate.reason}"
    body = "\n\n".join("\n".join(describe(line)) for line in gate.failures)
    _case(suite, f"{gate.op}.{gate.backend}", gate.id, gate.seconds, outcome, message, body)


def _mutant(suite, mutant):
    outcome = {CAUGHT: None, MISSED: "failure"}.get(mutant.verdict, "error")
    _case(suite, f"{mutant.op}.mutants", mutant.id, 0.0, outcome, f"{mutant.verdict}: {mutant.reason}")


def junit(decision):
    """The decision as a JUnit document."""
    suite = ElementTree.Element("testsuite", name="seamgate")
    for gate in decision.gates:
        _gate(suite, gate)
    for mutant in decision.mutants:
        _mutant(suite, mutant)
    outcome = None if decision.verdict == PASS else "failure" if decision.verdict == FAIL else "error"
    reasons = decision.problems if decision.verdict == BROKEN else decision.shortfalls
    told = f"{decision.verdict}: exit {decision.exit_code}"
    _case(suite, "seamgate", "verdict", 0.0, outcome, told, "\n".join(reasons))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("time", f"{sum(gate.seconds for gate in decision.gates):.3f}")
    root = ElementTree.Element("testsuites")
    root.append(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
