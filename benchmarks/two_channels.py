"""One stock in a store at either marketplace: buyers take from both while processes are killed.

The first store has lots of one to nine pieces; the second begins empty and is filled by a plan.
Then buyers order at either, a person changes pieces and prices, and syncs run one after the other,
while web, worker and simulators are killed and both marketplaces fail at random: answers that
break off, 500s, calls that were done without an answer. At rest, ledger, channels and stores must be
equal, no order lost, no lot listed twice; and what is short must be told, and be of lots that both
stores sold between two syncs. Then, without kills, syncs of two stores with the same many lots are
timed: with 200 changes, once more, and of nothing.

    python -m benchmarks.two_channels
    LOTS=200 ORDERS=100 KILLS=10 TIMED_LOTS=1000 BROKERS=embedded python -m benchmarks.two_channels
"""

import json
import os
import random
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks._operators import Gone, Operator
from benchmarks._report import Limit, report
from benchmarks._servers import Postgres, Redis
from benchmarks._two_stores import (
    OURS,
    catalogue_of,
    first_lots,
    write_first_store,
    write_second_store,
)
from benchmarks.kills import Battle, battle
from tests.e2e.app import ROOT

LOTS = int(os.environ.get("LOTS", "5000"))
ORDERS = int(os.environ.get("ORDERS", "2000"))
KILLS = int(os.environ.get("KILLS", "200"))
TIMED_LOTS = int(os.environ.get("TIMED_LOTS", "20000"))
BROKERS = os.environ.get("BROKERS", "embedded,redis").split(",")
CHANGES = 200
SELLER = "user-1"
#: Orders between two syncs.
EVERY = 8
#: So often in a row a plan, and a sync at the end, may leave something to the next.
MOST_SYNCS = 15
#: A first push of many lots is one job.
FIRST_PUSH_SECONDS = 3_600
FAILURES = ("before", "after", "cut_before", "cut_after", "half", "half_unsaid")
STORES = ("store", "brickowl")
Pair = tuple[str, int]


