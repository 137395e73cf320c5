"""The stock of a store: lots with ids, written to a journal that is read after a restart."""

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from simulators.store.wire import Refusal

FIRST_ID = 400_000_001
GONE = "The resource you requested does not exist."
OWNERS_ONLY: Final = 0o600
Lot = dict[str, Any]


class Journal:
    """A file of changes, one a line: `{seller}`, `{seller, lot}`, `{seller, gone}`, `{seller, order}`,
    and what of its catalogue a simulator was asked for.

    It holds secrets and addresses, so only its owner may read it. Without a path, none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()

    def add(self, **change: Any) -> None:
        if self.path is None:
            return
        line = json.dumps(change, separators=(",", ":"))
        with self._lock, open(self.path, "a", encoding="utf-8", opener=_private) as file:
            file.write(f"{line}\n")

    def read(self) -> list[dict[str, Any]]:
        """Return the changes; a last line that was cut off by a kill is left out."""
        if self.path is None or not self.path.exists():
            return []
        found = []
        self.path.chmod(OWNERS_ONLY)  # one of before this was so
        text = self.path.read_text(encoding="utf-8")
        if text and not text.endswith("\n"):
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n")
        for line in text.splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return found


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, OWNERS_ONLY)


class Stock:
    """The lots of one seller by id. Each change is whole or not at all. Safe for many threads."""

    def __init__(self, seller: str = "", journal: Journal | None = None) -> None:
        self.seller = seller
        self.journal = journal or Journal()
        self.is_closed = False  # on vacation: it reads as empty
        self.refuses_in_part = False  # an array with a bad row stores the rows before it
        self.restocks = True  # what orders give up is for sale again by itself
        self.escapes = 1  # how often texts are escaped in answers
        self.currency = "USD"  # of the account: price guides answer in it unless asked otherwise
        self.address = ""  # where its token may be used from; elsewhere it is refused
        self._lots: dict[int, Lot] = {}
        self._next = FIRST_ID
        self.lock = threading.RLock()  # for changes of several lots

    def load(self, change: dict[str, Any]) -> None:
        """Apply a change read from the journal."""
        if "gone" in change:
            self._lots.pop(change["gone"], None)
            return
        if "lot" not in change:
            return  # the seller alone
        lot = change["lot"]
        self._lots[lot["inventory_id"]] = lot
        self._next = max(self._next, lot["inventory_id"] + 1)

    @property
    def is_untouched(self) -> bool:
        """Whether no lot was ever in it."""
        return self._next == FIRST_ID

    def all(self) -> list[Lot]:
        """Return copies of all lots, by id, however closed the store is."""
        with self.lock:
            return [dict(lot) for _, lot in sorted(self._lots.items())]

    def add(self, lots: list[Lot]) -> list[Lot]:
        """Store new lots; equal ones are not merged. Return them with their ids."""
        with self.lock:
            made = []
            for lot in lots:
                made.append({"inventory_id": self._next, **lot})
                self._next += 1
                self._keep(made[-1])
            return [dict(lot) for lot in made]

    def get(self, lot_id: int) -> Lot:
        """Return a copy of a lot. Raises Refusal."""
        with self.lock:
            if lot_id not in self._lots:
                raise Refusal(404, GONE)
            return dict(self._lots[lot_id])

    def change(self, lot_id: int, change: Callable[[Lot], Lot]) -> Lot:
        """Replace a lot by the result of `change`. Raises Refusal; then nothing is changed."""
        with self.lock:
            lot = change(self.get(lot_id))
            if lot["quantity"] == 0 and not lot["is_retain"]:
                self.delete(lot_id)
            else:
                self._keep(lot)
            return dict(lot)

    def delete(self, lot_id: int) -> None:
        """Take a lot out of the store. Raises Refusal."""
        with self.lock:
            self.get(lot_id)
            del self._lots[lot_id]
            self.journal.add(seller=self.seller, gone=lot_id)

    def sell(self, lot_id: int, quantity: int) -> Lot:
        """Sell pieces of a lot. A sold-out lot is deleted unless it is retained."""

        def sold(lot: Lot) -> Lot:
            if not 0 < quantity <= lot["quantity"]:
                raise Refusal(400, f"The lot has {lot['quantity']} pieces.")
            return {**lot, "quantity": lot["quantity"] - quantity}

        return self.change(lot_id, sold)

    def put(self, lot: Lot) -> None:
        """Store a lot under the id that it had."""
        with self.lock:
            self._keep(lot)

    def _keep(self, lot: Lot) -> None:
        self._lots[lot["inventory_id"]] = lot
        self.journal.add(seller=self.seller, lot=lot)
