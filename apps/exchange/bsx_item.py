"""One `<Item>` element -> one BsxLot, in two lanes.

The fast lane reads items that need no remark, by dictionary look-ups; at the first surprise it
gives up and the careful lane reads the same item again, with warnings. Both use the readers of
`bsx_values.TAGS`, so they cannot disagree about a value.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element

from apps.exchange.bsx_item_careful import CarefulItem, FileMemory
from apps.exchange.bsx_lot import NO_ID, UNCOLORED_TYPES, BsxLot
from apps.exchange.bsx_values import (
    BASE_TAG,
    TAGS,
    NeedsCare,
    PlainMemo,
    read_lot_id,
    read_text,
)
from apps.exchange.colors import NO_COLORS, Colors
from apps.exchange.item_types import ITEM_TYPE_NAMES
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.xml_head import XmlLimits
from apps.exchange.xml_stream import LAST_SHORT_LINE, line_of

_MOST_PLANS: Final = 1000


# Readers that several tags share also share their memory.
_MEMOS: Final = {
    read: PlainMemo(read)
    for _name, read in TAGS.values()
    if read is not read_text and read is not read_lot_id
}


class _Names(dict[Any, str]):
    """Tag -> field of the lot; a tag that is none of BSX's needs care."""

    def __missing__(self, tag: object) -> str:
        raise NeedsCare


_NAMES: Final = _Names({tag: name for tag, (name, _read) in TAGS.items()} | {BASE_TAG: "base"})
_READERS: Final = {name: read for name, read in TAGS.values()}


class _Plan(NamedTuple):
    """How the fast lane reads an item with one certain sequence of fields."""

    needs_care: bool
    memos: tuple[tuple[str, PlainMemo], ...]
    has_base: bool
    has_lot_id: bool
    has_sub_condition: bool
    has_color_name: bool


def _plan_for(names: tuple[str, ...]) -> _Plan:
    memos = ((name, _MEMOS.get(_READERS.get(name, read_text))) for name in names)
    return _Plan(
        needs_care=not {"item_number", "item_type_id", "quantity", "condition"} <= set(names)
        or ("color_name" in names and "color_id" not in names),
        memos=tuple((name, memo) for name, memo in memos if memo is not None),
        has_base="base" in names,
        has_lot_id="marketplace_lot_id" in names,
        has_sub_condition="sub_condition" in names,
        has_color_name="color_name" in names,
    )


def _calm_types() -> dict[tuple[str, str], int]:
    """(ItemTypeID, ItemTypeName) that agree -> 1 with a colour of its own, 2 without, 3 a set."""
    calm = {}
    for letter, name in ITEM_TYPE_NAMES.items():
        kind = 3 if letter == "S" else 2 if letter in UNCOLORED_TYPES else 1
        calm[letter, name] = calm[letter, ""] = kind
    calm["M", "Minifig"] = 2
    return calm


_CALM_TYPES: Final = _calm_types()
_COLORED, _UNCOLORED, _SET = 1, 2, 3

_new = object.__new__
_assign = object.__setattr__


class ItemReader:
    """Reads the items of one file; remembers the lot ids it has seen."""

    def __init__(self, limits: XmlLimits, colors: Colors = NO_COLORS) -> None:
        """Start a file."""
        self._limits = limits
        self._colors = colors
        self.memory = FileMemory()
        self._plans: dict[tuple[str, ...], _Plan] = {}

    def read_plain(self, element: Any, index: int) -> BsxLot:
        """Read one item of a plain batch. Raises NeedsCare: read it carefully then."""
        values: dict[str, Any] = {_NAMES[child.tag]: child.text or "" for child in element}
        names = tuple(values)
        plan = self._plans.get(names)
        if plan is None:
            plan = self._new_plan(names)
        needs_care, memos, has_base, has_lot_id, has_sub_condition, has_color_name = plan
        if needs_care or len(values) != len(element):  # fewer: a tag was repeated
            raise NeedsCare
        for name, memo in memos:
            values[name] = memo[values[name]]
        if has_color_name and (values["color_id"], values["color_name"]) not in self.memory.agreed:
            raise NeedsCare
        if has_base:
            values["base"] = tuple(next(element.iterchildren(BASE_TAG)).items())
        # Contradictions are worded by `_judge` of the careful lane.
        kind = _CALM_TYPES.get((values["item_type_id"], values.get("item_type_name", "")))
        if (
            (kind != _COLORED and (kind is None or values.get("color_id")))
            or not values["item_number"]
            or (has_sub_condition and kind != _SET and values["sub_condition"])
        ):
            raise NeedsCare
        if has_lot_id:
            # Ids are all different, so they have no memo.
            text = values["marketplace_lot_id"]
            if not (len(text) < 11 and text.isdigit() and text.isascii()):
                raise NeedsCare
            lot_id = values["marketplace_lot_id"] = int(text) or None
            if lot_id is not None and (
                lot_id > NO_ID or self.memory.index_of_lot_id.setdefault(lot_id, index) != index
            ):
                raise NeedsCare
        line = element.sourceline
        values["line"] = line if line <= LAST_SHORT_LINE else line_of(element)
        values["index"] = index
        lot = _new(BsxLot)
        _assign(lot, "__dict__", values)
        return lot

    def _new_plan(self, names: tuple[str, ...]) -> _Plan:
        plan = _plan_for(names)
        # Files use a few dozen sequences of tags; a hostile one could have one for each lot.
        if len(self._plans) < _MOST_PLANS:
            self._plans[names] = plan
        return plan

    def read_carefully(self, element: Element, index: int) -> BsxLot:
        """Read one item with all its warnings. Raises FileRefused when it is beyond the limits."""
        if len(element) > self._limits.max_children:
            raise FileRefused(
                RefusalCode.LOT_TOO_LARGE,
                f"Lot {index + 1} has {len(element)} tags; expected at most "
                f"{self._limits.max_children}.",
                line_of(element),
            )
        return CarefulItem(self.memory, element, index, self._colors).read()
