"""Shared libraries for the tests of `seamgate check`: the examples, as they are and with edits."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "plugin_c"
COMPILER = os.environ.get("SEAMGATE_CC") or shutil.which("cc") or "cc"


def source(name="rmsnorm.c", *edits):
    """The text of an example, with (old, new) edits; each `old` has to stand there once."""
    text = (EXAMPLES / name).read_text()
    for old, new in edits:
        if text.count(old) != 1:
            raise AssertionError(f"{name}: {old!r} stands there {text.count(old)} times, not once")
        text = text.replace(old, new)
    return text


def compile_text(folder, name, text, *flags):
    """lib`name`.so of `text` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    code, library = folder / f"{name}.c", folder / f"lib{name}.so"
    code.write_text(text)
    command = [COMPILER, "-std=gnu11", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-I", ROOT / "include", "-I", EXAMPLES,
               *flags, code, "-o", library, "-lm"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{name} does not compile: {done.stderr}")
    return library


def forward_does(statement):
    """An edit that has the forward do something first; `x`, `w`, `y`, `call` and `message` are at hand."""
    return ("  if (code != SEAMGATE_OK) return code;\n  for (m = 0; m < x.count; ++m) {\n    const float* row = x.first + m * x.stride;\n    double sum = 0.0;",
            f"  if (code != SEAMGATE_OK) return code;\n  {statement}\n"
            "  for (m = 0; m < x.count; ++m) {\n    const float* row = x.first + m * x.stride;\n    double sum = 0.0;")


def including(*headers):
    return ("#include <math.h>\n", "#define _GNU_SOURCE\n" + "".join(f"#include <{header}>\n" for header in ("math.h", *headers)))
