"""Processes that are as fresh as those that Python starts, for a tenth of the CPU.

One process loads packages, none of ours, and knows no settings. What it is asked to run, it runs
in children of its own, which differ from a start in nothing but that the packages are there.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.e2e.app import ROOT

#: What our settings and apps load. A package that read settings would fail here.
PACKAGES = (
    "celery.app.base",
    "celery.app.registry",
    "corsheaders.defaults",
    "csp.constants",
    "cryptography.fernet",
    "django.contrib.admin",
    "django.contrib.postgres.expressions",
    "django_stubs_ext",
    "environ",
    "lxml.etree",
    "PIL.Image",
    "psycopg",
    "rapidfuzz",
    "reportlab.platypus",
    "requests",
    "rest_framework.serializers",
    "structlog",
    "webauthn",
)
SERVER = f"""
import importlib, json, os, sys, traceback
for name in {PACKAGES}:
    importlib.import_module(name)
assert not {{"bricks", "apps"}} & sys.modules.keys()

def run(asked):
    os.environ.clear()
    os.environ.update(asked["environment"])
    for number in (1, 2):
        os.dup2(os.open(asked["files"][number - 1], os.O_WRONLY | os.O_CREAT, 0o600), number)
    sys.argv = asked["arguments"]
    status = 0
    try:
        exec(asked["code"], {{"__name__": "__main__"}})
    except SystemExit as ended:
        status = ended.code or 0
        if isinstance(status, str):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

for line in sys.stdin:
    children = []
    for asked in json.loads(line):
        children.append(os.fork() or run(asked))
    ended = [os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in children]
    print(json.dumps(ended), flush=True)
"""


class WarmPython:
    """Runs code as `python -c` does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVER],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(
        self, code: str, *arguments: str, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the code once."""
        return self.run_at_once(code, *arguments, times=1, **environment)[0]

    def run_at_once(
        self, code: str, *arguments: str, times: int, **environment: str
    ) -> Sequence[subprocess.CompletedProcess[str]]:
        """Run the code so many times side by side."""
        asked: list[dict[str, Any]] = []
        for _ in range(times):
            self._count += 1
            files = [str(self._folder / f"{self._count}.{name}") for name in ("out", "err")]
            asked.append(
                {
                    "code": code,
                    "arguments": ["-c", *arguments],
                    "environment": {"PATH": os.environ["PATH"], **environment},
                    "files": files,
                }
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps(asked)}\n")
        self._process.stdin.flush()
        ended = json.loads(self._process.stdout.readline())
        return [
            subprocess.CompletedProcess(
                code, status, *(Path(file).read_text() for file in one["files"])
            )
            for one, status in zip(asked, ended, strict=True)
        ]

    def close(self) -> None:
        """End it."""
        self._process.communicate()