class TwoStoresSeller(Operator):
    """A seller with a store at each marketplace, the buyers of both, and their failures."""

    addresses: dict[str, str]
    lots = LOTS
    fails = True
    #: The second store begins empty, and a plan fills it.
    fills = True

    def prepare(self) -> None:
        self.intervals = 0  # syncs that read both stores and sent all
        self.bought: dict[tuple[str, Pair], set[int]] = defaultdict(set)
        self.unclear = 0
        self.there: dict[str, list[dict[str, Any]]] = {}
        (me,) = self.ask(200, "GET", "users/me")
        assert f"user-{me['id']}" == SELLER, me
        self.connect("bricklink")
        began = time.monotonic()
        if self.fills:
            self.ask(200, "POST", "marketplaceConnection/demo", {"marketplace": "brickowl"})
        else:
            self.connect("brickowl")
        for _ in range(MOST_SYNCS):
            if not self.apply_plan():
                break
        assert len(self.control("brickowl", "store")["lots"]) == self.lots
        self.filled_seconds = time.monotonic() - began
        self.look()

    def connect(self, marketplace: str) -> None:
        """Connect a store and take its lots into the stock, or tie them to what is there."""
        self.ask(200, "POST", "marketplaceConnection/demo", {"marketplace": marketplace})
        (pulled,) = self.ask(202, "POST", f"marketplace/pulls?marketplace={marketplace}")
        self.ended(pulled["job_id"])
        (applied,) = self.ask(202, "POST", f"inventorySyncs/{pulled['id']}/apply", {})
        assert self.ended(applied["job_id"]) == "succeeded", applied

    def apply_plan(self) -> int:
        """Apply a plan; return how many lots it would put up."""
        (plan,) = self.ask(202, "POST", "marketplace/syncs", {})
        self.wait_for_job(plan["job_id"])
        (plan,) = self.ask(200, "GET", f"marketplace/syncs/{plan['id']}")
        count = int(plan["counts"]["put_up"])
        if count:
            (applied,) = self.ask(202, "POST", f"marketplace/syncs/{plan['id']}/apply", {})
            self.ended(applied["job_id"])
        return count

    def work(self) -> str:
        place = self.gate.begun
        if place % EVERY == 0:
            self.sync()
        if self.fails and self.chance.random() < 0.15:
            self.let_fail()
        if self.chance.random() < 0.1:
            return self.change()
        return self.buy()

    def buy(self) -> str:
        """Order a few pieces of a lot as a store had it at the last look, mostly of few lots."""
        where = self.chance.choice(STORES)
        lots = [lot for lot in self.there[where] if lot["quantity"] > 0]
        few = [lot for lot in lots if int(lot["quantity"]) == 1 or not lot["inventory_id"] % 7]
        lot = self.chance.choice(few or lots)
        pieces = self.chance.randint(1, min(lot["quantity"], 3))
        try:
            self.control(where, "orders", place={str(lot["inventory_id"]): pieces})
        except urllib.error.HTTPError:
            return "sold out"
        except OSError:
            self.unclear += 1  # killed: its journal knows whether it took the order
            return "unclear"
        lot["quantity"] -= pieces
        self.bought[where, pair_of(lot)].add(self.intervals)
        return f"order at {where}"

    def change(self) -> str:
        """Add pieces to a row, or give it another price."""
        rows = self.ask(200, "GET", f"inventoryItems?page_size=1&page={self.chance.randint(1, 90)}")
        if not rows:
            return "nothing to change"
        row = rows[0]
        if self.chance.random() < 0.5:
            price = f"{self.chance.randint(1, 900) / 1000:.4f}"
            self.ask(200, "PATCH", f"inventoryItems/{row['id']}", {"price": price})
            return "price"
        self.ask(200, "PATCH", f"inventoryItems/{row['id']}", {"quantity": row["quantity"] + 2})
        return "pieces"

    def let_fail(self) -> None:
        where, mode = self.chance.choice(STORES), self.chance.choice(FAILURES)
        try:
            self.control(where, "failures", mode=mode, times=self.chance.randint(1, 4))
        except OSError:
            return

    def sync(self) -> dict[str, Any]:
        """Sync in one go; return it as it ended."""
        status, data = self.line.call("POST", "marketplace/syncs/now", {})
        assert status in {202, 409}, (status, data)
        if status == 409:  # an earlier one waits for a second look
            time.sleep(1)
            return {}
        (sync,) = data
        self.ended(sync["job_id"])
        (sync,) = self.ask(200, "GET", f"marketplace/syncs/{sync['id']}")
        if sync["state"] == "applied" and not sync["reason"] and not sync["counts"]["not_sent"]:
            self.intervals += 1
        self.look()
        return dict(sync)

    def ended(self, job_id: str) -> str:
        """Wait for the end of a job, which both marketplaces may let fail; return its state."""
        until = time.monotonic() + FIRST_PUSH_SECONDS
        while time.monotonic() < until:
            (job,) = self.ask(200, "GET", f"jobs/{job_id}")
            if job["state"] in {"succeeded", "failed", "cancelled"}:
                return str(job["state"])
            time.sleep(0.1)
        raise Gone(f"job {job_id}")

    def look(self) -> None:
        for where in STORES:
            self.there[where] = self.control(where, "store", patience=30)["lots"]

    def rest(self) -> int:
        """Sync without failures until nothing is left to do; return how many syncs that took."""
        for where in STORES:
            self.control(where, "reset", patience=30)
        for number in range(1, MOST_SYNCS + 1):
            sync = self.sync()
            counts = sync.get("counts", {})
            moved = ("orders", "created", "changed", "zeroed", "sent", "put_up", "not_sent")
            if sync.get("state") == "applied" and not sync["reason"]:
                if not any(counts.get(name) for name in moved):
                    return number
            else:
                time.sleep(2)
        self.problems.append(f"not at rest: {sync}")
        return MOST_SYNCS

    def control(self, where: str, what: str, *, patience: int = 0, **told: Any) -> Any:
        """Throw a switch of a simulator; wait for one that is down where there is patience."""
        until = time.monotonic() + patience
        request = urllib.request.Request(
            f"{self.addresses[where]}/_control/{what}",
            data=json.dumps({"name": SELLER, **told}).encode(),
            headers={"Content-Type": "application/json"},
        )
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return json.loads(answer.read())
            except urllib.error.HTTPError:
                raise
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)


