"""Find Chromium for the browser tests; install Debian's when we may."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW = "The browser tests need Chromium: apt-get install chromium, or set CHROMIUM_PATH."


def find_chromium() -> str | None:
    """Return the path of a Chromium or Chrome, or None."""
    wanted = os.environ.get("CHROMIUM_PATH")
    if wanted:
        return wanted if os.access(wanted, os.X_OK) else None
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def install_chromium() -> str | None:
    """Install Debian's package when we are root; return its path."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    }
    subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
    subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=False, **quiet)
    return find_chromium()


if __name__ == "__main__":
    if not (find_chromium() or install_chromium()):
        sys.exit(HOW)
