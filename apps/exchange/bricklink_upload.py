"""BrickLink's mass-upload XML, which is also the form of its store and order downloads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO, Final, cast

from apps.exchange import bsx_values
from apps.exchange.bricklink_rows import (
    BricklinkFile,
    BricklinkState,
    Row,
    amount_xml,
    read_doubled,
    read_eastern,
    tag_xml,
    text_xml,
    type_values,
    without,
)
from apps.exchange.bsx_lot import (
    UNCOLORED_TYPES,
    BsxLot,
    LotValues,
    WarningCode,
    total_weight_grams,
)
from apps.exchange.bsx_tags_out import LotRefused, Notices, WriteNotice
from apps.exchange.bsx_values import (
    Finding,
    Reader,
    Reading,
    read_bulk,
    read_count,
    read_id,
    read_lot_id,
    read_money,
    read_price,
    read_quantity,
    read_retain,
    read_sale,
    read_text,
    read_weight,
)
from apps.exchange.bsx_writer import BsxWritten
from apps.exchange.colors import NO_COLORS, Colors
from apps.exchange.conditions import UNKNOWN_CONDITION, why_no_condition
from apps.exchange.xml_head import XmlLimits

read_sub_condition: Final = without(WarningCode.SEALED_AS_S, bsx_values.read_sub_condition)


def _read_stockroom_id(text: str) -> Reading:
    letter = text.strip() or "A"
    if letter in {"A", "B", "C"}:
        return Reading(letter)
    return Reading("A", Finding(WarningCode.UNKNOWN_VALUE, "A, B or C"))


#: Tag -> field and reader, for tags that need no other one.
_PLAIN: Final[Mapping[str, tuple[str, Reader]]] = {
    "ITEMID": ("item_number", read_text),
    "CATEGORY": ("category_id", read_id),
    "ITEMNAME": ("item_name", read_text),
    "QTY": ("quantity", without(WarningCode.COMMA_IN_NUMBER, read_quantity)),
    "PRICE": ("price", read_price),
    "SUBCONDITION": ("sub_condition", read_sub_condition),
    "BULK": ("bulk", read_bulk),
    "SALE": ("sale", read_sale),
    "MYCOST": ("cost", read_money),
    "DESCRIPTION": ("comments", read_doubled),
    "REMARKS": ("remarks", read_doubled),
    "BUYERUSERNAME": ("reserved", read_text),
    "LOTID": ("marketplace_lot_id", read_lot_id),
    "TQ1": ("tq1", read_count),
    "TP1": ("tp1", read_money),
    "TQ2": ("tq2", read_count),
    "TP2": ("tp2", read_money),
    "TQ3": ("tq3", read_count),
    "TP3": ("tp3", read_money),
    "RETAIN": ("retain", read_retain),
    "ORDERBATCH": ("marker_text", read_text),
    "DATEADDED": ("date_added", read_eastern),
    "DATELASTSOLD": ("date_last_sold", read_eastern),
}


def read_mass_upload(
    stream: BinaryIO,
    *,
    limits: XmlLimits | None = None,
    colors: Colors = NO_COLORS,
    repair: bool = False,
) -> BricklinkFile[BsxLot]:
    """Open mass-upload XML: its lots are read while they are iterated. Raises FileRefused.

    Two different currencies are refused.
    """
    return BricklinkFile(stream, _lot_of, limits, colors, repair=repair)


def _lot_of(row: Row, state: BricklinkState) -> BsxLot:
    values: dict[str, Any] = {}
    row.color(state.colors, values)
    for tag, (name, read) in _PLAIN.items():
        if tag in row:
            values[name] = row.value(tag, read, None)
    row.condition(values)
    if "condition" not in values:
        values["condition"] = UNKNOWN_CONDITION
        row.warn(WarningCode.MISSING, "CONDITION", "", "N or U", outcome="it stays unknown")
    if "quantity" not in values:
        row.warn(WarningCode.MISSING, "QTY", "", "a number of pieces", outcome="0 stands instead")
    kind = row.item_type()
    values |= type_values(kind)
    if values["color_id"] is None and "color_name" not in values:
        if kind in UNCOLORED_TYPES:
            values["color_id"] = 0
        else:
            row.warn(WarningCode.MISSING, "COLOR", "", "a colour", outcome="it stays unknown")
    if not values.get("item_number"):
        row.warn(WarningCode.CUSTOM_ITEM, "ITEMID", "", "a catalogue number")
    stockroom = row.value("STOCKROOM", read_retain, False)
    stockroom_id = row.value("STOCKROOMID", _read_stockroom_id, "A")
    if stockroom:
        values["stockroom"] = stockroom_id
    unit_weight = row.value("MYWEIGHT", read_weight, None)
    if unit_weight is not None:
        values["total_weight_grams"] = total_weight_grams(unit_weight, values.get("quantity", 0))
    if told := (row.text("BASECURRENCYCODE") or "").strip():
        row.currencies.add(told[:80].upper())
    extra = row.left_over()
    if extra:
        values["extra"] = extra
    if row.warnings:
        values["warnings"] = tuple(row.warnings)
    values["index"] = row.index
    values["line"] = row.line
    return BsxLot.filled(cast(LotValues, values))


def write_mass_upload(lots: Iterable[BsxLot], out: BinaryIO) -> BsxWritten:
    """Write one line of mass-upload XML. Excluded and incomplete lots are left out and reported.

    BrickLink takes at most 1,000 lots at once: see `in_batches`.
    """
    written = BsxWritten()
    out.write(b"<INVENTORY>")
    for index, lot in enumerate(lots):
        notices: Notices = []
        try:
            identity = identity_xml(lot)
            xml = f"<ITEM>{identity}{_fields_xml(lot, notices)}</ITEM>"
        except LotRefused as refusal:
            written.refused.append(WriteNotice(index, refusal.field, refusal.message))
            continue
        written.add_notices(index, notices)
        written.count += 1
        out.write(xml.encode())
    out.write(b"</INVENTORY>")
    return written


def identity_xml(lot: BsxLot) -> str:
    """Write ITEMID, ITEMTYPE and COLOR. Raises LotRefused for lots that BrickLink cannot have."""
    if lot.status == "X":
        raise LotRefused("Status", "The lot is excluded.")
    if lot.condition == UNKNOWN_CONDITION:
        raise LotRefused("Condition", why_no_condition(lot.condition_text))
    letter = lot.item_type
    if not lot.item_number or not letter:
        field = "ItemID" if letter else "ItemTypeID"
        raise LotRefused(field, f"The lot has no {field} of BrickLink's catalogue.")
    color_id = lot.color_id
    if color_id is None:
        if letter not in UNCOLORED_TYPES:
            raise LotRefused("ColorID", "The lot has no colour of BrickLink's catalogue.")
        color_id = 0
    number = text_xml("ITEMID", lot.item_number, [])
    return f"{number}{tag_xml('ITEMTYPE', letter)}{tag_xml('COLOR', str(color_id))}"


def tiers_xml(lot: BsxLot, notices: Notices) -> str:
    """Write all six tier tags."""
    return "".join(
        tag_xml(f"TQ{tier}", str(quantity)) + amount_xml(f"TP{tier}", price, notices)
        for tier, quantity, price in (
            (1, lot.tq1, lot.tp1),
            (2, lot.tq2, lot.tp2),
            (3, lot.tq3, lot.tp3),
        )
    )


def sub_condition_letter(sub_condition: str) -> str:
    """BrickLink's letter: sealed is S here."""
    return "S" if sub_condition == "M" else sub_condition


