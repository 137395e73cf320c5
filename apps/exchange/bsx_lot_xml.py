"""The fast lane of writing a lot: one text from look-ups, for lots that need no notice.

Lots that it cannot write exactly are left to `careful_lot_xml`, which writes the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from apps.exchange.bsx_lot import NO_ID, ZERO, BsxLot
from apps.exchange.bsx_tags_out import (
    Notices,
    base_line,
    exact_money_text,
    instant_text,
    weight_text,
)
from apps.exchange.bsx_values import MAX_INT, MAX_MONEY, MIN_INT, NeedsCare
from apps.exchange.xml_text import escaped, is_legal

_MEMO_SIZE: Final = 20_000
_LONGEST_KEPT: Final = 120
_LONGEST_BASE: Final = 600
_HEX_COLOR: Final = re.compile("#[0-9A-Fa-f]{6}")


class _Escaped(dict[str, str]):
    """Text -> escaped text; names and colours repeat by the thousand. Bounded."""

    def __missing__(self, text: str) -> str:
        if not is_legal(text):
            raise NeedsCare
        result = escaped(text)
        if len(text) <= _LONGEST_KEPT and len(self) < _MEMO_SIZE:
            self[text] = result
        return result


class _Money(dict[Decimal, str]):
    """Amount -> its text, for those that the decimals hold. Bounded."""

    __slots__ = ("_write",)

    def __init__(self, write: Callable[[Decimal], str]) -> None:
        self._write = write

    def __missing__(self, value: Decimal) -> str:
        if not value.is_finite() or abs(value) >= MAX_MONEY:
            raise NeedsCare
        text = self._write(value)
        if Decimal(text) != value:
            raise NeedsCare
        if len(self) < _MEMO_SIZE:
            self[value] = text
        return text


class _Dates(dict[Any, str]):
    """Instant -> its text, for those that whole seconds hold. Bounded."""

    def __missing__(self, value: Any) -> str:
        if value.tzinfo is None or value.microsecond:
            raise NeedsCare
        text = instant_text(value)
        if len(self) < _MEMO_SIZE:
            self[value] = text
        return text


class _Bases(dict[Any, str]):
    """Base values -> their line; nearly all lots of a file differ in the same way. Bounded."""

    def __missing__(self, base: Any) -> str:
        notices: Notices = []
        line = base_line(base, notices)
        if notices:
            raise NeedsCare
        if len(line) <= _LONGEST_BASE and len(self) < _MEMO_SIZE:
            self[base] = line
        return line


_ESCAPED: Final = _Escaped()
_MONEY: Final = _Money(exact_money_text)
_WEIGHTS: Final = _Money(weight_text)
_BASES: Final = _Bases()
_DATES: Final = _Dates()
_STATUS: Final = {"I": "I", "X": "X", "E": "E"}
_CONDITION: Final = {"N": "N", "U": "U"}
_SUB_CONDITION: Final = {"C": "C", "I": "I", "M": "M"}
_STOCKROOM: Final = {"A": "A", "B": "B", "C": "C"}


def lot_xml(lot: BsxLot) -> str:
    """Write one lot that needs no notice. Raises NeedsCare or KeyError: write it carefully then."""
    esc = _ESCAPED
    money = _MONEY
    quantity = lot.quantity
    color_id = NO_ID if lot.color_id is None else lot.color_id
    category_id = NO_ID if lot.category_id is None else lot.category_id
    if (
        not MIN_INT <= quantity <= MAX_INT
        or not 0 <= color_id <= NO_ID
        or not 0 <= category_id <= NO_ID
        or lot.extra
        or lot.attributes
        or not lot.states_condition
    ):
        raise NeedsCare
    text = (
        f"  <Item>\n   <ItemID>{esc[lot.item_number]}</ItemID>\n"
        f"   <ItemTypeID>{esc[lot.item_type_id]}</ItemTypeID>\n"
        f"   <ColorID>{color_id}</ColorID>\n"
        f"   <ItemName>{esc[lot.item_name]}</ItemName>\n"
        f"   <ItemTypeName>{esc[lot.item_type_name]}</ItemTypeName>\n"
        f"   <ColorName>{esc[lot.color_name]}</ColorName>\n"
        f"   <CategoryID>{category_id}</CategoryID>\n"
        f"   <CategoryName>{esc[lot.category_name]}</CategoryName>\n"
        f"   <Status>{_STATUS[lot.status]}</Status>\n"
        f"   <Qty>{quantity}</Qty>\n"
        f"   <Price>{money[lot.price or ZERO]}</Price>\n"
        f"   <Condition>{_CONDITION[lot.condition]}</Condition>\n"
    )
    if lot.sub_condition:
        text += f"   <SubCondition>{_SUB_CONDITION[lot.sub_condition]}</SubCondition>\n"
    if lot.bulk != 1:
        if not 1 < lot.bulk <= MAX_INT:
            raise NeedsCare
        text += f"   <Bulk>{lot.bulk}</Bulk>\n"
    if lot.sale:
        if not -99 <= lot.sale <= 100:
            raise NeedsCare
        text += f"   <Sale>{lot.sale}</Sale>\n"
    if lot.cost:
        text += f"   <Cost>{money[lot.cost]}</Cost>\n"
    if lot.comments:
        text += f"   <Comments>{esc[lot.comments]}</Comments>\n"
    if lot.remarks:
        text += f"   <Remarks>{esc[lot.remarks]}</Remarks>\n"
    if lot.reserved:
        text += f"   <Reserved>{esc[lot.reserved]}</Reserved>\n"
    if lot.marketplace_lot_id:
        if not 0 < lot.marketplace_lot_id <= NO_ID:
            raise NeedsCare
        text += f"   <LotID>{lot.marketplace_lot_id}</LotID>\n"
    if lot.tq1 or lot.tp1 or lot.tq2 or lot.tp2 or lot.tq3 or lot.tp3:
        text += _tiers_xml(lot)
    if lot.retain:
        text += "   <Retain/>\n"
    if lot.stockroom:
        text += f"   <Stockroom>{_STOCKROOM[lot.stockroom]}</Stockroom>\n"
    if lot.total_weight_grams:
        text += f"   <TotalWeight>{_WEIGHTS[lot.total_weight_grams]}</TotalWeight>\n"
    if lot.marker_text:
        text += f"   <MarkerText>{esc[lot.marker_text]}</MarkerText>\n"
    if lot.marker_color:
        if not _HEX_COLOR.fullmatch(lot.marker_color):
            raise NeedsCare
        text += f"   <MarkerColor>{lot.marker_color}</MarkerColor>\n"
    if lot.date_added:
        text += f"   <DateAdded>{_DATES[lot.date_added]}</DateAdded>\n"
    if lot.date_last_sold:
        text += f"   <DateLastSold>{_DATES[lot.date_last_sold]}</DateLastSold>\n"
    if lot.base:
        text += _BASES[lot.base]
    return text + "  </Item>\n"


def _tiers_xml(lot: BsxLot) -> str:
    text = ""
    for tier, quantity, price in (
        (1, lot.tq1, lot.tp1),
        (2, lot.tq2, lot.tp2),
        (3, lot.tq3, lot.tp3),
    ):
        if quantity:
            if not MIN_INT <= quantity <= MAX_INT:
                raise NeedsCare
            text += f"   <TQ{tier}>{quantity}</TQ{tier}>\n"
        if price:
            text += f"   <TP{tier}>{_MONEY[price]}</TP{tier}>\n"
    return text
