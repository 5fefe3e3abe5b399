"""What an account says: how much it looked at, what it lists, and what is wrong."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import asdict, dataclass, field


class UsageError(Exception):
    """The command line asks for what cannot be done; exit 64."""


class CannotLook(Exception):
    """Something that the account needs is not here, so that it says nothing; exit 3."""


@dataclass(frozen=True, order=True)
class Finding:
    where: str  # file:line, or the name of a build
    what: str  # the kind and the name as it stands there
    got: str
    want: str


@dataclass
class Account:
    looked_at: Counter = field(default_factory=Counter)  # by kind; nothing looked at is no answer
    listed: dict = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def find(self, where, what, got, want):
        self.findings.append(Finding(where, what, got, want))

    def to_json(self):
        return {"looked_at": dict(sorted(self.looked_at.items())), "listed": self.listed,
                "findings": [asdict(finding) for finding in sorted(set(self.findings))]}


def nearest(name, known):
    """The known name most like `name`, in words for a message."""
    like = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.0)
    return f"nearest is {like[0]}" if like else "nothing of this kind exists"
