"""BrickLink's wanted-list XML."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, BinaryIO, Final

from apps.exchange.bricklink_rows import (
    BricklinkFile,
    BricklinkState,
    Row,
    amount_xml,
    read_doubled,
    tag_xml,
    text_xml,
    without,
)
from apps.exchange.bricklink_upload import identity_xml
from apps.exchange.bsx_lot import BsxLot, BsxWarning, ExtraTag, WarningCode
from apps.exchange.bsx_tags_out import Notices, WriteNotice
from apps.exchange.bsx_values import Finding, Reading, read_count, read_money, read_retain
from apps.exchange.bsx_writer import BsxWritten
from apps.exchange.colors import NO_COLORS, Colors
from apps.exchange.item_types import ITEM_TYPE_NAMES
from apps.exchange.xml_head import XmlLimits


@dataclass(frozen=True, kw_only=True)
class WantedItem:
    """One line of a wanted list. Built by `filled` in bulk, as a `BsxLot` is."""

    item_number: str = ""
    item_type: str = ""
    #: None is any colour, or one that is not known, by its name.
    color_id: int | None = None
    color_name: str = ""
    #: 0 is not given.
    min_quantity: int = 0
    #: None is any price.
    max_price: Decimal | None = None
    #: N, U, '' for any, or one that was not understood with its text.
    condition: str = ""
    condition_text: str = ""
    remarks: str = ""
    #: None is not given.
    notify: bool | None = None
    filled_quantity: int = 0
    wanted_list_id: str = ""
    extra: tuple[ExtraTag, ...] = ()
    index: int = field(default=-1, compare=False)
    line: int = field(default=0, compare=False)
    warnings: tuple[BsxWarning, ...] = field(default=(), compare=False)

    @classmethod
    def filled(cls, values: dict[str, Any]) -> WantedItem:
        """Build an item from the fields that differ from their defaults."""
        item = object.__new__(cls)
        item.__dict__.update(values)
        return item


def read_wanted_list(
    stream: BinaryIO, *, limits: XmlLimits | None = None, colors: Colors = NO_COLORS
) -> BricklinkFile[WantedItem]:
    """Open wanted-list XML: its lines are read while they are iterated. Raises FileRefused."""
    return BricklinkFile(stream, _wanted_of, limits, colors)


def wanted_of(lot: BsxLot) -> WantedItem:
    """Turn a lot into a wish. Raises LotRefused when it is excluded or incomplete.

    A used lot wishes for any condition, as in BrickStore.
    """
    identity_xml(lot)
    return WantedItem(
        item_number=lot.item_number,
        item_type=lot.item_type,
        color_id=lot.color_id or 0,
        min_quantity=max(0, lot.quantity),
        max_price=lot.price or None,
        condition="N" if lot.condition == "N" else "",
        remarks=lot.remarks,
    )


def _read_max_price(text: str) -> Reading:
    """Read a price; BrickLink's own download has -1 for "any"."""
    value, finding = read_money(text)
    if value < 0:
        return Reading(None)
    return Reading(value or None, finding)


#: What BrickLink writes where any condition will do.
_ANY: Final = frozenset({"", "X"})
_read_quantity: Final = without(WarningCode.COMMA_IN_NUMBER, read_count)


def _read_wanted(text: str) -> Reading:
    """Read a number of pieces; 0 and -1, which ask for any number, are none."""
    value, finding = _read_quantity(text)
    if finding is None or finding.code is WarningCode.NEGATIVE:
        if value >= 1:
            return Reading(value)
        finding = Finding(WarningCode.OUT_OF_RANGE, "a number of pieces from 1")
    return Reading(0, finding) if value < 1 else Reading(value, finding)


def _wanted_of(row: Row, state: BricklinkState) -> WantedItem:
    number = row.text("ITEMID") or ""
    item_type = row.item_type()
    if not number:
        row.warn(WarningCode.MISSING, "ITEMID", "", "a catalogue number")
    values: dict[str, Any] = {
        "item_number": number,
        "item_type": item_type,
        "index": row.index,
        "line": row.line,
        "min_quantity": row.value("MINQTY", _read_wanted, 0),
        "max_price": row.value("MAXPRICE", _read_max_price, None),
        "remarks": row.value("REMARKS", read_doubled, ""),
        "notify": row.value("NOTIFY", read_retain, None),
        "filled_quantity": row.value("QTYFILLED", _read_quantity, 0),
        "wanted_list_id": (row.text("WANTEDLISTID") or "").strip(),
    }
    row.color(state.colors, values)
    row.condition(values, any_of=_ANY)
    values["extra"] = row.left_over()
    values["warnings"] = tuple(row.warnings)
    return WantedItem.filled(values)


def write_wanted_list(
    items: Iterable[WantedItem], out: BinaryIO, *, wanted_list_id: str = ""
) -> BsxWritten:
    """Write one line of wanted-list XML, for the list with that id or the default one.

    Lines without number or type are left out and reported. BrickLink takes at most 1,000 at once:
    see `in_batches`.
    """
    written = BsxWritten()
    out.write(b"<INVENTORY>")
    for index, item in enumerate(items):
        if not item.item_number or item.item_type not in ITEM_TYPE_NAMES:
            field_name = "ITEMTYPE" if item.item_number else "ITEMID"
            message = f"The line has no {field_name} of BrickLink's catalogue."
            written.refused.append(WriteNotice(index, field_name, message))
            continue
        notices: Notices = []
        fields = _fields_xml(item, wanted_list_id or item.wanted_list_id, notices)
        written.add_notices(index, notices)
        written.count += 1
        out.write(f"<ITEM>{fields}</ITEM>".encode())
    out.write(b"</INVENTORY>")
    return written


def _fields_xml(item: WantedItem, wanted_list_id: str, notices: Notices) -> str:
    parts = [
        text_xml("ITEMID", item.item_number, notices),
        tag_xml("ITEMTYPE", item.item_type),
        tag_xml("COLOR", str(item.color_id or 0)),
    ]
    if item.min_quantity:
        parts.append(tag_xml("MINQTY", str(item.min_quantity)))
    if item.max_price:
        parts.append(amount_xml("MAXPRICE", item.max_price, notices, or_nothing=True))
    if item.remarks:
        parts.append(text_xml("REMARKS", item.remarks, notices, doubled=True))
    if item.condition:
        parts.append(tag_xml("CONDITION", item.condition))
    if item.notify is not None:
        parts.append(tag_xml("NOTIFY", "Y" if item.notify else "N"))
    if item.filled_quantity:
        parts.append(tag_xml("QTYFILLED", str(item.filled_quantity)))
    if wanted_list_id:
        parts.append(text_xml("WANTEDLISTID", wanted_list_id, notices))
    return "".join(parts)
