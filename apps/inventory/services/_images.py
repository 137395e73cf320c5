"""Collects rows of stock while an act changes them, as the act keeps them for its undo."""

from collections.abc import Sequence
from typing import Final

from apps.inventory.models import InventoryItem
from apps.inventory.rules.file_columns import FILE_COLUMNS, STOCK_COLUMNS
from apps.lots.services.images import Kept, image_of

#: The columns that acts may change.
IMAGE_COLUMNS: Final = (
    "quantity",
    "location_id",
    "deleted_at",
    "piece_grams",
    "lot_id",
    "came_as",
    *STOCK_COLUMNS,
    *(name for name in FILE_COLUMNS if name != "extra"),
)
ALWAYS: Final = ("quantity", "location_id")


class Images:
    """Collects rows while an act changes them."""

    def __init__(self) -> None:
        self._before: dict[int, Kept] = {}
        self._rows: dict[int, InventoryItem] = {}
        self._made: dict[int, Kept] = {}

    def see(self, row: InventoryItem) -> None:
        """Take the row as it is now, unless it was taken before. Call before changing it."""
        if row.pk not in self._before:
            self._before[row.pk] = image_of(row, IMAGE_COLUMNS)
            self._rows[row.pk] = row

    def made(self, pk: int, *, quantity: int, location_id: int | None) -> None:
        """Remember a row that the act made."""
        self._made[pk] = {"quantity": quantity, "location_id": location_id}

    def kept(self, *, always: Sequence[str] = ALWAYS) -> list[Kept]:
        """Return the rows as a chunk stores them: the fields that differ, and the `always` fields.

        An undo skips or refuses a row if one of these fields has changed since the act.
        """
        found: list[Kept] = []
        for pk, before in self._before.items():
            after = image_of(self._rows[pk], IMAGE_COLUMNS)
            if pk in self._made:
                self._made[pk] = _only(after, ALWAYS)
                continue
            names = [name for name in IMAGE_COLUMNS if before[name] != after[name]]
            if not names:
                continue
            names = list(dict.fromkeys((*always, *names)))
            found.append({"id": pk, "before": _only(before, names), "after": _only(after, names)})
        found += [{"id": pk, "before": None, "after": after} for pk, after in self._made.items()]
        return found


def _only(image: Kept, names: Sequence[str]) -> Kept:
    return {name: image[name] for name in names}
