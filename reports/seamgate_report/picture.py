"""errors.png: the error over its bar, per gate. Drawn by its own process, so that nothing in it can touch a verdict."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from .outcome import CAUGHT
from .quantity import over_bar, to_json

_REPORTS = Path(__file__).resolve().parent.parent
_TIMEOUT_S = 40


def picture_data(decision):
    """What is drawn: per gate every error over its bar, per planted fault the worst one."""
    gates = [{"label": f"{gate.id} ({gate.op} {gate.backend})", "verdict": gate.verdict,
              "over_bar": [to_json(over_bar(line["error"], line["bar"])) for line in gate.numbers]}
             for gate in decision.gates if gate.numbers]
    mutants = [{"label": f"{mutant.title}: {', '.join(mutant.by[:2])}", "over_bar": to_json(mutant.over_bar)}
               for mutant in decision.mutants if mutant.verdict == CAUGHT and mutant.over_bar is not None]
    return {"title": f"seamgate: {decision.verdict}, tier {decision.tier}", "gates": gates, "mutants": mutants}


def _interpreters():
    """This interpreter, then that of the repository's own environment, which ci/setup makes."""
    own = _REPORTS.parent / ".venv" / "bin" / "python3"
    return [sys.executable] + ([str(own)] if own.exists() else [])


def draw(decision):
    """The picture as PNG bytes and "", or None and why it was not drawn."""
    data = picture_data(decision)
    if not data["gates"] and not data["mutants"]:
        return None, "no numbers to draw"
    why = "no Python to draw with"
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "errors.png"
        for python in _interpreters():
            try:
                subprocess.run([python, "-m", "seamgate_report.plot", str(target)], input=json.dumps(data), text=True,
                               cwd=_REPORTS, capture_output=True, timeout=_TIMEOUT_S, check=True)
                return target.read_bytes(), ""
            except (OSError, subprocess.SubprocessError) as error:
                told = getattr(error, "stderr", None) or ""
                missing = "No module named 'matplotlib'" in str(told)
                why = "matplotlib missing" if missing else f"drawing failed: {type(error).__name__}"
    return None, why
