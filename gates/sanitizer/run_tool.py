"""One tool of compute-sanitizer over the gates of one op, or over the fault that is planted for the tool.

    run_tool.py --tool memcheck --program bin/seamgate --op rmsnorm --gates truth,bounds [--tier smoke]
    run_tool.py --tool memcheck --planted bin/seamgate_planted

Exit: 0 the tool looked and found nothing (planted: found its fault), 1 it did not, 64 usage, 77 NOT RUN: no GPU, no
compute-sanitizer, or the gates did not run. Nothing is taken for clean that does not say so: the tool's own summary must be
there, and under it gates that judged cases on the GPU.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

FOUND = 86  # what the tool is asked to exit with when it has found something
SKIPPED = 77
# What a tool says of the fault that is planted for it.
SYMPTOM = {
    "memcheck": r"Invalid __global__ write",
    "racecheck": r"Race reported|hazard",
    "initcheck": r"Uninitialized __global__ memory read",
    "synccheck": r"Barrier error detected|Divergent thread",
}
SUMMARY = re.compile(r"^=+ (?:ERROR|RACECHECK) SUMMARY: (\d+) (?:errors?|hazards? displayed)\b", re.MULTILINE)
INTERNAL = re.compile(r"^=+ (Internal Sanitizer Error.*|Error: (?:No CUDA|Target application|Unable|Could not).*|.*is not supported.*)$",
                      re.MULTILINE)


class CannotRun(Exception):
    """NOT RUN, and why."""


@dataclass
class Evidence:
    """What the gates under the tool left: cases that were judged, failures, and reasons for not running."""

    cases: int = 0
    failed: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)


def errors_in(output):
    """How many errors the tool's summaries count; None when there is no summary."""
    counts = [int(count) for count in SUMMARY.findall(output)]
    return sum(counts) if counts else None


def first_finding(output):
    """The first lines that the tool wrote of an error, for the log of a failure."""
    lines = [line for line in output.splitlines() if line.startswith("=====") and "COMPUTE-SANITIZER" not in line]
    return "\n".join(lines[:12])


def judge_clean(tool, code, output, evidence):
    """Why the run is not clean; empty when it is. Raises CannotRun where the gates did not run at all."""
    errors = errors_in(output)
    if internal := INTERNAL.search(output):
        return f"{tool} had trouble of its own: {internal.group(1)}"
    if code == FOUND or errors:
        return f"{tool} found {errors if errors is not None else 'something'}:\n{first_finding(output)}"
    if not evidence.ended and evidence.not_run:
        raise CannotRun(evidence.not_run[0])
    if code != 0:
        return f"the gates ended with exit {code} under {tool}"
    if errors is None:
        return f"{tool} left no summary: it did not look"
    if evidence.cases == 0:
        return f"no gate judged a case under {tool}: nothing was checked"
    if evidence.failed:
        return f"{len(evidence.failed)} assertions failed under {tool}: {evidence.failed[0]}"
    return ""


def judge_planted(tool, code, output):
    """Why the planted fault counts as not found; empty when it was."""
    errors = errors_in(output)
    if internal := INTERNAL.search(output):
        return f"{tool} had trouble of its own: {internal.group(1)}"
    if errors is None:
        return f"{tool} left no summary: it did not look"
    if errors == 0 or code != FOUND:
        return f"{tool} counts {errors} errors and exits {code}; the planted fault asks for one at least and exit {FOUND}"
    if not re.search(SYMPTOM[tool], output):
        return f"{tool} found something else than the planted fault ('{SYMPTOM[tool]}'):\n{first_finding(output)}"
    return ""


def read_records(folder):
    evidence = Evidence()
    for path in sorted(Path(folder).glob("*.jsonl")):
        cases = set()
        for raw in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                line = json.loads(raw)
            except ValueError:
                continue  # cut off by the end of the process, which the exit code tells
            kind = line.get("kind")
            if kind in ("case", "check") and line.get("case"):
                cases.add(line["case"])
                if line.get("passed") is not True:
                    evidence.failed.append(f"{line.get('gate')}: {line['case']} {line.get('tensor') or line.get('name')}")
            elif kind == "not_run":
                evidence.not_run.append(str(line.get("reason")))
            elif kind == "end":
                evidence.ended.append(str(line.get("gate")))
        evidence.cases += len(cases)
    return evidence


