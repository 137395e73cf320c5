"""PostgreSQL and Redis of one's own, to be killed and started again."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import redis

from benchmarks._report import find_postgres
from tests.e2e.app import free_port


class Redis:
    """A Redis that keeps nothing on disk: a kill loses its data."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def is_installed() -> bool:
        return shutil.which("redis-server") is not None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )
        client = redis.Redis.from_url(self.url)
        for _ in range(500):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.02)
        client.close()

    def kill(self) -> None:
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


class Postgres:
    """A PostgreSQL with a data folder that outlives its crashes."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.port = free_port()
        self.url = f"postgres://brickstow@127.0.0.1:{self.port}/postgres"
        self.run_as: dict[str, Any] = {"cwd": self.folder}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            account = pwd.getpwnam("postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self.run_as |= {
                "user": account.pw_uid,
                "group": account.pw_gid,
                "env": {"PATH": os.defpath},
            }
        self._run("initdb", "-D", self.data, "-U", "brickstow", "--auth=trust", "--encoding=UTF8")

    @staticmethod
    def is_installed() -> bool:
        return find_postgres("initdb") is not None and find_postgres("pg_ctl") is not None

    @property
    def data(self) -> str:
        return f"{self.folder}/data"

    def start(self) -> None:
        """Start it; after a crash it replays its log first."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self._run(
            "pg_ctl", "-D", self.data, "-w", "-l", f"{self.folder}/log", "-o", options, "start"
        )

    def kill(self) -> None:
        """Let every process of it quit at once, as after a power cut."""
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def remove(self) -> None:
        """Stop it, if it runs, and forget its data."""
        if Path(self.data, "postmaster.pid").exists():
            self.kill()
        shutil.rmtree(self.folder)

    def _run(self, tool: str, *arguments: str) -> None:
        found = find_postgres(tool)
        assert found is not None, f"{tool} is not installed"
        subprocess.run([found, *arguments], check=True, stdout=subprocess.DEVNULL, **self.run_as)
