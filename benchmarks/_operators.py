"""People at work over the real HTTP API, who write down what must be true afterwards.

Each has an account of its own and does one thing after the other, so that each knows what
its rows must be. A call that was not answered is repeated with its key until it is. What
must be true is a count of facts, such as "batch item 7 moved 3 pieces"; the reckoning counts
the facts in the database (`_reckoning.py`).
"""

import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks._store import pairs_of

CALL_SECONDS = 30
PATIENCE_SECONDS = 300
CATALOGUE = 800
GIVEN_UP = "The worker was stopped"


class Gate:
    """How many operations may begin; so that the kills are spread over all of them."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.allowed = 0
        self.begun = 0
        self.done = 0
        self.kinds: Counter[str] = Counter()
        self.changed = threading.Condition()
        self.is_broken = False

    def allow(self, count: int) -> None:
        with self.changed:
            self.allowed = min(count, self.total)
            self.changed.notify_all()

    def enter(self) -> bool:
        """Wait for leave to begin an operation; False when all have begun."""
        with self.changed:
            self.changed.wait_for(lambda: self.is_broken or self.begun < self.allowed or self._full)
            if self._full or self.is_broken:
                return False
            self.begun += 1
            return True

    def leave(self, kind: str) -> None:
        with self.changed:
            self.done += 1
            self.kinds[kind] += 1
            self.changed.notify_all()

    def wait_for(self, count: int) -> None:
        """Wait until so many operations are done, or an operator gave up."""
        with self.changed:
            self.changed.wait_for(lambda: self.is_broken or self.done >= count)

    def give_up(self) -> None:
        with self.changed:
            self.is_broken = True
            self.changed.notify_all()

    @property
    def _full(self) -> bool:
        return self.begun >= self.total


class Gone(AssertionError):
    """The app did not answer within the patience of a person."""


@dataclass
class Line:
    """One person's connection to the app."""

    url: str
    token: str
    renew: Callable[[], str]
    repeats: int = 0
    crashes: list[str] = field(default_factory=list)

    def call(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        file: tuple[str, bytes] | None = None,
    ) -> tuple[int, Any]:
        """Ask until there is an answer that is one; return its status and its data."""
        key = uuid.uuid4().hex
        until = time.monotonic() + PATIENCE_SECONDS
        tries = 0
        while time.monotonic() < until:
            if tries:
                self.repeats += 1
                time.sleep(random.uniform(0.05, 0.3))
            tries += 1
            try:
                status, envelope = self._once(method, path, body, file, key)
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                continue  # no server, or killed while it answered
            if status == 401:
                self.token = self.renew()
            elif status == 500:
                self.crashes.append(f"{method} {path}: {json.dumps(envelope)[:300]}")
            elif status == 404 and method == "DELETE" and tries > 1:
                return 200, None  # an earlier try did it
            elif status < 500 and status != 429:
                return status, envelope.get("data") if envelope else None
        raise Gone(f"{method} {path}")

    def _once(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        file: tuple[str, bytes] | None,
        key: str,
    ) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": key}
        data = None
        if file is not None:
            data, headers["Content-Type"] = multipart(*file)
        elif body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(
            f"{self.url}/api/{path}", method=method, data=data, headers=headers
        )
        try:
            with urllib.request.urlopen(request, timeout=CALL_SECONDS) as answer:
                told = answer.read()
                return answer.status, json.loads(told) if told else None
        except urllib.error.HTTPError as refused:
            return refused.code, json.loads(refused.read())


def multipart(name: str, content: bytes) -> tuple[bytes, str]:
    """Return a form with one file, and its content type."""
    boundary = uuid.uuid4().hex
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    body = (
        f"{head}Content-Type: application/octet-stream\r\n\r\n".encode()
        + content
        + f"\r\n--{boundary}--\r\n".encode()
    )
    return body, f"multipart/form-data; boundary={boundary}"


