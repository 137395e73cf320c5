"""A seller who lists at the demo store while processes are killed, and the comparison afterwards."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks._operators import CATALOGUE, Operator
from benchmarks._store import pairs_of
from simulators.store.catalogue import colours
from simulators.store.server import JOURNAL

SYNCS = 3


class Lister(Operator):
    """Stows a few items, puts them up for sale, again and again; compares and syncs with the store.

    Half of what comes in belongs to lots that are for sale already: those are topped up.
    """

    MOST = 8

    def prepare(self) -> None:
        self.places = self.make_places()
        known = colours()
        pairs = sorted({pair for pair in pairs_of(CATALOGUE) if pair[1] in known})
        self.lots = self.chance.sample(pairs, 120)
        (batch,) = self.ask(201, "POST", "batches", {"name": "For sale"})
        self.batch = batch["id"]
        self.for_sale: Counter[int] = Counter()

    def work(self) -> str:
        chance = self.chance.random()
        if self.for_sale and chance < 0.1:
            return self.compare()
        if self.for_sale and chance < 0.5:
            return self.sync()
        return self.list_some()

    def list_some(self) -> str:
        drafts = [
            self.draft(place) for place in self.chance.sample(range(len(self.lots)), self.of())
        ]
        rows = self.ask(200, "POST", "batchItems/bulk", {"create": drafts})
        pieces = {row["id"]: row["row"]["qty"] for row in rows if row["ok"]}
        assert len(pieces) == len(drafts), rows
        (stowed,) = self.ask(200, "POST", f"batches/{self.batch}/stow", {"items": sorted(pieces)})
        assert not stowed["failed"], stowed["failed"]
        self.facts[f"batch {self.batch} stow"] += 1
        for item, quantity in pieces.items():
            self.moved(item, quantity)
        waiting = sorted(pieces)
        while waiting:
            waiting = self.list_and_look(waiting)
        self.for_sale.update(pieces)
        return "list"

    def of(self) -> int:
        return self.chance.randint(1, self.MOST)

    def draft(self, place: int) -> dict[str, Any]:
        number, color = self.lots[place]
        return {
            "batch_id": self.batch,
            "item_type": "PART",
            "item_number": number,
            "color_id": color,
            "qty": self.chance.randint(1, 20),
            "price": f"{(place + 1) / 1000:.4f}",
            "user_inventory_item_location_id": self.places[place % len(self.places)],
        }

    def list_and_look(self, items: list[int]) -> list[int]:
        """List the items and wait until it is known what became of each; return those not listed."""
        body = {"batch_id": self.batch, "items": items}
        (started,) = self.ask(202, "POST", "marketplace/listings", body)
        self.wait_for_job(started["job_id"])
        (job,) = self.ask(200, "GET", f"jobs/{started['job_id']}")
        if second := job["result"].get("settle_job_id"):
            self.wait_for_job(second)
        left = []
        for item in items:
            (row,) = self.ask(200, "GET", f"batchItems/{item}")
            assert not row["is_listed_pending"], row
            if not row["is_listed"]:
                left.append(item)
        return left

    def compare(self) -> str:
        (sync,) = self.ask(202, "POST", "marketplace/syncs", {})
        self.wait_for_job(sync["job_id"])
        (sync,) = self.ask(200, "GET", f"marketplace/syncs/{sync['id']}")
        differ = {kind: count for kind, count in sync["counts"].items() if count}
        assert sync["state"] == "planned", sync
        assert not differ.keys() - {"same", "known"}, differ
        return "compare with the store"

    def sync(self) -> str:
        """Change a price here; the sync sends it."""
        (row,) = self.ask(200, "GET", "inventoryItems?page_size=1&listed=for_sale")
        price = f"{self.chance.randint(1, 9_000) / 10_000:.4f}"
        self.ask(200, "PATCH", f"inventoryItems/{row['id']}", {"price": price})
        # A call that a kill left open is not repeated in the same sync: the next one sends it.
        for _ in range(SYNCS):
            (sync,) = self.ask(202, "POST", "marketplace/syncs/now", {})
            self.wait_for_job(sync["job_id"])
            (sync,) = self.ask(200, "GET", f"marketplace/syncs/{sync['id']}")
            assert sync["state"] == "applied", sync
            if not sync["counts"]["not_sent"]:
                break
        assert not sync["counts"]["not_sent"], sync
        return "sync with the store"

    def expect(self) -> Counter[str]:
        return self.facts + Counter(
            f"batch item {item}: {quantity} listed" for item, quantity in self.for_sale.items()
        )


def in_the_store(folder: Path) -> dict[str, dict[int, int]]:
    """Return the demo store's stock: seller -> lot id -> pieces."""
    found: dict[str, dict[int, int]] = {}
    path = folder / JOURNAL
    for line in path.read_text().splitlines() if path.exists() else ():
        change = json.loads(line)
        lots = found.setdefault(change["seller"], {})
        if "gone" in change:
            lots.pop(change["gone"], None)
        elif "lot" in change:  # else it only names the seller
            lots[change["lot"]["inventory_id"]] = change["lot"]["quantity"]
    return found


def in_our_stock(user_id: int) -> dict[int, int]:
    """Return our listed pieces by lot id."""
    from django.db.models import Sum

    from apps.batches.models import BatchItem

    listed = BatchItem.objects.filter(owner_id=user_id, is_listed=True).order_by()
    sums = listed.values("marketplace_lot_id").annotate(pieces=Sum("quantity"))
    return {row["marketplace_lot_id"]: row["pieces"] for row in sums}
