"""BrickLink's mass-update XML: lot ids with the fields that changed, and nothing else."""

from __future__ import annotations

import re
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
)
from apps.exchange.bricklink_upload import (
    read_sub_condition,
    sub_condition_letter,
)
from apps.exchange.bsx_lot import BsxLot, BsxWarning, ExtraTag, WarningCode
from apps.exchange.bsx_tags_out import Notices, WriteNotice
from apps.exchange.bsx_values import (
    MAX_INT,
    read_bulk,
    read_count,
    read_lot_id,
    read_money,
    read_retain,
    read_sale,
)
from apps.exchange.bsx_writer import BsxWritten
from apps.exchange.conditions import UNKNOWN_CONDITION, why_no_condition
from apps.exchange.xml_head import XmlLimits

_SIGNED: Final = re.compile(r"\s*[+-]")

Tiers = tuple[int, Decimal, int, Decimal, int, Decimal]


@dataclass(frozen=True, kw_only=True, slots=True)
class LotChange:
    """The changes of one lot of a store; None leaves a field unchanged."""

    marketplace_lot_id: int | None
    is_deleted: bool = False
    #: Pieces more or fewer.
    quantity_change: int | None = None
    #: Pieces from now on.
    quantity: int | None = None
    price: Decimal | None = None
    cost: Decimal | None = None
    condition: str | None = None
    condition_text: str | None = None
    bulk: int | None = None
    sale: int | None = None
    comments: str | None = None
    remarks: str | None = None
    retain: bool | None = None
    #: TQ1, TP1 to TQ3, TP3; they change together.
    tiers: Tiers | None = None
    sub_condition: str | None = None
    #: '' takes the lot out of the stockroom.
    stockroom: str | None = None
    extra: tuple[ExtraTag, ...] = ()
    index: int = field(default=-1, compare=False)
    line: int = field(default=0, compare=False)
    warnings: tuple[BsxWarning, ...] = field(default=(), compare=False)

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        return self == LotChange(marketplace_lot_id=self.marketplace_lot_id, extra=self.extra)


def change_between(lot: BsxLot, base: BsxLot) -> LotChange:
    """Return what turns `base` into `lot`. A quantity of 0 or less deletes the lot.

    Without the fields that BrickLink's update lacks: item, colour, weight, reserved,
    status and markers.
    """
    if lot.quantity <= 0 and base.quantity > 0:
        return LotChange(marketplace_lot_id=lot.marketplace_lot_id, is_deleted=True)
    tiers, base_tiers = _tiers_of(lot), _tiers_of(base)
    more = lot.quantity - base.quantity
    fits = abs(more) <= MAX_INT
    return LotChange(
        marketplace_lot_id=lot.marketplace_lot_id,
        quantity_change=_if_new(more, 0) if fits else None,
        quantity=None if fits else lot.quantity,
        price=_if_new(lot.price, base.price),
        cost=_if_new(lot.cost, base.cost),
        condition=_if_new(lot.condition, base.condition),
        bulk=_if_new(lot.bulk, base.bulk),
        sale=_if_new(lot.sale, base.sale),
        comments=_if_new(lot.comments, base.comments),
        remarks=_if_new(lot.remarks, base.remarks),
        retain=_if_new(lot.retain, base.retain),
        tiers=_if_new(tiers, base_tiers),
        sub_condition=_if_new(lot.sub_condition, base.sub_condition),
        stockroom=_if_new(lot.stockroom, base.stockroom),
    )


def _if_new(value: object, base: object) -> Any:
    return value if value != base else None


def _tiers_of(lot: BsxLot) -> Tiers:
    return (lot.tq1, lot.tp1, lot.tq2, lot.tp2, lot.tq3, lot.tp3)


def read_mass_update(
    stream: BinaryIO, *, limits: XmlLimits | None = None
) -> BricklinkFile[LotChange]:
    """Open mass-update XML: its changes are read while they are iterated. Raises FileRefused."""
    return BricklinkFile(stream, _change_of, limits)