def find_tool():
    """The path of compute-sanitizer; CannotRun when it is in none of the places where CUDA puts it."""
    roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    places = [shutil.which("compute-sanitizer")]
    places += [f"{root}/{part}" for root in roots if root for part in ("bin/compute-sanitizer", "compute-sanitizer/compute-sanitizer")]
    for place in places:
        if place and os.access(place, os.X_OK):
            return place
    raise CannotRun("no compute-sanitizer on PATH, in CUDA_HOME or in /usr/local/cuda")


def require_gpu():
    query = shutil.which("nvidia-smi")
    listed = subprocess.run([query, "-L"], capture_output=True, text=True, check=False) if query else None
    if listed is None or listed.returncode != 0 or "UUID" not in listed.stdout:
        raise CannotRun("no GPU")


def call(command, timeout_s):
    """Exit code and output; what the command has started ends with it."""
    environment = {**os.environ, "SEAMGATE_UNDER_TOOL": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True, env=environment)
    try:
        output, _ = process.communicate(timeout=timeout_s)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return -1, output + f"\ntimeout after {timeout_s} s\n"


def leased(program, command):
    """`command` under the GPU's lease, where nobody has taken it for us."""
    if os.environ.get("SEAMGATE_LEASE") or not program:
        return command
    known = subprocess.run([program, "lease", "--help"], capture_output=True, text=True, check=False).returncode == 0
    return [program, "lease", "--wait", "600", "--", *command] if known else command


def run(options):
    require_gpu()
    tool = [find_tool(), "--tool", options.tool, "--error-exitcode", str(FOUND), "--report-api-errors", "no", "--print-limit", "20"]
    if options.planted:
        beside = Path(options.planted).with_name("seamgate")
        code, output = call(leased(str(beside) if beside.exists() else None, [*tool, options.planted, options.tool]), options.timeout_s)
        why = judge_planted(options.tool, code, output)
        return why, f"{options.tool} found the fault that is planted for it", output
    with tempfile.TemporaryDirectory(prefix="seamgate-sanitizer-") as folder:
        gates = [options.program, "gate", "--gate", options.gates, "--op", options.op, "--backend", "cuda", "--tier", options.tier,
                 "--implementation", "seamgate", "--run-id", "sanitizer", "--records", folder]
        code, output = call(leased(options.program, [*tool, *gates]), options.timeout_s)
        evidence = read_records(folder)
    why = judge_clean(options.tool, code, output, evidence)
    return why, f"{options.tool} found nothing in {evidence.cases} cases of {', '.join(evidence.ended)} ({options.op})", output


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="run_tool.py")
    parser.add_argument("--tool", required=True, choices=sorted(SYMPTOM))
    parser.add_argument("--planted", metavar="PROGRAM")
    parser.add_argument("--program")
    parser.add_argument("--op")
    parser.add_argument("--gates")
    parser.add_argument("--tier", default="smoke")
    parser.add_argument("--timeout-s", type=int, default=840)
    try:
        options = parser.parse_args(arguments)
    except SystemExit as stopped:
        return 64 if stopped.code else 0
    if not options.planted and not (options.program and options.op and options.gates):
        print("run_tool.py: allowed: --planted PROGRAM, or --program, --op and --gates", file=sys.stderr)
        return 64
    try:
        why, found, output = run(options)
    except CannotRun as reason:
        print(f"NOT RUN  {reason}")
        return SKIPPED
    if why:
        print(f"FAIL  {why}\n--- the end of what the tool wrote\n{output[-6000:]}")
        return 1
    print(f"PASS  {found}" + (f"\n{output}" if options.planted else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
