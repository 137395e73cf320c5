"""Values of rows before and after an act. An undo restores the values before."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from apps.core.bulk import instant_text
from apps.inventory.models import ActChunk, InventoryItem, StockAct
from apps.inventory.rules.file_columns import FILE_COLUMNS, plain_value

#: The columns that acts may change.
IMAGE_COLUMNS: Final = (
    "quantity",
    "location_id",
    "deleted_at",
    "piece_grams",
    "lot_id",
    *(name for name in FILE_COLUMNS if name != "extra"),
)
_ALWAYS: Final = ("quantity", "location_id")


def image_of(row: InventoryItem, names: Iterable[str] = IMAGE_COLUMNS) -> dict[str, Any]:
    """Return the row in plain values, as both databases and JSON take them."""
    return {name: plain_column(name, getattr(row, name)) for name in names}


class Images:
    """Collects rows while an act changes them."""

    def __init__(self) -> None:
        self._before: dict[int, dict[str, Any]] = {}
        self._rows: dict[int, InventoryItem] = {}
        self._made: dict[int, dict[str, Any]] = {}

    def see(self, row: InventoryItem) -> None:
        """Take the row as it is now, unless it was taken before. Call before changing it."""
        if row.pk not in self._before:
            self._before[row.pk] = image_of(row)
            self._rows[row.pk] = row

    def made(self, pk: int, *, quantity: int, location_id: int | None) -> None:
        """Remember a row that the act made."""
        self._made[pk] = {"quantity": quantity, "location_id": location_id}

    def kept(self, *, always: Sequence[str] = _ALWAYS) -> list[dict[str, Any]]:
        """Return the rows as a chunk stores them: the fields that differ, and the `always` fields.

        An undo skips or refuses a row if one of these fields has changed since the act.
        """
        found: list[dict[str, Any]] = []
        for pk, before in self._before.items():
            after = image_of(self._rows[pk])
            if pk in self._made:
                self._made[pk] = _only(after, list(_ALWAYS))
                continue
            names = [name for name in IMAGE_COLUMNS if before[name] != after[name]]
            if not names:
                continue
            names = list(dict.fromkeys((*always, *names)))
            found.append({"id": pk, "before": _only(before, names), "after": _only(after, names)})
        found += [{"id": pk, "before": None, "after": after} for pk, after in self._made.items()]
        return found


def keep(act: StockAct, number: int, images: Images, *, always: Sequence[str] = _ALWAYS) -> int:
    """Keep a chunk's rows with their act; return how many."""
    rows = images.kept(always=always)
    if rows:
        ActChunk.objects.create(act=act, number=number, rows=rows)
    return len(rows)


def _only(image: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    return {name: image[name] for name in names}


def plain_column(name: str, value: Any) -> Any:
    """Return a column in the form that bulk writes and JSON take."""
    if name in FILE_COLUMNS:
        return plain_value(name, value)
    if name == "deleted_at":
        return None if value is None else instant_text(value)
    if name == "piece_grams":
        return None if value is None else f"{value:.4f}"
    return value
