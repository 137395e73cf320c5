"""A benchmark on each database in turn, every phase of it in a process of its own."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks._report import temporary_postgres

MARKS = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT")


def on_each_database(module: str, *phases: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run each phase of a benchmark in a process of its own; yield (database, figures)."""
    with tempfile.TemporaryDirectory() as folder, temporary_postgres() as postgres:
        urls = {"sqlite": f"sqlite:///{folder}/bench.sqlite3"}
        if postgres is not None:
            urls["postgres"] = postgres
        for name, url in urls.items():
            env = {**os.environ, "DATABASE_URL": url, "VAR_DIR": folder, "LOG_LEVEL": "ERROR"}
            migrate = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0"]
            subprocess.run(migrate, env=env, check=True)
            told: dict[str, Any] = {}
            for phase in phases:
                command = [sys.executable, "-m", f"benchmarks.{module}", phase, folder]
                done = subprocess.run(
                    command, env=env, check=True, stdout=subprocess.PIPE, text=True
                )
                told |= json.loads(done.stdout.splitlines()[-1])
            yield name, told


def run_phase(phases: dict[str, Callable[[Path], dict[str, Any]]]) -> None:
    """Run the phase that the command line names in the database of the environment."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    django.setup()
    print(json.dumps(phases[sys.argv[1]](Path(sys.argv[2]))))


def statements(act: Callable[[], Any]) -> int:
    """Return how many statements an act sends, the marks of transactions left out."""
    from django.db import connection

    sent = []

    def noted(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.upper().startswith(MARKS):
            sent.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(noted):
        act()
    return len(sent)
