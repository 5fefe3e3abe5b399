"""The program under test, run as a user runs it. Its path is in SEAMGATE_PROGRAM."""

import json
import os
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = os.environ["SEAMGATE_PROGRAM"]
PASS, FAIL, PENDING, USAGE = 0, 1, 3, 64


def environment(**changes):
    """This process's environment without any switch of a kernel, and with `changes`."""
    return {name: value for name, value in os.environ.items() if not name.startswith("DM_")} | changes


def call(*arguments, **changes):
    return subprocess.run([PROGRAM, *map(str, arguments)], env=environment(**changes), capture_output=True, text=True, timeout=240,
                          check=False, errors="backslashreplace")


def start(*arguments, **changes):
    return subprocess.Popen([PROGRAM, *map(str, arguments)], env=environment(**changes), stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def listing():
    return json.loads(call("list", "--json").stdout)


def processes_with(text):
    """The ids of living processes with `text` in their command line."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and text in (folder / "cmdline").read_bytes().decode(errors="replace"):
                found.append(int(folder.name))
        except OSError:
            pass  # it has ended meanwhile
    return found


def wait_until(condition, seconds):
    """Whether `condition` came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


class Program(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="seamgate-program-")
        self.addCleanup(temporary.cleanup)
        self.top = Path(temporary.name)
        self.out = self.top / "out"

    def summary(self, folder=None):
        return json.loads(((folder or self.out) / "summary.json").read_text())

    def verdicts(self, folder=None):
        return {gate["id"]: gate["verdict"] for gate in self.summary(folder)["gates"]}
