"""Which catalogue file may name how many unknown items, of all people of a server."""

from dataclasses import dataclass, field
from typing import Final

from django.db.models import Count
from more_itertools import chunked

from apps.catalog.rules.kinds import LETTER_OF_TYPE, item_type_of
from apps.catalog.selectors.resolving import BATCH, LotIdentity, resolve_lots
from apps.inventory.models import InventoryItem

#: BrickLink's catalogue downloads, by the letter of the item type.
FILES: Final = {
    "P": "Parts.txt",
    "S": "Sets.txt",
    "M": "Minifigures.txt",
    "G": "Gear.txt",
    "B": "Books.txt",
    "C": "Catalogs.txt",
    "I": "Instructions.txt",
    "O": "Original Boxes.txt",
}
COLORS: Final = "colors.txt"
KNOWN_BY_NOW: Final = "(none: known by now)"
NO_FILE: Final = "(none: no such item type)"


@dataclass(slots=True)
class Missing:
    """The unknown items that one file may name."""

    file: str
    lots: int = 0
    numbers: set[tuple[str, str]] = field(default_factory=set)
    people: set[int] = field(default_factory=set)


def missing_files() -> list[Missing]:
    """Return what each file may name, most lots first.

    These are upper bounds: whether a newer file holds a number shows when it is imported.
    """
    found: dict[str, Missing] = {}
    groups = (
        InventoryItem.objects.filter(lot=None, quantity__gt=0)
        .order_by()
        .values_list("owner_id", "raw_item_type", "raw_item_number", "raw_color_id")
        .annotate(lots=Count("pk"))
    )
    for some in chunked(groups.iterator(chunk_size=BATCH), BATCH):
        answers = resolve_lots(LotIdentity(*group[1:4]) for group in some)
        for owner, kind, number, color, lots in some:
            name = _file_of(kind, answers[LotIdentity(kind, number, color)].reason)
            one = found.setdefault(name, Missing(name))
            one.lots += lots
            one.numbers.add((kind, number))
            one.people.add(owner)
    return sorted(found.values(), key=lambda one: (-one.lots, one.file))


def _file_of(kind: str, reason: str) -> str:
    if reason == "unknown_color":
        return COLORS
    if reason != "unknown_item":
        return KNOWN_BY_NOW
    item_type = item_type_of(kind)
    letter = LETTER_OF_TYPE[item_type.value] if item_type else ""
    return FILES.get(letter, NO_FILE)
