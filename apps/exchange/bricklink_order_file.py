"""BrickLink's order downloads, XML or a table: the orders and their lines, as text.

A table is read as any other: its delimiter, its encoding and its heads are found. How amounts and
dates are written, the file as a whole shows (`OrderFile`). Nothing else is judged here: whoever
reads the texts tells what is wrong with one.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Final, cast
from xml.etree.ElementTree import Element

from apps.exchange.bricklink_rows import RepairedText, read_eastern
from apps.exchange.bsx_lot import WarningCode
from apps.exchange.bsx_values import Finding, Reading, amount_text, read_money
from apps.exchange.cells import plain_cell, read_pieces
from apps.exchange.colors import NO_COLORS
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_dates import date_of, date_order
from apps.exchange.table_form import find_form, table_rows
from apps.exchange.table_money import currencies_in
from apps.exchange.table_signs import sign_of, signs_of
from apps.exchange.xml_head import MIB, XmlForm, XmlLimits
from apps.exchange.xml_repair import repair_broken, repaired
from apps.exchange.xml_stream import RowStream, line_of

MOST_ORDERS: Final = 500
LIMITS: Final = XmlLimits(
    max_bytes=8 * MIB, max_rows=50_000, max_row_bytes=4 * MIB, max_children=10_000
)
_FORM: Final = XmlForm(
    name="an order file of BrickLink",
    roots=frozenset({"ORDERS"}),
    container=None,
    row="ORDER",
    any_case=True,
)
#: What heads of spreadsheets are called, without blanks and signs, beside the tags themselves.
_HEADS: Final[Mapping[str, str]] = {
    "BUYERNAME": "BUYER",
    "BUYERUSERNAME": "BUYER",
    "SHIPPING": "ORDERSHIPPING",
    "INSURANCE": "ORDERINSURANCE",
    "ADDCHRG1": "ORDERADDCHRG1",
    "ADDITIONALCHARGES1": "ORDERADDCHRG1",
    "ADDCHRG2": "ORDERADDCHRG2",
    "ADDITIONALCHARGES2": "ORDERADDCHRG2",
    "CREDIT": "ORDERCREDIT",
    "COUPONCREDIT": "ORDERCREDITCOUPON",
    "BASECURRENCY": "BASECURRENCYCODE",
    "CURRENCY": "BASECURRENCYCODE",
    "GRANDTOTAL": "BASEGRANDTOTAL",
    "STATUS": "ORDERSTATUS",
    "TRACKINGNO": "ORDERTRACKNO",
    "TRACKINGNUMBER": "ORDERTRACKNO",
    "ITEMNUMBER": "ITEMID",
    "ITEMNO": "ITEMID",
    "TYPE": "ITEMTYPE",
    "COLORID": "COLOR",
    "QUANTITY": "QTY",
    "EACH": "PRICE",
    "ORDERGRANDTOTAL": "BASEGRANDTOTAL",
    "COLOUR": "COLOR",
    "COLOURID": "COLOR",
    "COND": "CONDITION",
    "INVENTORYID": "LOTID",
}
#: What belongs to a line; the rest is the order's.
LINE_TAGS: Final = frozenset(
    {
        *("ITEMID", "ITEMTYPE", "COLOR", "COLORNAME", "ITEMNAME", "QTY", "PRICE", "CONDITION"),
        *("SUBCONDITION", "LOTID", "REMARKS", "DESCRIPTION", "ORDERBATCH", "MYWEIGHT"),
    }
)


_NUMBER: Final = re.compile(r"<ORDERID>\s{0,9}([0-9]{1,20})", re.I)
#: Texts that are amounts, whole numbers and dates: each is written one way in all of a file.
_AMOUNTS: Final = (
    *("ORDERTOTAL", "ORDERSHIPPING", "ORDERINSURANCE", "ORDERADDCHRG1", "ORDERADDCHRG2"),
    *("ORDERCREDIT", "ORDERCREDITCOUPON", "ORDERSALESTAX", "VATCHARGES", "ORDERVAT"),
    *("BASEGRANDTOTAL", "PRICE", "MYWEIGHT"),
)
_COUNTS: Final = ("QTY",)
_DATES: Final = ("ORDERDATE", "ORDERSTATUSCHANGED")


@dataclass(slots=True)
class OrderText:
    """An order of a file: texts by tag, and its position."""

    line: int
    texts: dict[str, str]
    items: list[tuple[int, dict[str, str]]] = field(default_factory=list)

    def currencies(self) -> set[str]:
        """Return the currencies that stand beside its amounts."""
        told = [self.texts, *(texts for _, texts in self.items)]
        found = (currencies_in(texts.get(tag, "")) for texts in told for tag in _AMOUNTS)
        return set().union(*found)


class OrderFile:
    """The orders of a file, and how its numbers and dates are written."""

    def __init__(
        self,
        orders: list[OrderText],
        *,
        delimiter: str,
        set_aside: Sequence[tuple[str, int, str]] = (),
    ) -> None:
        """Look at all numbers and dates; `delimiter` is '' of XML."""
        self.orders = orders
        #: Number, line and reason of orders that cannot be read.
        self.set_aside = set_aside
        texts = [told for order in orders for told in (order.texts, *(t for _, t in order.items))]
        tags = (*_AMOUNTS, *_COUNTS)
        fields = ["price"] * len(_AMOUNTS) + ["quantity"] * len(_COUNTS)
        rows: Iterable[list[str]] = ([told.get(tag, "") for tag in tags] for told in texts)
        signs = signs_of(fields, rows, delimiter=delimiter)
        self._decimals = dict(zip(tags, signs.columns, strict=True))
        # What other columns show holds for one that shows nothing.
        shown = any(told.get(tag, "") for told in texts for tag in tags)
        self._unclear = {tags[at] for at in signs.unclear if shown and not signs.is_shown}
        dates = [told[tag] for told in texts for tag in _DATES if told.get(tag)]
        order = date_order(dates)
        # BrickLink itself writes the month first.
        is_of_bricklink = signs.table == "." and delimiter != ";" and not order.is_mixed
        self._is_day_first = bool(order.is_day_first)
        self._asks_for_dates = bool(order.unclear) and not is_of_bricklink

    def amount(self, tag: str, text: str) -> Reading:
        """Read an amount; one that may be 1.234 or 1,234 is not understood."""
        if tag in self._unclear and sign_of(text) is None:
            expected = "an amount such as 1234.00 or 1.234, with the sign of its decimals"
            return Reading(None, Finding(WarningCode.UNREADABLE_NUMBER, expected))
        return read_money(amount_text(text, decimal=self._decimals[tag]))

    def whole(self, tag: str, text: str) -> Reading:
        """Read a whole number; `1.000`, which may be one, is not understood."""
        if tag in self._unclear and "." in text and sign_of(text, is_count=True) is None:
            expected = "a whole number such as 1000 or 1"
            return Reading(0, Finding(WarningCode.UNREADABLE_NUMBER, expected))
        return read_pieces("quantity", text, decimal=self._decimals.get(tag, "."))

    def date(self, text: str) -> Reading:
        """Read a date or time as the file writes them; BrickLink's have the month first."""
        if self._asks_for_dates and date_order([text]).unclear:
            expected = "a date such as 2026-11-27; the file does not show whether the day or the month comes first"
            return Reading(None, Finding(WarningCode.UNREADABLE_DATE, expected))
        return date_of(text, is_day_first=True) if self._is_day_first else read_eastern(text)


