"""SIGKILL while 10,000 operations run: nothing lost, nothing done twice.

Operators (`_operators.py`, `_lister.py`) add, stow, edit, take out, export, sync, list at
the demo store and sell there (orders arrive, are picked, shipped, cancelled) over the real HTTP API with idempotency keys and real jobs. At random moments the worker, the web process, one
of their children, the broker or the database is killed and started again: embedded (SQLite,
no broker), then on Redis with PostgreSQL. Afterwards every fact that the operators remember
is counted in the database, and the demo store is compared with our stock. The time that a kill cost is from the signal until the web
process answers, the broker and the database included, and until every job that waited or
ran then has been taken up again; the lease is the product's own.

    python -m benchmarks.kills
    KILLS=5 OPERATIONS=500 SEED=7 BROKERS=embedded python -m benchmarks.kills
    WHO=Seller,Seller KILLS=20 OPERATIONS=60 python -m benchmarks.kills
"""

import contextlib
import json
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from benchmarks._lister import Lister
from benchmarks._operators import CATALOGUE, Gate, Line, Mover, Operator, Stower, Syncer
from benchmarks._report import Limit, report
from benchmarks._seller import Seller
from benchmarks._servers import Postgres, Redis
from tests.e2e.app import ROOT, RunningApp

KILLS = int(os.environ.get("KILLS", "100"))
OPERATIONS = int(os.environ.get("OPERATIONS", "10000"))
# The kinds of operators, by name with commas, where not all of them shall work.
WHO = os.environ.get("WHO", "").split(",")
BROKERS = os.environ.get("BROKERS", "embedded,redis").split(",")
RECOVERY_SECONDS = 300
MANY_CALLS = 1_000_000
# Of ten kills one does not wait until the last one is over.
IN_A_ROW = 0.1
WEIGHTS = {
    "worker": 30,
    "worker_child": 10,
    "web": 20,
    "web_child": 10,
    "broker": 15,
    "database": 15,
    "store": 15,
    "brickowl": 15,
}


