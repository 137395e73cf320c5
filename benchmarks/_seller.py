"""A seller whose demo store sells while processes are killed: orders arrive, are picked and shipped."""

import json
import time
import urllib.request
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

from benchmarks._lister import Lister
from benchmarks._operators import PATIENCE_SECONDS, Gone
from simulators.store.server import CONTROL

#: Fewer lots with pieces to spare, and some are listed first.
FEWEST = 6


class Seller(Lister):
    """Lists lots, lets buyers take of them, reads their orders, walks, packs and ships.

    Some orders are cancelled by their buyers, before or in the middle of a walk: picked pieces
    go back. Orders are read by the button and by the store's hints, at the same time.
    """

    def __init__(self, *of: Any, store: str = "") -> None:
        super().__init__(*of)
        self.store = urlsplit(store)

    def prepare(self) -> None:
        super().prepare()
        (me,) = self.ask(200, "GET", "users/me")
        self.name_there = f"user-{me['id']}"
        self.orders: Counter[str] = Counter()
        self.list_some()  # connects the demo store
        self.ask(200, "POST", "orderHook")

    def work(self) -> str:
        lots = self.control("store")["lots"]
        spare = [lot for lot in lots if lot["quantity"] >= 4]
        if len(spare) < FEWEST or self.chance.random() < 0.2:
            return self.list_some()
        if self.chance.random() < 0.1:
            return self.compare()
        return self.sell(spare)

    def sell(self, spare: list[dict[str, Any]]) -> str:
        numbers = [self.buy(spare) for _ in range(self.chance.randint(1, 3))]
        gone = {numbers[0]} if self.chance.random() < 0.15 else set()
        self.read_orders()
        ours = self.ours(numbers)
        (walk,) = self.ask(201, "POST", "pickWalks", {"order_ids": [one["id"] for one in ours]})
        stops = self.ask(200, "GET", f"pickWalks/{walk['id']}/stops")
        half = len(stops) // 2 if gone else len(stops)
        self.pick(walk["id"], stops[:half])
        for number in gone:
            self.control("orders", order_id=number, cancel=True)
            self.read_orders()
            (order,) = self.ours([number])
            self.ask(200, "POST", f"orders/{order['id']}/cancel", {"put_back": True})
            self.back(number)
        left = {one["id"] for one in ours if one["marketplace_order_id"] not in gone}
        if left and half < len(stops):
            self.pick(walk["id"], self.ask(200, "GET", f"pickWalks/{walk['id']}/stops"))
        for pk in left:
            self.ask(200, "POST", f"orders/{pk}/pack", {"weighed_grams": "12.5"})
            self.ask(200, "POST", f"orders/{pk}/ship", {"tracking_number": f"RR{pk}"})
        for pk in left:
            self.wait_until_told(pk)
        self.wait_until_read()
        for number in numbers:
            self.orders[f"order {number}: {'cancelled' if number in gone else 'shipped'}"] = 1
        return "sell"

    def buy(self, spare: list[dict[str, Any]]) -> int:
        """Let a buyer take up to half of the pieces of some lots that nobody took today."""
        some = [spare.pop() for _ in range(min(len(spare) - 1, self.chance.randint(1, 3)))]
        some = some or [spare[0]]
        wanted = {
            str(lot["inventory_id"]): self.chance.randint(1, lot["quantity"] // 4) for lot in some
        }
        (number,) = self.control("orders", place=wanted)["touched"]
        return int(number)

    def read_orders(self) -> None:
        (started,) = self.ask(202, "POST", "orders/refresh")
        self.wait_for_job(started["id"])

    def ours(self, numbers: list[int]) -> list[dict[str, Any]]:
        rows = self.ask(200, "GET", "orders?page_size=100&ordering=-orderedAt")
        found = [row for row in rows if row["marketplace_order_id"] in numbers]
        assert len(found) == len(numbers), f"{numbers} in {rows}"
        assert all(row["lacking"] == 0 or row["state"] == "cancelled" for row in found), found
        return found

    def pick(self, walk: int, stops: list[dict[str, Any]]) -> None:
        for stop in stops:
            lines = [
                {"line_id": tray["line_id"], "quantity": tray["quantity"]} for tray in stop["trays"]
            ]
            body = {"item_id": stop["item_id"], "lines": lines}
            (done,) = self.ask(200, "POST", f"pickWalks/{walk}/pick", body)
            assert done["taken"] == stop["quantity"], (done, stop)
            for tray in stop["trays"]:
                number = tray["order_number"]
                self.facts[f"order {number} row {stop['item_id']} moved {-tray['quantity']}"] += 1

    def back(self, number: int) -> None:
        """Return the picked pieces of a cancelled order to stock."""
        for fact, count in list(self.facts.items()):
            head, _, delta = fact.partition(" moved -")
            if delta and head.startswith(f"order {number} row "):
                self.facts[f"{head} moved {delta}"] += count

    def wait_until_told(self, order: int) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            steps = self.ask(200, "GET", f"orders/{order}/marketplaceSteps")
            assert not [step for step in steps if step["state"] == "refused"], steps
            if len(steps) == 3 and all(step["state"] == "done" for step in steps):
                return
            time.sleep(0.1)
        raise Gone(f"order {order} is not told")

    def wait_until_read(self) -> None:
        """Wait for the readings that the store's hints began."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            if not any(
                self.ask(200, "GET", f"jobs?kind=orders.pull_orders&state={state}")
                for state in ("queued", "running")
            ):
                return
            time.sleep(0.1)
        raise Gone("readings of the store")

    def control(self, what: str, **told: Any) -> Any:
        """Throw a switch of the demo store, which is never killed."""
        request = urllib.request.Request(
            f"http://{self.store.netloc}{CONTROL}{what}",
            data=json.dumps({"name": self.name_there, **told}).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def expect(self) -> Counter[str]:
        return super().expect() + self.orders