def decode(data: bytes) -> bytes:
    """Return the texts of a file as JSON, or why it is refused. It runs in a process of its own."""
    try:
        orders, delimiter, aside = _decoded(data)
    except FileRefused as refused:
        return json.dumps({"refused": [refused.code, str(refused), refused.line]}).encode()
    told = [[one.line, one.texts, one.items] for one in orders]
    return json.dumps({"orders": told, "delimiter": delimiter, "aside": aside}).encode()


def read_order_file(data: bytes, *, decode: Callable[[bytes], bytes] = decode) -> OrderFile:
    """Return the orders of a file, XML or a table by its first sign. Raises FileRefused."""
    told = json.loads(decode(data))
    if "refused" in told:
        code, text, line = told["refused"]
        raise FileRefused(RefusalCode(code), text, line)
    orders = [
        OrderText(line, texts, [(place, item) for place, item in items])
        for line, texts, items in told["orders"]
    ]
    return OrderFile(orders, delimiter=told["delimiter"], set_aside=told["aside"])


def _decoded(data: bytes) -> tuple[list[OrderText], str, list[tuple[str, int, str]]]:
    aside: list[tuple[str, int, str]] = []
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start == b"<":
        whole = repaired(io.BytesIO(data), repair=repair_broken)
        rows = RowStream(cast(BinaryIO, RepairedText(whole.stream)), _FORM, LIMITS, repair=True)
        orders, delimiter = list(_of_xml(rows)), ""
        aside = [
            (_number_in(one.text), one.line, f"Line {one.line}: it is not XML ({one.reason}).")
            for one in whole.set_aside
        ]
        if rows.is_truncated:
            line = rows.truncated_at_line
            aside.append(("", line, f"Line {line}: the file stops in the middle of this order."))
    else:
        orders, delimiter = _of_table(data)
    if len(orders) > MOST_ORDERS:
        raise FileRefused(
            RefusalCode.TOO_MANY_LOTS, f"The file holds more than {MOST_ORDERS} orders; split it."
        )
    if not orders:
        raise FileRefused(RefusalCode.EMPTY, "The file holds no order.")
    return orders, delimiter, aside