def _fields_xml(lot: BsxLot, notices: Notices) -> str:
    if lot.price is None:
        raise LotRefused("PRICE", "It has no price; BrickLink takes no lot without one.")
    if lot.quantity <= 0:
        notices.append(("QTY", f"QTY is {lot.quantity}; BrickLink expects more than 0."))
    if lot.price <= 0:
        notices.append(("PRICE", f"PRICE is {lot.price}; BrickLink expects more than 0."))
    # BrickLink knows the category of its own items: none is better than a wrong one.
    category = tag_xml("CATEGORY", str(lot.category_id)) if lot.category_id else ""
    parts = [
        category,
        tag_xml("QTY", str(lot.quantity)),
        amount_xml("PRICE", lot.price, notices),
        tag_xml("CONDITION", lot.condition),
    ]
    if lot.bulk != 1:
        parts.append(tag_xml("BULK", str(lot.bulk)))
    if lot.sale:
        parts.append(tag_xml("SALE", str(lot.sale)))
    if lot.comments:
        parts.append(text_xml("DESCRIPTION", lot.comments, notices, doubled=True))
    if lot.remarks:
        parts.append(text_xml("REMARKS", lot.remarks, notices, doubled=True))
    if lot.retain:
        parts.append(tag_xml("RETAIN", "Y"))
    if lot.reserved:
        parts.append(text_xml("BUYERUSERNAME", lot.reserved, notices))
    if lot.cost:
        parts.append(amount_xml("MYCOST", lot.cost, notices, or_nothing=True))
    if lot.unit_weight_grams:
        parts.append(amount_xml("MYWEIGHT", lot.unit_weight_grams, notices, 4, or_nothing=True))
    if lot.tq1:
        parts.append(tiers_xml(lot, notices))
    if lot.sub_condition:
        parts.append(tag_xml("SUBCONDITION", sub_condition_letter(lot.sub_condition)))
    if lot.stockroom:
        parts.append(tag_xml("STOCKROOM", "Y") + tag_xml("STOCKROOMID", lot.stockroom))
    return "".join(parts)