@dataclass
class Battle:
    """The app, its operators, and the processes to kill."""

    app: RunningApp
    kills: int
    operations: int
    seed: int
    redis: Redis | None = None
    postgres: Postgres | None = None
    small: bool = False
    gate: Gate = field(init=False)
    operators: list[Operator] = field(default_factory=list)
    lost_seconds: dict[str, list[float]] = field(default_factory=dict)
    killed: Counter[str] = field(default_factory=Counter)
    order: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gate = Gate(self.operations)
        self.chance = random.Random(self.seed)

    def fight(self) -> dict[str, Any]:
        """Run the operators while processes are killed; return the figures."""
        for name, command in self.simulators.items():
            self.app.start_process(name, command)
        self.app.start_process("web", self.web)
        self.app.start_worker()
        self.app.wait_until_ready()
        self.hire()
        began = time.monotonic()
        step = self.operations / (self.kills + 1)
        for operator in self.operators:
            operator.start()
        for number in range(self.kills):
            self.gate.allow(int(step * (number + 2)))
            self.gate.wait_for(int(step * (number + self.chance.random())))
            if self.gate.is_broken:
                break
            time.sleep(self.chance.uniform(0, 0.4))
            self.strike()
        self.gate.allow(self.operations)
        for operator in self.operators:
            operator.join()
        return self.reckon(time.monotonic() - began)

    @property
    def simulators(self) -> dict[str, list[str]]:
        """The commands of the simulators by name."""
        store = [sys.executable, "-m", "simulators.store", "--daily-calls", str(MANY_CALLS)]
        return {"store": store}

    @property
    def web(self) -> list[str]:
        return ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"]

    def hire(self) -> None:
        """Give each operator an account."""
        everybody: list[type[Operator]] = [Stower, Stower, Syncer, Mover, Lister, Seller]
        by_name = {kind.__name__: kind for kind in everybody}
        kinds: list[Callable[..., Operator]] = (
            [by_name[name] for name in WHO] if WHO != [""] else [*everybody]
        )
        names = [f"operator-{place}@example.org" for place in range(len(kinds))]
        printed = self.app.manage("issue_tokens", *names, "--create", "Operator")
        for kind, name, told in zip(kinds, names, printed.splitlines(), strict=True):
            line = self.line_of(name, json.loads(told)["accessToken"])
            also: dict[str, Any] = {"lots": 60} if self.small and kind is Syncer else {}
            if kind is Seller:
                also = {"store": self.app.environment["MARKETPLACE_URL"]}
            self.operators.append(kind(name, line, self.gate, self.seed, **also))

    def line_of(self, name: str, token: str) -> Line:
        return Line(self.app.url, token, renew=lambda: self.renew(name))

    def renew(self, name: str) -> str:
        """Return a new token, past the login throttle; the database may be down just now."""
        until = time.monotonic() + RECOVERY_SECONDS
        while True:
            try:
                return str(json.loads(self.app.manage("issue_tokens", name))["accessToken"])
            except AssertionError:
                if time.monotonic() > until:
                    raise
                time.sleep(1)

    # -- killing -----------------------------------------------------------------------

    def targets(self) -> set[str]:
        """Return what may be killed."""
        targets = {"worker", "web", "web_child"}
        if self.redis is not None:
            targets |= {"broker", "worker_child"}
        if self.postgres is not None:
            targets |= {"database"}
        return targets

    def strike(self) -> None:
        """Kill a process, start it again, and measure the time until all work goes on."""
        names = sorted(self.targets())
        target = self.chance.choices(names, [WEIGHTS[name] for name in names])[0]
        pause = self.chance.uniform(0, 0.5)
        at = time.monotonic()
        with self.dead(target):
            self.killed[target] += 1
            self.order.append(target)
            waiting = self.unfinished() if target != "database" else {}
            time.sleep(pause)
        if target == "database":
            waiting = self.unfinished()
        if self.chance.random() < IN_A_ROW:
            return
        alone = {"web", "web_child", *self.simulators}
        lost = self.recovered(waiting, at, wait_for_jobs=target not in alone)
        if lost is not None:
            self.lost_seconds.setdefault(target, []).append(lost)

    @contextlib.contextmanager
    def dead(self, target: str) -> Iterator[None]:
        """Kill the target; start it again at the end."""
        if target in {"worker", "web"}:
            self.app.kill(target)
            yield
            if target == "web":
                self.app.start_process("web", self.web)
            else:
                self.app.start_worker()
        elif target in {"worker_child", "web_child"}:
            parent = self.app.processes[target.removesuffix("_child")].pid
            children = descendants_of(parent)
            if children:  # its parent starts another
                os.kill(self.chance.choice(children), signal.SIGKILL)
            yield
        elif target in self.simulators:
            self.app.kill(target)
            yield
            self.app.start_process(target, self.simulators[target])
        else:
            server = self.redis if target == "broker" else self.postgres
            assert server is not None
            server.kill()
            yield
            server.start()

    def recovered(
        self, waiting: dict[str, tuple[str, int]], at: float, *, wait_for_jobs: bool
    ) -> float | None:
        """Return the seconds from `at` until the app answers and goes on with its jobs.

        None where a worker died that had nothing to do.
        """
        until = at + RECOVERY_SECONDS
        while not self.answers():
            assert time.monotonic() < until, "the app did not answer again"
            time.sleep(0.02)
        answered = time.monotonic()
        if not wait_for_jobs:
            return answered - at
        went_on = None
        while waiting:
            assert time.monotonic() < until, f"jobs stood still: {waiting}\n{self.log()}"
            now = self.unfinished()
            for job, (state, attempts) in list(waiting.items()):
                if job not in now:
                    del waiting[job]
                elif now[job][1] > attempts or (state == "queued" and now[job][0] == "running"):
                    del waiting[job]
                    went_on = time.monotonic()
            time.sleep(0.03)
        return None if went_on is None else max(answered, went_on) - at

    def traces(self) -> list[str]:
        """Return the ends of the traces of what the server did not expect."""
        lines = (self.app.folder / "web.log").read_text(errors="replace").splitlines()
        expected = ("OperationalError", "InterfaceError")  # answered with 503
        return [
            line[-1500:]
            for line in lines
            if "Unhandled error" in line and not any(name in line for name in expected)
        ]

    def log(self) -> str:
        """Return the last kills, and the end of the worker's output."""
        said = (self.app.folder / "worker.log").read_text(errors="replace")
        return f"{[*self.order[-5:]]}\n{said[-6_000:]}"

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.app.url}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def unfinished(self) -> dict[str, tuple[str, int]]:
        """Return job -> (state, attempts) of the jobs of persons that have not ended."""
        asked = (
            "SELECT id, state, attempts FROM core_job "
            "WHERE state IN ('queued', 'running') AND owner_id IS NOT NULL "
            # The second looks at the store wait for a minute by themselves.
            "AND NOT (state = 'queued' AND kind = 'batches.settle_listings') "
            "AND NOT (state = 'queued' AND kind = 'listings.sync_store' "
            "AND not_before IS NOT NULL)"
        )
        if self.postgres is not None:
            with psycopg.connect(self.postgres.url) as postgres:
                found = postgres.execute(asked).fetchall()
        else:
            path = self.app.folder / "brickstow.sqlite3"
            with contextlib.closing(sqlite3.connect(path, timeout=20)) as sqlite:
                found = sqlite.execute(asked).fetchall()
        return {str(job): (state, attempts) for job, state, attempts in found}

    # -- afterwards --------------------------------------------------------------------

    def reckon(self, seconds: float) -> dict[str, Any]:
        """Count what became of every operation."""
        expected = {one.address: dict(one.expect()) for one in self.operators}
        path = self.app.folder / "expected.json"
        path.write_text(json.dumps(expected))
        printed = subprocess.run(
            [sys.executable, "-m", "benchmarks._reckoning", str(path)],
            cwd=ROOT,
            env=self.app.environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
        found = json.loads(printed.splitlines()[-1])
        every = [one for times in self.lost_seconds.values() for one in times]
        return {
            **found,
            "kills": self.killed.total(),
            "killed": dict(self.killed),
            "operations": self.gate.done,
            "kinds": dict(self.gate.kinds),
            "seconds": round(seconds, 1),
            "repeats": sum(one.line.repeats for one in self.operators),
            "given_up": sum(one.given_up for one in self.operators),
            "crashes": [told for one in self.operators for told in one.line.crashes],
            "traces": self.traces(),
            "problems": [
                f"{one.address}: {told}" for one in self.operators for told in one.problems
            ],
            "facts": sum(sum(counts.values()) for counts in expected.values()),
            "lost_s_per_kill": round(statistics.mean(every), 2) if every else 0.0,
            **{
                f"{target}_lost_s_{name}": round(value, 2)
                for target, times in sorted(self.lost_seconds.items())
                for name, value in (("p50", statistics.median(times)), ("max", max(times)))
            },
        }


def descendants_of(parent: int) -> list[int]:
    """Return the processes that `parent` started, and those that they started."""
    with contextlib.suppress(OSError):  # it ended while it was looked at
        children = [
            int(child)
            for tasks in Path(f"/proc/{parent}/task").glob("*/children")
            for child in tasks.read_text().split()
        ]
        return children + [one for child in children for one in descendants_of(child)]
    return []


@contextlib.contextmanager
def battle(
    broker: str,
    *,
    kills: int,
    operations: int,
    seed: int,
    small: bool = False,
    migrated: Path | None = None,
    kind: type[Battle] = Battle,
    catalogue: int = CATALOGUE,
    **environment: str,
) -> Iterator[Battle]:
    """Prepare the app on its broker, with a catalogue and nothing else.

    `migrated` is a SQLite database to begin with.
    """
    with contextlib.ExitStack() as stack, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        redis = postgres = None
        also = {}
        if broker == "redis":
            postgres, redis = Postgres(), Redis(folder)
            stack.callback(postgres.remove)
            stack.callback(redis.kill)
            postgres.start()
            redis.start()
            also = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        app = RunningApp(
            folder,
            **{
                "LOG_LEVEL": "ERROR",
                "MARKETPLACE_DAILY_CALLS": str(MANY_CALLS),
                **also,
                **environment,
            },
        )
        stack.callback(lambda: [*map(app.kill, list(app.processes))])
        (folder / "static").mkdir()
        if migrated is None:
            app.migrate()
        else:
            app.begin_with(migrated)
        fill = f"from benchmarks._store import fill_catalogue; fill_catalogue({catalogue})"
        app.manage("shell", "--no-imports", "-c", fill)
        yield kind(
            app=app,
            kills=kills,
            operations=operations,
            seed=seed,
            redis=redis,
            postgres=postgres,
            small=small,
        )


def main() -> int:
    """Fight on each broker; print one JSON line."""
    seed = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
    figures: dict[str, float | str] = {"seed": seed}
    limits: dict[str, Limit] = {}
    for broker in BROKERS:
        if broker == "redis" and not (Redis.is_installed() and Postgres.is_installed()):
            figures["redis"] = "not run: redis-server or PostgreSQL is not installed"
            continue
        with battle(broker, kills=KILLS, operations=OPERATIONS, seed=seed) as fought:
            found = fought.fight()
            found |= {"problems": len(found["problems"]), "told": found["problems"]}
            found |= {"crashes": len(found["crashes"]), "crashed": found["crashes"][:3]}
            found["traces"] = found["traces"][:3]
        figures |= {
            f"{broker}_{name}": value if isinstance(value, int | float) else json.dumps(value)
            for name, value in found.items()
            if value not in ([], {})
        }
        nothing = (
            "lost",
            "doubled",
            "ledger_differences",
            "store_differences",
            "promised_apart",
            "unfinished_jobs",
            "problems",
            "crashes",
        )
        limits |= {f"{broker}_{name}": Limit(0) for name in nothing}
        limits[f"{broker}_kills"] = Limit(KILLS, at_least=True)
        limits[f"{broker}_operations"] = Limit(OPERATIONS, at_least=True)
    return report("kills", figures=figures, ratios={}, limits=limits)


if __name__ == "__main__":
    sys.exit(main())
