"""A Chromium or Chrome without a window: opens a page from a file, returns its DOM, what it complained of, its picture.

No library is needed: the browser itself prints the DOM (chromium --dump-dom) and logs what a page's console says.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The page is our own file, and the sandbox works neither for root nor in most containers.
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
           "--disable-background-networking", "--disable-component-update", "--enable-logging=stderr")
DARK = "--blink-settings=preferredColorScheme=0"
LIGHT = "--blink-settings=preferredColorScheme=1"
_CONSOLE = re.compile(r"CONSOLE[:(].*")
_TIMEOUT_S = 120


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A browser with a profile of its own in `folder`."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def _run(self, page, *options, size):
        command = [self.program, *OPTIONS, f"--user-data-dir={self.folder / 'profile'}", f"--window-size={size[0]},{size[1]}",
                   *options, Path(page).resolve().as_uri()]
        result = subprocess.run(command, capture_output=True, timeout=_TIMEOUT_S, check=False)
        told = result.stderr.decode("utf-8", "replace")
        if result.returncode != 0:
            raise AssertionError(f"{self.program} exited with {result.returncode}: {told[-2000:]}")
        return result.stdout.decode("utf-8", "replace"), _CONSOLE.findall(told)

    def dom(self, page, *options, size=(1280, 900)):
        """The DOM after loading, as HTML, and the lines that the page's console was given."""
        return self._run(page, "--dump-dom", *options, size=size)

    def picture(self, page, *options, size=(1280, 900)):
        """A picture of the window as PNG bytes."""
        target = self.folder / "window.png"
        target.unlink(missing_ok=True)
        self._run(page, f"--screenshot={target}", *options, size=size)
        return target.read_bytes()