class TwoStores(Battle):
    """The app, its seller, and both simulators, which are killed as well."""

    lots = LOTS
    fails = True
    fills = True

    @property
    def simulators(self) -> dict[str, list[str]]:
        second = [sys.executable, "-m", "benchmarks._two_stores"]
        return {**super().simulators, "brickowl": second}

    def targets(self) -> set[str]:
        return {"worker", "web", "store", "brickowl"}

    def hire(self) -> None:
        """Give the seller an account; the first store's lots are in its journal by now."""
        name = "seller@example.org"
        printed = self.app.manage("issue_tokens", name, "--create", "Seller")
        line = self.line_of(name, json.loads(printed)["accessToken"])
        seller = TwoStoresSeller(name, line, self.gate, self.seed)
        seller.lots, seller.fails, seller.fills = self.lots, self.fails, self.fills
        seller.addresses = {
            "store": _root(self.app.environment["MARKETPLACE_URL"]),
            "brickowl": _root(self.app.environment["BRICKOWL_URL"]),
        }
        self.seller = seller
        self.operators.append(seller)

    def reckon(self, seconds: float) -> dict[str, Any]:
        """Bring all to rest, and compare stock, channels and stores."""
        seller = self.seller
        syncs = 0 if seller.problems else seller.rest()
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.two_channels", "reckon"],
            cwd=ROOT,
            env=self.app.environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        ours = json.loads(done.stdout.splitlines()[-1])
        stores = {where: seller.control(where, "store")["lots"] for where in STORES}
        orders = {where: seller.control(where, "orders")["orders"] for where in STORES}
        return {
            **self.compared(ours, stores, orders),
            "kills": self.killed.total(),
            "killed": dict(self.killed),
            "kinds": dict(self.gate.kinds),
            "seconds": round(seconds, 1),
            "syncs_to_rest": syncs,
            "told": seller.problems + seller.line.crashes + self.traces()[:3],
        }

    def compared(
        self, ours: dict[str, Any], stores: dict[str, Any], orders: dict[str, Any]
    ) -> dict[str, Any]:
        """Return how many lots and orders differ, and what is short."""
        free, lacking = Counter(ours["free"]), Counter(ours["lacking"])
        there = {where: _pieces(lots) for where, lots in stores.items()}
        differing = [
            f"{pair}: {free[pair]} here, {[pieces[pair] for pieces in there.values()]} there"
            for pair in sorted({*free, *(name for pieces in there.values() for name in pieces)})
            if any(pieces[pair] != free[pair] for pieces in there.values())
        ]
        doubled = [
            f"{pair} at {where}"
            for where, lots in stores.items()
            for pair, count in Counter(map(_name, lots)).items()
            if count > 1
        ]
        placed = sum(map(len, orders.values()))
        both = {
            _text(pair)
            for where, pair in self.seller.bought
            if where == STORES[0]
            and self.seller.bought[where, pair] & self.seller.bought.get((STORES[1], pair), set())
        }
        unexplained = [pair for pair in lacking if pair not in both]
        left = Counter(ours["edited"])
        for lot in first_lots(self.lots):
            left[_name(lot)] += lot["quantity"]
        for pair, pieces in _sold(orders):
            left[pair] -= pieces
        miscounted = [
            f"{pair}: {left[pair]} left, {free[pair]} here, {lacking[pair]} short"
            for pair in left
            if left[pair] != free[pair] - lacking[pair]
        ]
        return {
            "orders": placed,
            "orders_lost": placed - ours["orders"],
            "lots_differing": len(differing),
            "lots_doubled": len(doubled),
            "channel_lots_differing": ours["channels_differing"],
            "ledger_unsound": 0 if ours["is_sound"] else 1,
            "lots_miscounted": len(miscounted),
            "pieces_short": lacking.total(),
            "lots_short": len(lacking),
            "short_unexplained": max(len(unexplained) - self.seller.unclear, 0),
            "differ": [*differing[:5], *doubled[:5], *unexplained[:5], *miscounted[:5]],
        }