def _number_in(text: str) -> str:
    found = _NUMBER.search(text)
    return found[1] if found else ""


def _of_xml(rows: RowStream) -> Iterator[OrderText]:
    for batch in rows.batches():
        for element in batch.elements:
            if not isinstance(element.tag, str) or element.tag.upper() != "ORDER":
                continue
            order = OrderText(line_of(element), _texts(element))
            for child in element:
                if isinstance(child.tag, str) and child.tag.upper() == "ITEM":
                    order.items.append((line_of(child), _texts(child)))
            yield order


def _texts(element: Element) -> dict[str, str]:
    return {
        child.tag.upper(): (child.text or "").strip()
        for child in element
        if isinstance(child.tag, str) and child.tag.upper() != "ITEM"
    }


def _of_table(data: bytes) -> tuple[list[OrderText], str]:
    stream = io.BytesIO(data)
    try:
        form = find_form(stream, colors=NO_COLORS)
    except FileRefused as refused:
        if refused.code is not RefusalCode.NOT_A_TABLE:
            raise
        raise _no_columns() from None
    heads = [_head(cell) for cell in form.heads]
    if "ORDERID" in heads and "BUYER" in heads and "ITEMID" not in heads:
        raise FileRefused(
            RefusalCode.NOT_TEXT,
            "This lists orders without their items. Download the orders with their items.",
            1,
        )
    if "ORDERID" not in heads or "ITEMID" not in heads:
        raise _no_columns()
    orders: dict[str, OrderText] = {}
    last = ""
    for count, (number, cells) in enumerate(table_rows(stream, form)):
        if count > LIMITS.max_rows:
            raise FileRefused(
                RefusalCode.TOO_MANY_LOTS,
                f"The file holds more than {LIMITS.max_rows:,} rows; split it.",
            )
        texts = {name: plain_cell(cell) for name, cell in zip(heads, cells, strict=False) if name}
        if not any(texts.values()):
            continue
        last = texts.get("ORDERID") or last
        whole = {name: text for name, text in texts.items() if name not in LINE_TAGS and text}
        order = orders.setdefault(last, OrderText(number, {"ORDERID": last}))
        order.texts = {**whole, **order.texts}
        if texts.get("ITEMID"):
            line = {name: text for name, text in texts.items() if name in LINE_TAGS}
            order.items.append((number, line))
    return list(orders.values()), form.delimiter


def _no_columns() -> FileRefused:
    return FileRefused(
        RefusalCode.NOT_TEXT,
        "The first line must name the columns, Order ID and Item Number among them.",
        1,
    )


def _head(cell: str) -> str:
    name = "".join(sign for sign in cell.upper() if sign.isalnum())
    return _HEADS.get(name, name)