def _change_of(row: Row, _state: BricklinkState) -> LotChange:
    lot_id = row.value("LOTID", read_lot_id, None)
    if lot_id is None:
        row.warn(WarningCode.MISSING, "LOTID", "", "the id of a lot; this change reaches none")
    amount = row.text("QTY")
    quantity_change: int | None = None
    quantity: int | None = None
    if amount is not None and amount.strip():
        value, finding = read_count(amount)
        if finding is not None and finding.code is not WarningCode.NEGATIVE:
            row.warn(finding.code, "QTY", amount, "+5, -3 or a number of pieces; left unchanged")
        elif _SIGNED.match(amount):
            quantity_change = value
        else:
            quantity = value
    tiers: Tiers | None = None
    if any(f"T{kind}{tier}" in row for tier in (1, 2, 3) for kind in "QP"):
        tiers = (
            row.value("TQ1", read_count, 0),
            row.value("TP1", read_money, Decimal(0)),
            row.value("TQ2", read_count, 0),
            row.value("TP2", read_money, Decimal(0)),
            row.value("TQ3", read_count, 0),
            row.value("TP3", read_money, Decimal(0)),
        )
    stockroom = row.value("STOCKROOM", read_retain, None)
    stockroom_id = (row.text("STOCKROOMID") or "").strip()
    if stockroom_id not in {"", "A", "B", "C"}:
        row.warn(WarningCode.UNKNOWN_VALUE, "STOCKROOMID", stockroom_id, "A, B or C; taken as A")
        stockroom_id = "A"
    condition: dict[str, Any] = {}
    row.condition(condition)
    return LotChange(
        marketplace_lot_id=lot_id,
        is_deleted=row.value("DELETE", read_retain, False),
        quantity_change=quantity_change,
        quantity=quantity,
        price=row.value("PRICE", read_money, None),
        cost=row.value("MYCOST", read_money, None),
        **condition,
        bulk=row.value("BULK", read_bulk, None),
        sale=row.value("SALE", read_sale, None),
        comments=row.value("DESCRIPTION", read_doubled, None),
        remarks=row.value("REMARKS", read_doubled, None),
        retain=row.value("RETAIN", read_retain, None),
        tiers=tiers,
        sub_condition=row.value("SUBCONDITION", read_sub_condition, None),
        stockroom=None if stockroom is None else (stockroom_id or "A") if stockroom else "",
        extra=row.left_over(),
        index=row.index,
        line=row.line,
        warnings=tuple(row.warnings),
    )


def write_mass_update(changes: Iterable[LotChange], out: BinaryIO) -> BsxWritten:
    """Write one line of mass-update XML. What reaches no lot or changes nothing is reported.

    BrickLink takes at most 1,000 lots at once: see `in_batches`.
    """
    written = BsxWritten()
    seen: set[int] = set()
    out.write(b"<INVENTORY>")
    for index, change in enumerate(changes):
        lot_id = change.marketplace_lot_id
        if not lot_id:
            message = "The lot has no LotID, so BrickLink cannot know which one changes."
            written.refused.append(WriteNotice(index, "LOTID", message))
            continue
        if change.is_empty:
            written.refused.append(WriteNotice(index, "", "Nothing changes about this lot."))
            continue
        if change.condition == UNKNOWN_CONDITION:
            message = why_no_condition(change.condition_text or "")
            written.refused.append(WriteNotice(index, "CONDITION", message))
            continue
        notices: Notices = []
        fields = _fields_xml(change, notices)
        if not fields:
            written.refused.extend(WriteNotice(index, *notice) for notice in notices)
            continue
        if lot_id in seen:
            notices.append(("LOTID", f"LotID {lot_id} is changed more than once."))
        seen.add(lot_id)
        xml = f"<ITEM>{tag_xml('LOTID', str(lot_id))}{fields}</ITEM>"
        written.add_notices(index, notices)
        written.count += 1
        out.write(xml.encode())
    out.write(b"</INVENTORY>")
    return written


def _fields_xml(change: LotChange, notices: Notices) -> str:
    if change.is_deleted:
        return "<DELETE/>"
    parts = []
    if change.quantity_change:
        parts.append(tag_xml("QTY", f"{change.quantity_change:+d}"))
    elif change.quantity is not None:
        parts.append(tag_xml("QTY", str(change.quantity)))
    if change.price is not None:
        parts.append(amount_xml("PRICE", change.price, notices))
    if change.cost is not None:
        parts.append(amount_xml("MYCOST", change.cost, notices))
    if change.condition is not None:
        parts.append(tag_xml("CONDITION", change.condition))
    if change.bulk is not None:
        parts.append(tag_xml("BULK", str(change.bulk)))
    if change.sale is not None:
        parts.append(tag_xml("SALE", str(change.sale)))
    if change.comments is not None:
        parts.append(text_xml("DESCRIPTION", change.comments, notices, doubled=True))
    if change.remarks is not None:
        parts.append(text_xml("REMARKS", change.remarks, notices, doubled=True))
    if change.retain is not None:
        parts.append(tag_xml("RETAIN", "Y" if change.retain else "N"))
    if change.tiers is not None:
        parts.append(_tiers_xml(change.tiers, notices))
    if change.sub_condition:
        parts.append(tag_xml("SUBCONDITION", sub_condition_letter(change.sub_condition)))
    elif change.sub_condition is not None:
        message = "BrickLink's update cannot take the state of a set away; it stays."
        notices.append(("SUBCONDITION", message))
    if change.stockroom is not None:
        parts.append(tag_xml("STOCKROOM", "Y" if change.stockroom else "N"))
        if change.stockroom:
            parts.append(tag_xml("STOCKROOMID", change.stockroom))
    return "".join(parts)


def _tiers_xml(tiers: Tiers, notices: Notices) -> str:
    tq1, tp1, tq2, tp2, tq3, tp3 = tiers
    return "".join(
        tag_xml(f"TQ{tier}", str(quantity)) + amount_xml(f"TP{tier}", price, notices)
        for tier, quantity, price in ((1, tq1, tp1), (2, tq2, tp2), (3, tq3, tp3))
    )