class Timed(TwoStores):
    """The same without kills and failures, to time a sync of many lots."""

    lots = TIMED_LOTS
    fails = False
    fills = False

    def fight(self) -> dict[str, Any]:
        for name, command in self.simulators.items():
            self.app.start_process(name, command)
        self.app.start_process("web", self.web)
        self.app.start_worker()
        self.app.wait_until_ready()
        self.hire()
        seller = self.seller
        seller.prepare()
        seller.rest()
        some = random.Random(self.seed).sample(
            [lot for lot in seller.there["store"] if lot["quantity"] > 3], CHANGES
        )
        for lot in some[: CHANGES // 2]:
            seller.control("store", "orders", place={str(lot["inventory_id"]): 1})
        rows = seller.ask(200, "GET", f"inventoryItems?page_size={CHANGES // 2}")
        for row in rows:
            seller.ask(200, "PATCH", f"inventoryItems/{row['id']}", {"price": "0.7700"})
        found: dict[str, Any] = {"tie_seconds": round(seller.filled_seconds, 1)}
        for name in ("changed", "compared", "idle"):
            began = time.monotonic()
            sync = seller.sync()
            assert (sync["state"], sync["reason"]) == ("applied", ""), sync
            found[f"{name}_seconds"] = round(time.monotonic() - began, 1)
            found[f"{name}_calls"] = sync["counts"]["calls"]
        found["calls_per_change"] = round(found["changed_calls"] / CHANGES, 2)
        return found


def reckon() -> dict[str, Any]:
    """Return what the database has: free pieces, what is short, orders, and the ledger."""
    from django.db.models import F

    from apps.accounts.models import User
    from apps.inventory.models import ChannelLot, InventoryItem, Movement, Promise
    from apps.inventory.services.ledger_check import check_ledger
    from apps.orders.models import Order, OrderLine

    owner = User.objects.get()
    free: Counter[str] = Counter()
    by_number: Counter[int] = Counter()
    rows = InventoryItem.objects.owned_by(owner)
    columns = ("lot__item__number", "lot__color_id", "marketplace_lot_id", "quantity", "promised")
    for number, color, lot_id, quantity, promised in rows.values_list(*columns):
        free[_text((number, color))] += quantity - promised
        by_number[lot_id] += quantity - promised
    lacking: Counter[str] = Counter()
    sold = OrderLine.objects.filter(owner=owner).exclude(order__state="cancelled")
    for line in sold:
        held = sum(Promise.objects.filter(line_id=line.pk).values_list("quantity", flat=True))
        if line.quantity > held:
            lacking[_text((line.item_number, line.color_id or 0))] += line.quantity - held
    edited: Counter[str] = Counter()
    moves = Movement.objects.owned_by(owner).filter(reason="edit")
    for number, color, delta in moves.values_list(
        "item__lot__item__number", "item__lot__color_id", "delta"
    ):
        edited[_text((number, color))] += delta
    lots = ChannelLot.objects.owned_by(owner).annotate(of=F("channel__marketplace"))
    differing = [lot for lot in lots if lot.quantity != by_number[lot.marketplace_lot_id]]
    return {
        "free": {pair: pieces for pair, pieces in free.items() if pieces},
        "lacking": lacking,
        "edited": edited,
        "orders": Order.objects.owned_by(owner).count(),
        "channels_differing": len(differing),
        "is_sound": check_ledger(owner=owner).is_sound,
    }


def pair_of(lot: dict[str, Any]) -> Pair:
    """Return number and colour of a lot of either simulator, in our colours."""
    if "number" in lot:
        return lot["number"], int(lot["color_id"] or OURS) - OURS
    return lot["item"]["no"], int(lot["color_id"])


def _sold(orders: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[str, int]]:
    """Yield what buyers took by the orders of the simulators."""
    for order in orders["store"]:
        for line in (line for batch in order["batches"] for line in batch):
            yield _name(line["lot"]), line["quantity"]
    for order in orders["brickowl"]:
        for line in order["items"]:
            yield _name(line["lot"]), int(line["ordered_quantity"])


def _text(pair: Pair) -> str:
    return f"{pair[0]} in {pair[1]}"


def _name(lot: dict[str, Any]) -> str:
    return _text(pair_of(lot))


def _pieces(lots: list[dict[str, Any]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for lot in lots:
        found[_name(lot)] += lot["quantity"]
    return found


def _root(address: str) -> str:
    return f"http://{urlsplit(address).netloc}"


def main() -> int:
    """Fight on each broker, then time; print one JSON line."""
    seed = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**9)
    figures: dict[str, Any] = {"seed": seed, "lots": LOTS, "timed_lots": TIMED_LOTS}
    limits: dict[str, Limit] = {}
    for broker in BROKERS:
        if broker == "redis" and not (Redis.is_installed() and Postgres.is_installed()):
            figures["redis"] = "not run: redis-server or PostgreSQL is not installed"
            continue
        for kind, kills, orders in ((TwoStores, KILLS, ORDERS), (Timed, 0, 0)):
            if not kind.lots:
                continue
            catalogue = catalogue_of(kind.lots)
            prepared = battle(
                broker,
                kills=kills,
                operations=orders,
                seed=seed,
                kind=kind,
                catalogue=catalogue,
                # The simulators do at once what they do: nothing of a call arrives later.
                MARKETPLACE_SECOND_LOOK_SECONDS="1",
            )
            with prepared as fought:
                write_first_store(Path(fought.app.folder), SELLER, kind.lots)
                if not kind.fills:
                    write_second_store(Path(fought.app.folder), SELLER, kind.lots)
                figures |= {f"{broker}_{name}": value for name, value in fought.fight().items()}
        if LOTS:
            zero = (
                "orders_lost",
                "lots_miscounted",
                "lots_differing",
                "lots_doubled",
                "channel_lots_differing",
            )
            for name in (*zero, "ledger_unsound", "short_unexplained"):
                limits[f"{broker}_{name}"] = Limit(0)
        if TIMED_LOTS:
            # Orders and lots of either store; an order by two calls or three, and a call for each change.
            limits[f"{broker}_calls_per_change"] = Limit(3.5)
            limits[f"{broker}_idle_calls"] = Limit(4)
    return report("two_channels", figures=figures, ratios={}, limits=limits)


if __name__ == "__main__":
    if sys.argv[1:] == ["reckon"]:
        import django

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
        django.setup()
        print(json.dumps(reckon()))
    else:
        sys.exit(main())
