"""50 people at once: reads, writes and jobs, on the embedded app and on production.

Each sits at a thread of their own, acts, waits about a second and acts again, on rows of their
own, as a browser would: lists, searches, destinations, adding, editing, stowing, exporting. An
answer of 400 or more, a broken connection and a job that does not succeed are errors. How long
the jobs take from asking to their end is what a second worker is for.

LOAD_SECONDS (300) and LOAD_USERS (50) make it smaller for trying.
"""

import contextlib
import http.client
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks._report import Limit, report, temporary_postgres
from tests.e2e.app import RunningApp, free_port
from tests.production.site import HOST, ProductionSite

USERS = int(os.environ.get("LOAD_USERS", "50"))
SECONDS = float(os.environ.get("LOAD_SECONDS", "300"))
THINK_SECONDS = (0.5, 1.5)
JOB_WAIT_SECONDS = 60
PROXIED = {"Host": HOST, "X-Forwarded-Proto": "https"}
# How often each is done, of 100.
MIX = {
    "list inventory": 18,
    "list batches": 12,
    "list items": 14,
    "search catalogue": 14,
    "destinations": 8,
    "add item": 16,
    "edit item": 8,
    "stow": 6,
    "export": 4,
}


@dataclass
class Told:
    """What all people measured together."""

    seconds: list[float] = field(default_factory=list)
    job_seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def error(self, what: str) -> None:
        with self.lock:
            self.errors.append(what)


class Person:
    """A person with a batch and a bin of their own, who works until the time is over."""

    def __init__(self, app: RunningApp, token: str, told: Told, seed: int) -> None:
        self._address = ("127.0.0.1", app.port)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._told = told
        self._chance = random.Random(seed)
        self._items: list[int] = []
        if isinstance(app, ProductionSite):
            self._headers |= {**PROXIED, "X-Forwarded-For": f"203.0.113.{seed % 250 + 1}"}
        (place,) = self.ask("POST", "inventoryLocations", {"name": "A-1"})
        (batch,) = self.ask("POST", "batches", {"name": "Attic"})
        self._place, self._batch = place["id"], batch["id"]
        self.add()
        self._lot = self.ask("GET", f"batchItems?batch={self._batch}")[0]["lot_id"]

    def live(self, until: float) -> None:
        acts: dict[str, Callable[[], Any]] = {
            "list inventory": lambda: self.ask("GET", "inventoryItems?page_size=50"),
            "list batches": lambda: self.ask("GET", "batches"),
            "list items": lambda: self.ask("GET", f"batchItems?batch={self._batch}"),
            "search catalogue": self.search,
            "destinations": lambda: self.ask("GET", f"inventoryItems/destinations?lot={self._lot}"),
            "add item": self.add,
            "edit item": self.edit,
            "stow": self.stow,
            "export": self.export,
        }
        names, weights = list(MIX), list(MIX.values())
        while time.monotonic() < until:
            name = self._chance.choices(names, weights)[0]
            try:
                acts[name]()
            except Exception as problem:  # noqa: BLE001  (whatever it was, it is an error)
                self._told.error(f"{name}: {type(problem).__name__}: {problem}")
            time.sleep(self._chance.uniform(*THINK_SECONDS))

    def search(self) -> None:
        self.ask("GET", f"catalogItems?search={self._chance.choice(['3001', 'brick', 'plate 2'])}")

    def add(self) -> None:
        added = {
            "batch_id": self._batch,
            "item_type": "PART",
            "item_number": self._chance.choice(["3001", "3002", "3003", "3004"]),
            "color_id": self._chance.choice([1, 5, 7, 11]),
            "qty": self._chance.randrange(1, 20),
            "price": "0.1000",
        }
        (row,) = self.ask("POST", "batchItems", added)
        self._items.append(row["id"])

    def edit(self) -> None:
        if self._items:
            pk = self._chance.choice(self._items)
            self.ask("PATCH", f"batchItems/{pk}", {"price": f"{self._chance.random():.4f}"})

    def stow(self) -> None:
        items, self._items = self._items, []
        if items:
            stow = {"items": items, "location_id": self._place}
            self.ask("POST", f"batches/{self._batch}/stow", stow)

    def export(self) -> None:
        began = time.monotonic()
        (asked,) = self.ask("POST", "exports", {"kind": "bsx", "scope": "inventory"})
        while time.monotonic() < began + JOB_WAIT_SECONDS:
            (job,) = self.ask("GET", f"jobs/{asked['job_id']}")
            if job["state"] not in {"queued", "running"}:
                break
            time.sleep(0.1)
        if job["state"] != "succeeded":
            raise RuntimeError(f"the export is {job['state']}: {job['message']}")
        with self._told.lock:
            self._told.job_seconds.append(time.monotonic() - began)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        keyed = {"Idempotency-Key": uuid.uuid4().hex} if method != "GET" else {}
        connection = http.client.HTTPConnection(*self._address, timeout=60)
        began = time.perf_counter()
        try:
            text = None if body is None else json.dumps(body)
            connection.request(
                method, f"/api/{path.replace(' ', '%20')}", text, {**self._headers, **keyed}
            )
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        with self._told.lock:
            self._told.seconds.append(time.perf_counter() - began)
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:200]!r}")
        return json.loads(content)["data"]


