"""Configures each preset into a scratch folder, compiles nothing, and compares its targets with ci/build_matrix.json.

The table names tests, programs and libraries, and what each preset leaves out, with the reason. What an op and its planted faults
bring is not in the table: it follows from the program's own list, so that an op is still added by adding files.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from .finding import Account, CannotLook, UsageError
from .known import _output

TABLE = "ci/build_matrix.json"
KINDS = ("tests", "programs", "libraries")
UTILITIES = "UTILITY"  # custom targets: nothing to link


def find_nvcc():
    """As CMake and ci/ do: CUDACXX is obeyed, then PATH, then the usual place."""
    named = os.environ.get("CUDACXX")
    return shutil.which(named) if named else shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def configure(source, preset, folder, nvcc):
    """Target names by CMake's type, and the names of the CTest tests."""
    query = Path(folder) / ".cmake/api/v1/query"
    query.mkdir(parents=True)
    (query / "codemodel-v2").touch()
    environment = dict(os.environ, **({"CUDACXX": nvcc} if nvcc else {}))
    ended = subprocess.run(["cmake", "--preset", preset, "-S", str(source), "-B", str(folder)], cwd=source, env=environment,
                           capture_output=True, text=True, check=False, timeout=300)
    if ended.returncode != 0:
        error = re.search(r"CMake Error.*(?:\n.+){0,3}", ended.stderr)
        raise RuntimeError(" ".join((error.group(0) if error else ended.stderr[-300:]).split()))
    targets = {}
    for file in sorted((Path(folder) / ".cmake/api/v1/reply").glob("target-*.json")):
        target = json.loads(file.read_text())
        if target["type"] != UTILITIES:
            targets[target["name"]] = target["type"]
    tests = set()
    for file in Path(folder).rglob("CTestTestfile.cmake"):
        tests |= set(re.findall(r"^add_test\(\[?=*\[?\"?([\w.]+)", file.read_text(), re.MULTILINE))
    return targets, tests


class Table:
    def __init__(self, tree):
        if not tree.has(TABLE):
            raise CannotLook(f"{TABLE} is not there")
        data = json.loads(tree.text(TABLE))
        self.names = {name for kind in KINDS for name in data[kind]}
        self.tests = set(data["tests"])
        self.left_out = data["left_out"]  # kind to {"reason", "names"}
        self.presets = data["presets"]  # preset to kinds

    def kind_of(self, preset, name):
        """Why the preset leaves this target out; None when it does not."""
        for kind in self.presets.get(preset, []):
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in self.left_out[kind]["names"]):
                return kind
        return None


def op_targets(listing, targets):
    """What the ops bring: (names that must be there, those of `targets` that are an op's)."""
    implementations = {(op["id"], "shipped") for op in listing["ops"]} | {(mutant["op"], mutant["id"]) for mutant in listing["mutants"]}
    must = {f"traits_{op['id']}" for op in listing["ops"]} | {f"subject_{op}_{name}" for op, name in implementations}
    compiled = {(op, name) for op, name in implementations if name == "shipped" or f"{op}_{name}_plain" in targets}
    must |= {f"{op}_{name}_{build}" for op, name in compiled for build in ("plain", "checked")}
    must |= {f"{op['id']}_shipped_cuda" for op in listing["ops"]}
    of_ops = {name for name in targets if re.match(r"(traits|subject)_", name) or
              any(name.startswith(f"{op}_{implementation}_") for op, implementation in implementations)}
    return must, of_ops


def examine(tree, program, asked=None):
    account, table = Account(), Table(tree)
    presets = [preset["name"] for preset in json.loads(tree.text("CMakePresets.json"))["configurePresets"] if not preset.get("hidden")]
    if set(presets) != set(table.presets):
        account.find(TABLE, "presets", " ".join(sorted(table.presets)), " ".join(sorted(presets)))
    for preset in asked or ():
        if preset not in presets:
            raise UsageError(f"--preset is '{preset}'; allowed: {', '.join(presets)}")
    for tool in ("cmake", "ninja"):
        if shutil.which(tool) is None:
            raise CannotLook(f"{tool} is not on PATH")
    listing = json.loads(_output([str(program), "list", "--json"]))
    nvcc = find_nvcc()
    for preset in asked or presets:
        if preset == "cuda" and nvcc is None:
            account.listed[preset] = "NOT CONFIGURED: no nvcc on PATH, in CUDACXX or in /usr/local/cuda"
            continue
        account.looked_at["preset"] += 1
        with tempfile.TemporaryDirectory(prefix=f"seamgate-builds-{preset}-") as folder:
            try:
                targets, tests = configure(tree.root, preset, folder, nvcc if preset == "cuda" else None)
            except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                account.find(preset, "configuration", str(error), "configured")
                continue
        compare(account, table, listing, preset, targets, tests)
    return account


def compare(account, table, listing, preset, targets, tests):
    account.looked_at["target"] += len(targets)
    must, of_ops = op_targets(listing, targets)
    everything = table.names | must
    left_out = {name: table.kind_of(preset, name) for name in sorted(everything) if table.kind_of(preset, name)}
    for name in sorted(everything - left_out.keys() - targets.keys()):
        account.find(preset, f"target `{name}`", "not there, and not in the list of what is left out", TABLE)
    for name in sorted(left_out.keys() & targets.keys()):
        account.find(preset, f"target `{name}`", "there", f"left out ({left_out[name]}), says {TABLE}")
    for name in sorted(targets.keys() - everything):
        known = "an op's, of no implementation that is listed" if name in of_ops else "there, and not in the table"
        account.find(preset, f"target `{name}`", known, TABLE)
    for kind in table.presets.get(preset, []):
        for pattern in table.left_out[kind]["names"]:
            if not any(fnmatch.fnmatchcase(name, pattern) for name in left_out):
                account.find(preset, f"left out `{pattern}`", "stands for nothing", f"a target, or no line in {TABLE}")
    for name in sorted((table.tests & targets.keys())):
        account.looked_at["test binary"] += 1
        if f"unit.{name}" not in tests:
            account.find(preset, f"test binary `{name}`", "CTest runs it nowhere", f"a test unit.{name}")
    reasons = {kind: [name for name, why in left_out.items() if why == kind] for kind in table.presets.get(preset, [])}
    account.listed[preset] = {"targets": len(targets), "tests": len(tests), "test binaries": sorted(table.tests & targets.keys()),
                              "left out": {f"{kind} ({table.left_out[kind]['reason']})": names for kind, names in reasons.items()}}
