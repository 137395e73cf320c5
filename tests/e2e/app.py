"""The real app on a free port with its own data: web, worker and simulators, SQLite."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from apps.core.jobs.keeper import kept_worker

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 180
# In one process: each start costs 3 seconds of CPU. So do sessions, for as long as the app runs.
PREPARE = """
from django.core.management import call_command

call_command("migrate", "--noinput", "--verbosity", "0")
call_command("collectstatic", "--noinput", "--verbosity", "0")
for name in ("load_starter_catalog", "load_starter_pictures"):
    call_command(name, small=True)
call_command("load_demo")
"""
ISSUE = """
import sys
from django.core.management import call_command

for address in sys.stdin:
    call_command("issue_tokens", address.strip(), "--create", "Ann")
    sys.stdout.flush()
"""

#: The services that simulators play, with the path of each.
SIMULATED = {
    "RECOGNITION_URL": "",
    "MARKETPLACE_URL": "/api/store/v1",
    "AUCTIONS_URL": "/api",
    "BRICKOWL_URL": "/v1",
}


# Below those that a system gives to who connects: one of these could be taken meanwhile.
PORTS = range(12_000, 32_000)


def free_port() -> int:
    """Return a port that is free, by a draw that a seed of tests does not repeat in each process."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def is_listening(address: str) -> bool:
    """Return whether something takes connections at an address."""
    parts = urlsplit(address)
    try:
        with socket.create_connection((parts.hostname, parts.port), timeout=2):
            return True
    except OSError:
        return False


class RunningApp:
    """Brickstow as `make run` starts it, in a folder of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        inherited = {
            key: value
            for key, value in os.environ.items()
            if key not in {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PRODUCTION"}
        }
        self.environment = {
            **inherited,
            "VAR_DIR": str(folder),
            "PORT": str(self.port),
            **{name: f"http://127.0.0.1:{free_port()}{path}" for name, path in SIMULATED.items()},
            "TRUSTED_PROXIES": "1",  # tests that sign in come from an address each
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            **environment,
        }
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.issuer: subprocess.Popen[str] | None = None

    def manage(self, *arguments: str) -> str:
        """Run a management command; return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{arguments}: {done.stdout}\n{done.stderr}"
        return done.stdout

    def migrate(self, migrated: Path | None = None) -> None:
        """Migrate the database; `migrated` is one to begin with, which saves 8 seconds of CPU."""
        self.begin_with(migrated)
        self.manage("migrate", "--noinput", "--verbosity", "0")

    def prepare(self, migrated: Path | None = None) -> None:
        """Do all that `make run` does before it starts; `migrated` is as in migrate."""
        self.begin_with(migrated)
        self.manage("shell", "--no-imports", "-c", PREPARE)

    def begin_with(self, migrated: Path | None) -> None:
        if migrated is not None:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            shutil.copyfile(migrated, self.folder / "brickstow.sqlite3")

    def start(self) -> None:
        self.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
        self.start_process("worker", [sys.executable, "manage.py", "work"])
        self.start_process("simulators", [sys.executable, "-m", "simulators"])
        self.wait_until_ready()

    def start_worker(self) -> None:
        """Start what `manage.py work` turns into, without the 2 seconds of CPU of its own start."""
        self.start_process("worker", kept_worker(has_broker="REDIS_URL" in self.environment))

    def start_process(self, name: str, command: list[str]) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait_until_ready(self) -> None:
        """Wait for the web process, and for the simulators where they are started."""
        self._wait_for("web", self._is_ready)
        if "simulators" in self.processes:
            for name in SIMULATED:
                self._wait_for("simulators", partial(is_listening, self.environment[name]))

    def _wait_for(self, process: str, is_there: Callable[[], bool]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not is_there():
            if time.monotonic() > deadline:
                log = (self.folder / f"{process}.log").read_text()
                raise AssertionError(f"{process} did not start:\n{log}")
            time.sleep(0.1)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def kill(self, name: str) -> None:
        """SIGKILL the process and all its children."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        if self.issuer is not None:
            self.issuer.communicate()
            self.issuer = None
        for process in self.processes.values():
            os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.processes.clear()

    def session(self, email_address: str) -> dict[str, Any]:
        """Return a new session of an account: user, accessToken and refreshToken."""
        if self.issuer is None:
            self.issuer = subprocess.Popen(
                [sys.executable, "manage.py", "shell", "--no-imports", "-c", ISSUE],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.issuer.stdin is not None
        assert self.issuer.stdout is not None
        self.issuer.stdin.write(f"{email_address}\n")
        self.issuer.stdin.flush()
        session: dict[str, Any] = json.loads(self.issuer.stdout.readline())
        return session

    def new_session(self) -> dict[str, Any]:
        """Return a session of an account of its own, which has nothing yet."""
        return self.session(f"{uuid.uuid4().hex[:12]}@example.org")
