"""The rows that must hold, each with the gates that answer it and the verdict."""

import json

from .summary import summarise


def requirements_json(decision):
    return json.dumps(summarise(decision)["requirements"], indent=1) + "\n"


def requirements_table(decision):
    """One line a row: id, verdict, gates, title."""
    lines = []
    for row in decision.rows:
        lines.append(f"{row.id:<5}{row.verdict:<13}{row.title}")
        if row.gates:
            lines.append(" " * 18 + "by " + ", ".join(row.gates))
    tally = {}
    for row in decision.rows:
        tally[row.verdict] = tally.get(row.verdict, 0) + 1
    lines.append(f"{len(decision.rows)} rows: " + ", ".join(f"{count} {verdict}" for verdict, count in tally.items()))
    return "\n".join(lines) + "\n"
