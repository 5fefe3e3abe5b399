"""Writing a report so that it appears whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from .outcome import UsageError
from .summary import SUMMARY

REPORT_FILES = (SUMMARY, "junit.xml", "report.md", "report.html", "errors.png")


def withdraw(folder):
    """Removes an earlier report, so that nobody reads it as this run's, whatever happens next."""
    for name in REPORT_FILES:
        try:
            (Path(folder) / name).unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write the report into {folder}: {error.strerror}") from None


def publish(folder, files):
    """Writes `files` (name to bytes) into `folder`, each whole, the summary last."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".report-", dir=folder))
        try:
            for name, content in files.items():
                with open(staging / name, "wb") as handle:
                    handle.write(content)
                    handle.flush()
                    os.fsync(handle.fileno())
            for name in sorted(files, key=lambda name: name == SUMMARY):
                os.replace(staging / name, folder / name)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise UsageError(f"cannot write the report into {folder}: {error.strerror}") from None