def load(app: RunningApp) -> Told:
    """Run all people on `app` for the time; return their figures."""
    addresses = [f"{uuid.uuid4().hex}@example.org" for _ in range(USERS)]
    printed = app.manage("issue_tokens", *addresses, "--create", "Ann")
    tokens = [json.loads(line)["accessToken"] for line in printed.splitlines()]
    told = Told()
    people = [Person(app, token, told, seed) for seed, token in enumerate(tokens)]
    told.seconds.clear()
    until = time.monotonic() + SECONDS
    threads = [threading.Thread(target=one.live, args=(until,)) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


@contextlib.contextmanager
def embedded() -> Iterator[RunningApp]:
    with tempfile.TemporaryDirectory() as folder:
        app = RunningApp(Path(folder))
        try:
            app.manage("migrate", "--noinput", "--verbosity", "0")
            app.manage("collectstatic", "--noinput", "--verbosity", "0")
            app.manage("load_starter_catalog", "--small")
            app.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])
            app.start_worker()
            app.wait_until_ready()
            yield app
        finally:
            app.stop()


@contextlib.contextmanager
def production(database_url: str) -> Iterator[ProductionSite]:
    """Give the site of production with one worker; `start_worker` adds another."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        redis = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )
        redis_url = f"redis://127.0.0.1:{port}/0"
        site = ProductionSite(Path(folder), database_url=database_url, redis_url=redis_url)
        try:
            while subprocess.run(
                ["redis-cli", "-p", str(port), "ping"], capture_output=True
            ).returncode:
                time.sleep(0.05)
            site.prepare()
            site.start_web()
            site.start_worker()
            site.start_beat()
            site.wait_until_ready()
            yield site
        finally:
            site.close()
            redis.terminate()
            redis.wait()


def p95(seconds: list[float]) -> float:
    return round(quantiles(seconds, n=100)[94], 4) if len(seconds) > 1 else 0.0


def figures_of(name: str, told: Told) -> dict[str, float | str]:
    for error in told.errors[:5]:
        print(f"{name}: {error}", file=sys.stderr)
    return {
        f"{name}_requests": len(told.seconds),
        f"{name}_requests_per_second": round(len(told.seconds) / SECONDS, 1),
        f"{name}_p95_seconds": p95(told.seconds),
        f"{name}_jobs": len(told.job_seconds),
        f"{name}_job_p95_seconds": p95(told.job_seconds),
        f"{name}_errors": len(told.errors),
    }


def main() -> int:
    measured: dict[str, Told] = {}
    with embedded() as app:
        measured["embedded"] = load(app)
    with temporary_postgres() as database_url:
        if database_url is None or shutil.which("redis-server") is None:
            print("production is left out: PostgreSQL or Redis is not installed", file=sys.stderr)
        else:
            with production(database_url) as site:
                measured["one_worker"] = load(site)
                site.start_worker("worker-2")
                measured["two_workers"] = load(site)
    figures: dict[str, float | str] = {"users": USERS, "seconds": SECONDS}
    for name, told in measured.items():
        figures |= figures_of(name, told)
    ratios: dict[str, float] = {}
    if "two_workers" in measured:
        one, two = measured["one_worker"], measured["two_workers"]
        ratios["p95_of_two_workers_to_one"] = round(p95(two.seconds) / p95(one.seconds), 2)
        ratios["job_p95_of_two_workers_to_one"] = round(
            p95(two.job_seconds) / (p95(one.job_seconds) or 1), 2
        )
    limits = {f"{name}_errors": Limit(0) for name in measured}
    return report("load", figures=figures, ratios=ratios, limits=limits)


if __name__ == "__main__":
    sys.exit(main())
