"""A person with 100,000 rows of stock and sets to build, on each database in turn."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks._report import temporary_postgres

ROWS = 100_000
OTHERS = 19_000
MARKS = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT")


def on_each_database(module: str, *phases: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run each phase of a benchmark in a process of its own; yield (database, what they told)."""
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


def fill_stock(lots: int) -> Any:
    """Write a catalogue of parts and 100,000 rows of stock of one user; return the user."""
    from benchmarks._many_rows import fill_users

    return fill_users(ROWS, OTHERS, lots=lots)


def make_set(number: str, lots: int) -> Any:
    """Write a set of the catalogue with so many lots, two pieces of each."""
    from apps.catalog.models import Component, Item, ItemInventory, Lot

    item = Item.objects.create(
        item_type="SET", number=number, number_key=number, name="A large set"
    )
    inventory = ItemInventory.objects.create(item=item, catalogue="B", has_components=True)
    ids = list(Lot.objects.order_by("pk").values_list("pk", flat=True)[:lots])
    assert len(ids) == lots
    Component.objects.bulk_create(
        [Component(inventory=inventory, lot_id=pk, quantity=2) for pk in ids], batch_size=1_000
    )
    return item


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
