"""Figures in documents are tied to records: `20.1 M elements/s<!-- figure: benchmarks/records/truth.json#elements_per_s -->`.

In a comment of the code the tie stands in brackets: 8 ms [figure: FILE#NAME]. A number that is a limit and not a measurement names
the file that sets it, `<!-- limit: gates/gate.hpp -->`, in which the number must stand.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal

from . import comments, markdown
from .documents import is_document
from .finding import Account, nearest

# A unit to (what it measures, how many of the smallest unit it is).
UNITS = {"ns": ("time", Decimal(1)), "us": ("time", Decimal(10) ** 3), "µs": ("time", Decimal(10) ** 3), "ms": ("time", Decimal(10) ** 6),
         "s": ("time", Decimal(10) ** 9), "seconds": ("time", Decimal(10) ** 9), "minutes": ("time", 60 * Decimal(10) ** 9),
         "MB/s": ("bandwidth", Decimal(10) ** 6), "GB/s": ("bandwidth", Decimal(10) ** 9), "TB/s": ("bandwidth", Decimal(10) ** 12),
         "KiB": ("memory", Decimal(2) ** 10), "MiB": ("memory", Decimal(2) ** 20), "GiB": ("memory", Decimal(2) ** 30),
         "elements/s": ("throughput", Decimal(1)), "k elements/s": ("throughput", Decimal(10) ** 3),
         "M elements/s": ("throughput", Decimal(10) ** 6), "G elements/s": ("throughput", Decimal(10) ** 9),
         "cases": ("cases", Decimal(1))}
# In the comments of code a duration or a size is most often a limit that stands beside it; these are claims of speed.
CLAIMS_IN_CODE = ("ns", "us", "µs", "ms", "GB/s", "TB/s", "elements/s", "k elements/s", "M elements/s", "G elements/s")
MACHINE = ("cpu", "cores", "compiler", "load_1min")
RECORD = ("benchmark", "machine", "commit", "date", "figures")

_NUMBER = r"(?<![\w.,/-])(?P<number>\d[\d,]*(?:\.\d+)?)"
_UNIT = "(?P<unit>" + "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True)) + r")(?![\w/])"
_TIE = r"(?:\s*(?:<!--|\[)\s*(?P<kind>figure|limit):\s*(?P<target>[^\s\]]+)\s*(?:-->|\]))?"
_FIGURE = re.compile(_NUMBER + r"(?:[ \u00a0]|\n *)?" + _UNIT + _TIE)
_ANY_TIE = re.compile(r"(?:<!--|\[)\s*figure:\s*\S+\s*(?:-->|\])")


def quantity(number, unit):
    """(what it measures, value in the smallest unit, half of the last digit that is printed)."""
    plain = number.replace(",", "")
    kind, scale = UNITS[unit]
    digits = len(plain.partition(".")[2])
    return kind, Decimal(plain) * scale, Decimal(5) * Decimal(10) ** (-digits - 1) * scale


class _Records:
    def __init__(self, tree):
        self.tree, self.read = tree, {}

    def look_up(self, target):
        """(figure, None) or (None, what is wrong)."""
        file, _, name = target.partition("#")
        if not self.tree.has(file):
            records = {known for known in self.tree.files if "/records/" in known}
            return None, f"record {file} is not there; {nearest(file, records)}"
        if file not in self.read:
            self.read[file] = self._parse(file)
        record, wrong = self.read[file]
        if wrong:
            return None, f"record {file} {wrong}"
        by_name = {figure["name"]: figure for figure in record["figures"]}
        if name not in by_name:
            return None, f"{file} has no figure {name or '(none was named)'}; {nearest(name, by_name)}"
        return by_name[name], None

    def _parse(self, file):
        try:
            record = json.loads(self.tree.text(file))
        except json.JSONDecodeError as error:
            return None, f"is no JSON: {error}"
        if not isinstance(record, dict):
            return None, "is no object"
        missing = [key for key in RECORD if not record.get(key)]
        machine = record.get("machine")
        missing += [f"machine.{key}" for key in MACHINE if not isinstance(machine, dict) or machine.get(key) in (None, "")]
        if missing:
            return None, f"does not say {', '.join(missing)}"
        for figure in record["figures"]:
            if not {"name", "value", "unit"} <= figure.keys() or figure["unit"] not in UNITS:
                return None, f"has a figure without name, value and a known unit: {figure}"
            if not isinstance(figure["value"], (int, float)) or isinstance(figure["value"], bool) or not 0 < figure["value"] < float("inf"):
                return None, f"has {figure['value']} as {figure['name']}"
        return record, None


class _Quoted:
    def __init__(self, tree):
        self.tree, self.records, self.account = tree, _Records(tree), Account()

    def text(self, file, first, text, units=None):
        tied, where = 0, f"{file}:{first}"
        for match in _FIGURE.finditer(text):
            where = f"{file}:{markdown.line_at(first, text, match.start())}"
            shown = f"{match['number']} {match['unit']}"
            if match["kind"] == "figure":
                tied += 1
                self.account.looked_at["figure"] += 1
                self._compare(where, shown, match)
            elif match["kind"] == "limit":
                self.account.looked_at["limit"] += 1
                self._limit(where, shown, match)
            elif match["unit"] != "cases" and (units is None or match["unit"] in units):
                self.account.looked_at["figure"] += 1
                self.account.find(where, f"`{shown}`", "tied to no record", "<!-- figure: RECORD#NAME --> after it")
        for _ in range(len(_ANY_TIE.findall(text)) - tied):
            self.account.find(where, "a tie to a record", "no number with a known unit before it", "NUMBER UNIT<!-- figure: RECORD#NAME -->")

    def _compare(self, where, shown, match):
        figure, wrong = self.records.look_up(match["target"])
        if wrong:
            self.account.find(where, f"`{shown}`", wrong, match["target"])
            return
        kind, value, tolerance = quantity(match["number"], match["unit"])
        recorded_kind, scale = UNITS[figure["unit"]]
        recorded = Decimal(repr(figure["value"])) * scale
        if kind != recorded_kind or abs(value - recorded) > tolerance:
            self.account.find(where, f"`{shown}`", shown, f"{figure['value']} {figure['unit']} ({match['target']})")

    def _limit(self, where, shown, match):
        file = match["target"]
        number = match["number"].replace(",", "")
        if not self.tree.has(file) or file not in self.tree.files:
            self.account.find(where, f"`{shown}`", f"{file} is not there; {nearest(file, self.tree.files)}", "the file that sets the limit")
        elif not re.search(rf"(?<![\w.]){re.escape(number)}(?![\w.])", self.tree.text(file).replace("'", "")):
            self.account.find(where, f"`{shown}`", f"{number} does not stand in {file}", "the file that sets the limit")


def examine(tree):
    quoted = _Quoted(tree)
    for file in tree.files:
        language = tree.language(file)
        if language == "markdown" and is_document(file):
            document = markdown.parse(tree.text(file))
            quoted.account.looked_at["document"] += 1
            for line, text in document.paragraphs:
                quoted.text(file, line, text)
            for info, line, text in document.blocks:
                if info.split()[:1] != [markdown.SCREEN]:
                    quoted.text(file, line, text)
        elif language in ("cpp", "cmake", "shell", "python") and not file.startswith("reports/seamgate_account/figures"):
            for line, text in comments.split(tree.text(file), language)[0]:
                quoted.account.looked_at["comment"] += 1
                quoted.text(file, line, text, CLAIMS_IN_CODE)
    return quoted.account