class Operator(threading.Thread):
    """A person who works until the gate closes, and remembers each result."""

    def __init__(self, address: str, line: Line, gate: Gate, seed: int) -> None:
        super().__init__(name=address, daemon=True)
        self.address, self.line, self.gate = address, line, gate
        self.chance = random.Random(f"{seed} {address}")
        self.facts: Counter[str] = Counter()
        self.problems: list[str] = []
        self.given_up = 0

    def run(self) -> None:
        try:
            self.prepare()
            while self.gate.enter():
                self.gate.leave(self.work())
        except BaseException as problem:  # noqa: BLE001  (reported at the end of the run)
            self.problems.append(f"{type(problem).__name__}: {problem}")
            self.gate.give_up()

    def prepare(self) -> None:
        """Create the rows that the work needs."""

    def work(self) -> str:
        """Do one operation; return its name."""
        raise NotImplementedError

    def expect(self) -> Counter[str]:
        """Return what must be true now."""
        return self.facts

    def ask(
        self, wanted: int, method: str, path: str, body: dict[str, Any] | None = None, **also: Any
    ) -> Any:
        """Call; anything but the wanted status is a problem of the app's."""
        status, data = self.line.call(method, path, body, **also)
        assert status == wanted, f"{method} {path} {body}: {status} {str(data)[:300]}"
        return data

    def wait_for_job(self, job_id: str) -> None:
        """Follow a job to its end; where its worker died five times, have it tried again."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            (job,) = self.ask(200, "GET", f"jobs/{job_id}")
            if job["state"] == "succeeded":
                return
            if job["state"] == "failed" and job["message"].startswith(GIVEN_UP):
                self.given_up += 1
                self.line.call("POST", f"jobs/{job_id}/retry")
            assert job["state"] not in {"failed", "cancelled"} or self.given_up, job
            time.sleep(0.1)
        raise Gone(f"job {job_id}")

    def make_places(self) -> list[int]:
        self.line.call("POST", "inventoryLocations/pattern", {"pattern": "A-[1-20]"})
        rows = self.ask(200, "GET", "inventoryLocations?page_size=100")
        return [row["id"] for row in rows]

    def export(self, scope: dict[str, Any], rows: int) -> None:
        """Write a file, and see that it holds so many rows."""
        (export,) = self.ask(202, "POST", "exports", {"kind": "bsx", **scope})
        self.wait_for_job(export["job_id"])
        (export,) = self.ask(200, "GET", f"exports/{export['id']}")
        assert export["row_count"] == rows, f"export of {rows} rows: {export}"
        self.facts[f"export of {rows}"] += 1

    def moved(self, item: int, delta: int) -> None:
        if delta:
            self.facts[f"batch item {item} moved {delta}"] += 1


@dataclass
class Item:
    """A batch item as its owner remembers it."""

    id: int
    batch: int
    draft: dict[str, Any]
    quantity: int
    is_stowed: bool = False


class Stower(Operator):
    """Adds items to batches, stows them, edits them, takes them out, writes files."""

    PER_BATCH = 150
    WORK = {"add": 38, "top up": 8, "stow": 18, "edit": 18, "remove": 9, "delete": 7, "export": 2}

    def prepare(self) -> None:
        self.places = self.make_places()
        self.items: dict[int, Item] = {}
        self.added = 0
        self.lots = pairs_of(CATALOGUE)
        self.new_batch()

    def new_batch(self) -> None:
        (batch,) = self.ask(201, "POST", "batches", {"name": f"Batch of {self.address}"})
        self.batch = batch["id"]

    def work(self) -> str:
        kinds = [kind for kind in self.WORK if self.of(kind) or kind in {"add", "export"}]
        kind = self.chance.choices(kinds, [self.WORK[one] for one in kinds])[0]
        getattr(self, kind.replace(" ", "_"))()
        return kind

    def of(self, kind: str) -> list[Item]:
        """Return the items that this can be done to."""
        stowed = {"remove": True, "stow": False, "delete": False, "top up": False}
        return [
            item
            for item in self.items.values()
            if item.batch == self.batch and stowed.get(kind, item.is_stowed) == item.is_stowed
        ]

    def some(self, kind: str, most: int) -> list[Item]:
        found = self.of(kind)
        return self.chance.sample(found, min(len(found), self.chance.randint(1, most)))

    def add(self) -> None:
        if len([item for item in self.items.values() if item.batch == self.batch]) > self.PER_BATCH:
            self.new_batch()
        number, color = self.chance.choice(self.lots)
        self.added += 1
        draft = {
            "batch_id": self.batch,
            "item_type": "PART",
            "item_number": number,
            "color_id": color,
            "condition": self.chance.choice("NU"),
            "price": f"{self.chance.randint(1, 999) / 1000:.4f}",
            "user_inventory_item_location_id": self.chance.choice(self.places),
            "comments": f"add {self.added}",
        }
        quantity = self.chance.randint(1, 40)
        (row,) = self.ask(201, "POST", "batchItems", {**draft, "qty": quantity})
        assert row["id"] not in self.items, f"{row['id']} was added before"
        self.items[row["id"]] = Item(row["id"], self.batch, draft, quantity)

    def top_up(self) -> None:
        (item,) = self.some("top up", 1)
        quantity = self.chance.randint(1, 9)
        body = {**item.draft, "qty": quantity, "top_up": True}
        (row,) = self.ask(201, "POST", "batchItems", body)
        if row["is_topped_up"]:
            self.items[row["id"]].quantity += quantity
        else:
            assert row["id"] not in self.items, f"{row['id']} was added before"
            self.items[row["id"]] = Item(row["id"], self.batch, item.draft, quantity)

    def stow(self) -> None:
        chosen = self.some("stow", 4)
        (done,) = self.ask(
            200, "POST", f"batches/{self.batch}/stow", {"items": [item.id for item in chosen]}
        )
        assert not done["failed"], done["failed"]
        for item in chosen:
            item.is_stowed = True
            self.moved(item.id, item.quantity)
        self.facts[f"batch {self.batch} stow"] += 1

    def remove(self) -> None:
        chosen = self.some("remove", 3)
        (done,) = self.ask(
            200, "POST", f"batches/{self.batch}/remove", {"items": [item.id for item in chosen]}
        )
        assert not done["failed"], done["failed"]
        for item in chosen:
            item.is_stowed = False
            self.moved(item.id, -item.quantity)
        self.facts[f"batch {self.batch} remove"] += 1

    def edit(self) -> None:
        (item,) = self.some("edit", 1)
        quantity = self.chance.randint(1, 40)
        self.ask(200, "PATCH", f"batchItems/{item.id}", {"qty": quantity})
        if item.is_stowed:
            self.moved(item.id, quantity - item.quantity)
        item.quantity = quantity
        item.draft = {**item.draft}

    def delete(self) -> None:
        (item,) = self.some("delete", 1)
        self.ask(200, "DELETE", f"batchItems/{item.id}")
        self.facts[f"batch {item.batch} remove"] += 1  # the log has it as a removal of one
        del self.items[item.id]

    def export(self, *_: Any) -> None:
        rows = [item for item in self.items.values() if item.batch == self.batch]
        super().export({"scope": "batch", "batch_id": self.batch}, len(rows))

    def expect(self) -> Counter[str]:
        return self.facts + Counter(
            f"batch item {item.id}: {item.quantity} {'stowed' if item.is_stowed else 'new'}"
            for item in self.items.values()
        )


class Mover(Operator):
    """Stows, edits and takes out more items at once than one request does: jobs of chunks."""

    def __init__(self, *of: Any, lots: int = 1_100) -> None:
        super().__init__(*of)
        self.lots = lots

    def prepare(self) -> None:
        places = self.make_places()
        (batch,) = self.ask(201, "POST", "batches", {"name": "Many"})
        self.batch, self.items, self.is_stowed = batch["id"], {}, False
        lots = pairs_of(CATALOGUE)
        rows = [
            {
                "batch_id": self.batch,
                "item_type": "PART",
                "item_number": lots[place % len(lots)][0],
                "color_id": lots[place % len(lots)][1],
                "qty": place % 7 + 1,
                "price": f"{place / 1000:.4f}",
                "user_inventory_item_location_id": places[place % len(places)],
            }
            for place in range(self.lots)
        ]
        for start in range(0, self.lots, 550):
            body = {"create": rows[start : start + 550]}
            for done in self.ask(200, "POST", "batchItems/bulk", body):
                assert done["ok"], done
                self.items[done["id"]] = done["row"]["qty"]

    def work(self) -> str:
        if not self.is_stowed:
            return self.operate("stow", 1)
        if self.chance.random() < 0.4:
            return self.edit()
        return self.operate("remove", -1)

    def operate(self, verb: str, sign: int) -> str:
        (started,) = self.ask(202, "POST", f"batches/{self.batch}/{verb}", {"items": "all"})
        self.wait_for_job(started["job_id"])
        for item, quantity in self.items.items():
            self.moved(item, sign * quantity)
        self.is_stowed = not self.is_stowed
        self.facts[f"batch {self.batch} {verb}"] += 1
        return f"{verb} {len(self.items)}"

    def edit(self) -> str:
        wanted = self.chance.randint(1, 9)
        body = {"filter": {"batch": str(self.batch)}, "set": {"qty": wanted}}
        (started,) = self.ask(202, "POST", "batchItems/bulk", body)
        self.wait_for_job(started["id"])
        for item, quantity in self.items.items():
            self.moved(item, wanted - quantity)
            self.items[item] = wanted
        return f"edit {len(self.items)}"

    def expect(self) -> Counter[str]:
        state = "stowed" if self.is_stowed else "new"
        return self.facts + Counter(
            f"batch item {item}: {quantity} {state}" for item, quantity in self.items.items()
        )


class Syncer(Operator):
    """Sends the store's file again and again, counts lots in between, writes the stock out."""

    def __init__(self, *of: Any, lots: int = 400) -> None:
        super().__init__(*of)
        self.lots = lots

    def prepare(self) -> None:
        self.pairs = [pair for pair in pairs_of(CATALOGUE)][: self.lots]
        self.stock = dict.fromkeys(range(1, len(self.pairs) + 1), 0)
        self.ids: dict[int, int] = {}
        self.sent = 0

    def work(self) -> str:
        if not self.sent or self.chance.random() < 0.15:
            return self.sync()
        if self.chance.random() < 0.1:
            self.export({"scope": "inventory"}, len(self.stock))
            return "export"
        return self.count()

    def sync(self) -> str:
        self.sent += 1
        wanted = {lot: self.chance.randint(1, 300) for lot in self.stock}
        if self.sent > 1:  # most lots are as they were
            kept = self.chance.sample(sorted(self.stock), len(self.stock) * 2 // 3)
            wanted |= {lot: self.stock[lot] for lot in kept}
        name = f"store-{self.sent}.bsx"
        (sync,) = self.ask(202, "POST", "inventoryItems/sync", file=(name, self.file(wanted)))
        self.wait_for_job(sync["job_id"])
        (applied,) = self.ask(202, "POST", f"inventorySyncs/{sync['id']}/apply", {})
        self.wait_for_job(applied["job_id"])
        (sync,) = self.ask(200, "GET", f"inventorySyncs/{sync['id']}")
        assert sync["state"] == "applied", sync
        for lot, quantity in wanted.items():
            self.changed(lot, quantity)
        self.facts[f"sync {name} applied"] += 1
        if not self.ids:
            rows = self.ask(200, "GET", "inventoryItems?page_size=500")
            self.ids = {row["marketplace_lot_id"]: row["id"] for row in rows}
        return "sync"

    def count(self) -> str:
        lot = self.chance.choice(sorted(self.stock))
        quantity = self.chance.randint(1, 300)
        self.ask(200, "PATCH", f"inventoryItems/{self.ids[lot]}", {"quantity": quantity})
        self.changed(lot, quantity)
        return "count"

    def changed(self, lot: int, quantity: int) -> None:
        if quantity != self.stock[lot]:
            self.facts[f"listing {lot} moved {quantity - self.stock[lot]}"] += 1
        self.stock[lot] = quantity

    def file(self, wanted: dict[int, int]) -> bytes:
        items = "".join(
            f"<Item><ItemID>{self.pairs[lot - 1][0]}</ItemID><ItemTypeID>P</ItemTypeID>"
            f"<ColorID>{self.pairs[lot - 1][1]}</ColorID><Status>I</Status><Qty>{quantity}</Qty>"
            f"<Price>0.100</Price><Condition>U</Condition><Remarks>B{lot % 9}</Remarks>"
            f"<LotID>{lot}</LotID></Item>\n"
            for lot, quantity in wanted.items()
        )
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<BrickStoreXML>\n<Inventory Currency="USD">'
        return f"{head}\n{items}</Inventory>\n</BrickStoreXML>\n".encode()

    def expect(self) -> Counter[str]:
        return self.facts + Counter(
            f"listing {lot}: {quantity}" for lot, quantity in self.stock.items() if self.sent
        )
