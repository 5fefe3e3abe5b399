"""Small words that the screen and the page share."""


def plural(count, what):
    """"1 case", "2 cases"."""
    return f"{count} {what}" + ("" if count == 1 else "s")


def amount(gates):
    """How many cases and checks these gates ran; empty when none."""
    cases, checks = sum(gate.cases for gate in gates), sum(gate.checks for gate in gates)
    parts = [plural(cases, "case")] if cases else []
    parts += [plural(checks, "check")] if checks else []
    return ", ".join(parts)
