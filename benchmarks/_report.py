"""The one JSON line at the end of a benchmark, and the databases it runs on."""

import contextlib
import json
import os
import platform
import pwd
import shutil
import socket
import subprocess
import tempfile
import timeit
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TURNS = 500_000


@dataclass(frozen=True, slots=True)
class Limit:
    """What a figure or ratio must reach: at most (or, with `at_least`, at least) `value`."""

    value: float
    at_least: bool = False

    def holds(self, measured: float) -> bool:
        return measured >= self.value if self.at_least else measured <= self.value


def report(
    name: str,
    *,
    figures: Mapping[str, float | str],
    ratios: Mapping[str, float],
    limits: Mapping[str, Limit],
) -> int:
    """Print the line; return 0 when every limit is kept, else 1."""
    measured = {**figures, **ratios}
    kept = all(limit.holds(float(measured[key])) for key, limit in limits.items())
    line = {
        "name": name,
        "machine": machine(),
        "figures": dict(figures),
        "ratios": dict(ratios),
        "limits": {
            key: f"{'>=' if limit.at_least else '<='} {limit.value:g}"
            for key, limit in limits.items()
        },
        "within_limits": kept,
    }
    print(json.dumps(line), flush=True)
    return 0 if kept else 1


def machine() -> str:
    """Return cores, processor and speed in words: a shared machine is not always as fast."""
    model = ""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "")
    processor = model or platform.processor() or platform.machine()
    speed = TURNS / min(timeit.repeat("x * x % 7", "x = 12345", number=TURNS)) / 1e6
    return f"{os.cpu_count()} × {processor}, {speed:.0f} M small sums a second in Python"


def find_postgres(tool: str) -> str | None:
    """Return the path of one of PostgreSQL's programs."""
    if found := shutil.which(tool):
        return found
    return next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{tool}"))[::-1]), None)


@contextlib.contextmanager
def temporary_postgres() -> Iterator[str | None]:
    """Start PostgreSQL in a temporary folder; give its URL, or None where there is none."""
    initdb, pg_ctl = find_postgres("initdb"), find_postgres("pg_ctl")
    if initdb is None or pg_ctl is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        run_as: dict[str, Any] = {"cwd": folder}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            account = pwd.getpwnam("postgres")
            os.chown(folder, account.pw_uid, account.pw_gid)
            run_as |= {"user": account.pw_uid, "group": account.pw_gid, "env": {"PATH": os.defpath}}
        data = f"{folder}/data"
        quiet = {"check": True, "stdout": subprocess.DEVNULL, **run_as}
        subprocess.run(
            [initdb, "-D", data, "-U", "brickstow", "--auth=trust", "--encoding=UTF8"], **quiet
        )
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c shared_buffers=512MB"
        subprocess.run(
            [pg_ctl, "-D", data, "-w", "-l", f"{folder}/log", "-o", options, "start"], **quiet
        )
        try:
            yield f"postgres://brickstow@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([pg_ctl, "-D", data, "-m", "immediate", "stop"], **quiet)
