"""The command line: documents, figures or builds; JSON on stdout; exit 0 nothing found, 1 findings, 3 cannot look, 64 usage."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import builds, figures
from .documents import Documents
from .finding import CannotLook, UsageError
from .known import Known
from .tree import Tree

ROOT = Path(__file__).resolve().parent.parent.parent


def _parser():
    parser = argparse.ArgumentParser(prog="seamgate_account.py", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (("documents", "names in documents, comments and titles exist"),
                        ("figures", "figures in documents equal the records that they name"),
                        ("builds", "each preset has the targets that the table gives it")):
        command = commands.add_parser(name, help=about, allow_abbrev=False)
        command.add_argument("--source", default=str(ROOT), help="the repository (the one that this file is in)")
        if name != "figures":
            command.add_argument("--program", default=str(ROOT / "build/cpu/bin/seamgate"), help="the program seamgate, built")
        if name == "builds":
            command.add_argument("--preset", action="append", help="a preset to configure, given once for each; all by default")
    return parser


def _account(arguments):
    tree = Tree(arguments.source)
    if not tree.has("CMakePresets.json"):
        raise CannotLook(f"no source tree of seamgate is in '{arguments.source}'")
    if arguments.command == "documents":
        return Documents(Known(tree, arguments.program)).examine()
    if arguments.command == "figures":
        return figures.examine(tree)
    return builds.examine(tree, arguments.program, arguments.preset)


def main():
    try:
        arguments = _parser().parse_args()
    except SystemExit as error:
        return 64 if error.code else 0
    try:
        account = _account(arguments)
    except UsageError as error:
        print(f"seamgate_account: {error}", file=sys.stderr)
        return 64
    except CannotLook as reason:
        print(json.dumps({"cannot_look": str(reason)}))
        return 3
    print(json.dumps(account.to_json(), indent=1))
    return 1 if account.findings else 0
