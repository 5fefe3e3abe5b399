"""The words of a verdict, the exit code that each stands for, and the two errors that end a command early."""

PASS = "PASS"
FAIL = "FAIL"
NOT_RUN = "NOT RUN"
NOT_APPLICABLE = "NOT APPLICABLE"
PENDING = "PENDING"
BROKEN = "BROKEN"
NO_GATE = "no gate yet"

CAUGHT = "caught"
MISSED = "missed"
MUTANT_NOT_RUN = "not run"

USAGE_EXIT = 64
SKIPPED_EXIT = 77  # what CTest is told of a gate that did not run
EXIT_CODES = {PASS: 0, FAIL: 1, PENDING: 3, BROKEN: 70}


class UsageError(Exception):
    """The caller asked for what cannot be done: one line, exit 64."""


class BrokenError(Exception):
    """What should be read is unreadable or contradicts itself: one line, exit 70."""
