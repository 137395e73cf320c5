"""The nine item types and the catalogues whose numbers we store, as plain values.

Pure, so that readers of files can use them without Django.
"""

from enum import StrEnum
from typing import Final


class ItemType(StrEnum):
    """What an item is. Together with the number it is the item's identity."""

    PART = "PART"
    GEAR = "GEAR"
    MINIFIG = "MINIFIG"
    SET = "SET"
    BOOK = "BOOK"
    INSTRUCTION = "INSTRUCTION"
    ORIGINAL_BOX = "ORIGINAL_BOX"
    CATALOG = "CATALOG"
    UNSORTED_LOT = "UNSORTED_LOT"


class Catalogue(StrEnum):
    """Whose numbering a number, a name or a list of contents follows."""

    BRICKLINK = "B"
    REBRICKABLE = "R"
    LDRAW = "L"
    OWN = "O"


# The letters of BrickLink's files, BSX and addresses.
TYPE_OF_LETTER: Final[dict[str, ItemType]] = {
    "P": ItemType.PART,
    "G": ItemType.GEAR,
    "M": ItemType.MINIFIG,
    "S": ItemType.SET,
    "B": ItemType.BOOK,
    "I": ItemType.INSTRUCTION,
    "O": ItemType.ORIGINAL_BOX,
    "C": ItemType.CATALOG,
    "U": ItemType.UNSORTED_LOT,
}
LETTER_OF_TYPE: Final[dict[str, str]] = {
    kind.value: letter for letter, kind in TYPE_OF_LETTER.items()
}

TYPE_NAMES: Final[dict[str, str]] = {
    "PART": "Part",
    "GEAR": "Gear",
    "MINIFIG": "Minifigure",
    "SET": "Set",
    "BOOK": "Book",
    "INSTRUCTION": "Instruction",
    "ORIGINAL_BOX": "Original box",
    "CATALOG": "Catalog",
    "UNSORTED_LOT": "Unsorted lot",
}

# If number and name are equal, the items searched for most come first.
TYPE_ORDER: Final[dict[str, int]] = {
    "PART": 0,
    "MINIFIG": 1,
    "SET": 2,
    "GEAR": 3,
    "BOOK": 4,
    "CATALOG": 5,
    "INSTRUCTION": 6,
    "ORIGINAL_BOX": 7,
    "UNSORTED_LOT": 8,
}

NO_COLOR: Final = 0  # BrickLink's "(Not Applicable)"
REBRICKABLE_COLOR_BASE: Final = 10_000  # 10000 + Rebrickable's id, for colours only it has
REBRICKABLE_PART_CATEGORY_BASE: Final = 20_000
REBRICKABLE_THEME_BASE: Final = 30_000


def item_type_of(text: str) -> ItemType | None:
    """Return the type that a letter (`P`) or a name (`PART`, `part`) means, else None."""
    word = text.strip().upper()
    if word in TYPE_OF_LETTER:
        return TYPE_OF_LETTER[word]
    return ItemType(word) if word in ItemType.__members__ else None
