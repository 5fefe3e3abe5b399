"""The command line: decide, judge, requirements, merge."""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from pathlib import Path

from .decision import decide_folder
from .merge import merge_folders
from .outcome import BROKEN, EXIT_CODES, USAGE_EXIT, BrokenError, UsageError
from .output import publish, withdraw
from .part import judge_part
from .render import render
from .requirements import requirements_json, requirements_table
from .screen import screen
from .summary import exit_code_of, exit_code_of_gate, summarise

PROGRAM = "seamgate_report"


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(f"{message} (see {PROGRAM} --help)")


def _parser():
    parser = _Parser(prog=PROGRAM, description="Decides about a seamgate run, from its records alone. Exit: 0 PASS, "
                     "1 FAIL, 3 PENDING, 64 usage, 70 broken.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    decide = commands.add_parser("decide", help="decide, write the report into DIR, print the screen")
    decide.add_argument("dir", metavar="DIR", help="the folder of the run: plan.json and records/")
    decide.add_argument("--elapsed-s", type=float, default=None, metavar="S", help="wall time of the run, in seconds")
    decide.add_argument("--gate", default=None, metavar="ID",
                        help="exit by this gate alone: 0 PASS, 1 FAIL, 77 NOT RUN (for CTest)")
    decide.add_argument("--no-picture", action="store_true", help="leave errors.png out, which takes a second to draw")
    decide.add_argument("--json", action="store_true", help="print the summary instead of the screen")
    judge = commands.add_parser("judge", help="the verdict of one gate of a run that goes on; writes nothing")
    judge.add_argument("dir", metavar="DIR")
    judge.add_argument("--gate", required=True, metavar="ID")
    judge.add_argument("--op", action="append", default=[], help="all of the run's ops where it is left out")
    judge.add_argument("--backend", action="append", default=[], help="likewise")
    rows = commands.add_parser("requirements", help="every row that must hold, with its gates and verdict")
    rows.add_argument("dir", metavar="DIR")
    rows.add_argument("--json", action="store_true")
    merge = commands.add_parser("merge", help="join a CPU and a GPU run of the same sources")
    merge.add_argument("dirs", metavar="DIR", nargs=2)
    merge.add_argument("--out", required=True, metavar="DIR")
    merge.add_argument("--json", action="store_true")
    return parser


def _existing(folder):
    if not Path(folder).is_dir():
        raise UsageError(f"no such folder: {folder} (a run writes one: seamgate run --out DIR)")
    return folder


def _print(text):
    sys.stdout.write(text.encode("ascii", "backslashreplace").decode("ascii"))
    sys.stdout.flush()


def _report(decision, folder, as_json, elapsed_s=None, gate=None, picture=True):
    files, why_not_drawn = render(decision, elapsed_s, picture)
    publish(folder, files)
    code = exit_code_of_gate(folder, decision.run_id, gate) if gate else exit_code_of(folder, decision.run_id)
    if as_json:
        _print(json.dumps(summarise(decision), indent=1) + "\n")
    else:
        _print(screen(decision, elapsed_s, folder, why_not_drawn))
    return code


def run(arguments):
    options = _parser().parse_args(arguments)
    if options.command == "decide":
        withdraw(_existing(options.dir))
        return _report(decide_folder(options.dir), options.dir, options.json, options.elapsed_s, options.gate,
                       not options.no_picture)
    if options.command == "judge":
        lines, code = judge_part(_existing(options.dir), options.gate, options.op, options.backend)
        _print("".join(line + "\n" for line in lines))
        return code
    if options.command == "requirements":
        decision = decide_folder(_existing(options.dir))
        _print(requirements_json(decision) if options.json else requirements_table(decision))
        return 0
    if any(Path(options.out).resolve() == Path(folder).resolve() for folder in options.dirs):
        raise UsageError(f"--out {options.out} is one of the runs to merge; name another folder")
    decision = merge_folders(*[_existing(folder) for folder in options.dirs])
    withdraw(options.out)
    return _report(decision, options.out, options.json)


def main(arguments=None):
    """Runs one command; returns its exit code. Every error of the caller or of the records is one line."""
    try:
        return run(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return USAGE_EXIT
    except BrokenError as error:
        print(f"{PROGRAM}: broken: {error}", file=sys.stderr)
        return EXIT_CODES[BROKEN]
    except Exception:  # a fault of this program; Python's own exit code for it is 1, which would read FAIL
        traceback.print_exc()
        return EXIT_CODES[BROKEN]
