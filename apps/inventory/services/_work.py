"""Changes of stock, worked out in memory on locked rows and locations, then written at once."""

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.accounts.models import User
from apps.core.bulk import instant_text, plain, update_rows
from apps.inventory.models import InventoryItem
from apps.inventory.services._images import ALWAYS, Images
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import Loads, insert_items
from apps.inventory.services.promises import reassign_promises
from apps.locations.services import rooms
from apps.lots.models import LotFields
from apps.lots.services.images import Kept


@dataclass(slots=True)
class NewRow:
    """A row to make: the fields of its lot, where it is, and how many pieces.

    `pk` is 0 until it is written.
    """

    fields: LotFields
    location_id: int | None
    remarks: str
    piece_grams: Decimal | None
    quantity: int = 0
    pk: int = 0

    @property
    def price(self) -> Decimal | None:
        return self.fields.price

    @price.setter
    def price(self, price: Decimal | None) -> None:
        self.fields.price = price


Row = InventoryItem | NewRow


class StockWork:
    """The rows, counters and movements that one call changes.

    The caller has locked the rows and their locations and has checked the limits.
    `images` collects the rows for an act.
    """

    def __init__(self, owner: User, now: dt.datetime, *, images: Images | None = None) -> None:
        self.owner = owner
        self.now = now
        self.images = images
        self.loads = Loads()
        self._columns = {"quantity"}
        self._changed: dict[int, InventoryItem] = {}
        self._new: list[NewRow] = []
        self._booked: defaultdict[Why, list[tuple[Row, Entry]]] = defaultdict(list)

    def see(self, row: Row) -> None:
        """Take a row as it is, for the act. Call before changing it."""
        if self.images is not None and isinstance(row, InventoryItem):
            self.images.see(row)

    def kept(self, *, always: Sequence[str] = ALWAYS) -> list[Kept]:
        """Return the rows as the act keeps them (`Images.kept`)."""
        return [] if self.images is None else self.images.kept(always=always)

    def change(self, row: InventoryItem, *columns: str) -> None:
        """Write the quantity of a changed row, and these columns."""
        self._changed[row.pk] = row
        self._columns.update(columns)

    def make(self, row: NewRow) -> None:
        """Insert a row."""
        self._new.append(row)

    def add(
        self,
        why: Why,
        row: Row,
        delta: int,
        cause_id: int | None = None,
        reverses_id: int | None = None,
    ) -> None:
        """Add pieces to a row where it is (negative: remove them), with their movement."""
        row.quantity += delta
        if isinstance(row, InventoryItem):
            self.change(row)
        here = row.location_id
        self.loads.add(here, delta, row.piece_grams)
        from_id, to_id = (None, here) if delta > 0 else (here, None)
        self.book(why, row, delta, from_id, to_id, cause_id, reverses_id)

    def book(
        self,
        why: Why,
        row: Row,
        delta: int,
        from_id: int | None,
        to_id: int | None,
        cause_id: int | None = None,
        reverses_id: int | None = None,
    ) -> None:
        """Append a movement of a row."""
        self._booked[why].append((row, Entry(0, delta, from_id, to_id, cause_id, reverses_id)))

    def write(self, *, promises_follow: bool = True) -> list[int]:
        """Write all of it; promises follow their pieces, unless the caller settles them.

        Return the ids of the movements, in the order of booking where all have one `why`.
        """
        new = [
            (row.fields, row.location_id, row.quantity, row.piece_grams, row.remarks)
            for row in self._new
        ]
        made = insert_items(owner=self.owner, rows=new, now=self.now)
        for row, pk in zip(self._new, made, strict=True):
            row.pk = pk
            if self.images is not None:
                self.images.made(pk, quantity=row.quantity, location_id=row.location_id)
        columns, stamp = sorted(self._columns), instant_text(self.now)
        update_rows(
            InventoryItem,
            (*columns, "updated_at"),
            [
                (pk, *(plain(getattr(row, name)) for name in columns), stamp)
                for pk, row in sorted(self._changed.items())
            ],
        )
        rooms.change_rooms(loads=self.loads.by_location)
        movements = record(
            {
                why: [entry._replace(item_id=row.pk) for row, entry in entries]
                for why, entries in self._booked.items()
            }
        )
        if promises_follow:
            reassign_promises(owner=self.owner, items=self._changed.values(), now=self.now)
        return movements
