"""Find Chromium for the browser tests; install Debian's when we may.

Chromium's headless shell opens a page in a fifth of the time: tests take it where it is.
"""

from __future__ import annotations  # any python3 runs this: it needs no package

import os
import shutil
import subprocess
import sys

SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW = "The browser tests need Chromium: apt-get install chromium, or set CHROMIUM_PATH."


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome, or None."""
    wanted = os.environ.get("CHROMIUM_PATH")
    if wanted:
        return wanted if os.access(wanted, os.X_OK) else None
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def find_shell() -> str | None:
    """Return the path of the headless shell, else of a Chromium or Chrome, or None."""
    shell = None if os.environ.get("CHROMIUM_PATH") else shutil.which(SHELL)
    return shell or find_chromium()


def install_chromium() -> str | None:
    """Install Debian's packages when we are root; return the path of Chromium."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    }
    subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
    for package in (SHELL, "chromium"):  # not every Debian has the first
        subprocess.run(["apt-get", "install", "-y", "-qq", package], check=False, **quiet)
    return find_chromium()


if __name__ == "__main__":
    if not (shutil.which(SHELL) and find_chromium()) and not os.environ.get("CHROMIUM_PATH"):
        install_chromium()
    if not find_shell():
        sys.exit(HOW)
