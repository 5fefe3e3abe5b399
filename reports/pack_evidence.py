"""Makes a folder of evidence from a run: pack_evidence.py RUN_DIR NAME [--past] [--elapsed-s S].

RUN_DIR holds plan.json and records/. reports/evidence/NAME gets run.tar.gz (both, with GPU identifiers shortened), the report that
is made of them anew (summary.json, junit.xml, report.md, report.html) and expected.json: verdict, failed gates, commit, and
whether the run is of the sources as they are. A run of other sources than the checkout's is refused without --past.
Exit: 0 written, 1 refused.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import re
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from seamgate_account.evidence import UUID, problems_of_evidence  # noqa: E402
from seamgate_report.decision import decide_folder  # noqa: E402
from seamgate_report.outcome import FAIL, BrokenError  # noqa: E402
from seamgate_report.output import publish  # noqa: E402
from seamgate_report.render import render  # noqa: E402

NEEDED = ("commit", "binary_sha256", "source_sha256", "driver", "gpu", "gpu_uuid")
OUTPUT_FOLDER = re.compile(r"(--out|--build)[ =]\S+")  # where a machine keeps its files is nobody's business


def shortened(text):
    return UUID.sub(lambda found: found.group(0)[:12], text)


def copy_run(run, target):
    """Plan and records of `run` into `target`, with identifiers shortened; returns the plan."""
    (target / "records").mkdir(parents=True)
    plan = json.loads(shortened((run / "plan.json").read_text(encoding="utf-8")))
    plan["command"] = OUTPUT_FOLDER.sub(r"\1 out", plan["command"])
    (target / "plan.json").write_text(json.dumps(plan, indent=1) + "\n", encoding="utf-8")
    for record in sorted((run / "records").glob("*.jsonl")):
        (target / "records" / record.name).write_text(shortened(record.read_text(encoding="utf-8", errors="replace")), encoding="utf-8")
    for name in ("interrupted", "not_run"):
        if (run / name).exists():
            shutil.copy(run / name, target)
    return plan


def packed(folder):
    """The folder's files as a .tar.gz, the same bytes for the same files."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            entry.size = path.stat().st_size
            tar.addfile(entry, io.BytesIO(path.read_bytes()))
    return gzip.compress(raw.getvalue(), 9, mtime=0)


def make(run, name, past, root, elapsed_s=None):
    """Writes the folder; returns it and lines about what is still to do. ValueError when the run is no evidence."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "run"
        plan = copy_run(Path(run), copy)
        facts = plan["provenance"]
        missing = [fact for fact in NEEDED if not facts.get(fact)]
        if missing:
            raise ValueError(f"{run}: its provenance lacks {', '.join(missing)}")
        decision = decide_folder(copy)
        expected = {"verdict": decision.verdict, "failed": [gate.key for gate in decision.with_verdict(FAIL)], "commit": facts["commit"],
                    "past": past}
        told = problems_of_evidence(name, expected, facts, root, {"reports/evidence/README.md": f"{name} {facts['commit']}"})
        if told:
            raise ValueError(told[0])
        files, _ = render(decision, elapsed_s, False)
        files["run.tar.gz"] = packed(copy)
        files["expected.json"] = (json.dumps(expected, indent=1) + "\n").encode()
    target = Path(root) / "reports" / "evidence" / name
    if target.exists():
        shutil.rmtree(target)
    publish(target, files)
    return target, [f"list `{name}` with commit {facts['commit'][:7]} in reports/evidence/README.md"]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="pack_evidence.py", description=__doc__.splitlines()[0])
    parser.add_argument("run", metavar="RUN_DIR")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--past", action="store_true", help="the run is of older sources than the checkout's")
    parser.add_argument("--elapsed-s", type=float, default=None)
    options = parser.parse_args(arguments)
    if not re.fullmatch(r"[a-z0-9_]+", options.name):
        print(f"pack_evidence.py: NAME is '{options.name}'; allowed: a to z, digits and _", file=sys.stderr)
        return 1
    try:
        target, to_do = make(options.run, options.name, options.past, HERE.parent, options.elapsed_s)
    except (ValueError, OSError, KeyError, BrokenError) as error:
        print(f"pack_evidence.py: {error}", file=sys.stderr)
        return 1
    print(f"{target}: " + ", ".join(f"{path.name} {path.stat().st_size}" for path in sorted(target.iterdir())))
    for line in to_do:
        print(f"to do: {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
