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
from apps.exchange.bsx_item_careful import text_with_markup
from apps.exchange.bsx_lot import BsxWarning, WarningCode
from apps.exchange.bsx_values import Finding, Reading, amount_text, read_lot_id, read_money
from apps.exchange.cells import plain_cell, read_pieces
from apps.exchange.colors import NO_COLORS
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_dates import date_of, date_order
from apps.exchange.table_form import TableForm, find_form, table_rows
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
#: Texts of a line, and of an order, that decide on pieces and money: each has one value.
_ONE_OF_A_LINE: Final = frozenset({"QTY", "PRICE", "ORDERID", "ITEMID", "CONDITION", "LOTID"})
_ONE_OF_AN_ORDER: Final = frozenset(
    {*_AMOUNTS, "ORDERSTATUS", "ORDERDATE", "BUYER", "BASECURRENCYCODE"} - {"PRICE", "MYWEIGHT"}
)
_DATES: Final = ("ORDERDATE", "ORDERSTATUSCHANGED")


@dataclass(slots=True)
class OrderText:
    """An order of a file: texts by tag, and its position."""

    line: int
    texts: dict[str, str]
    items: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    #: Why the file does not say what the order is, '' of one that it does.
    fault: str = ""

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
        warnings: Sequence[str] = (),
    ) -> None:
        """Look at all numbers and dates; `delimiter` is '' of XML."""
        self.orders = orders
        #: Number, line and reason of orders that cannot be read.
        self.set_aside = set_aside
        #: What was changed in the text of the whole file so that it can be read.
        self.warnings = warnings
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
        if tag not in _COUNTS:
            reading = read_lot_id(text)
            return Reading(reading.value or 0) if reading.is_understood else reading
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
        orders, delimiter, aside, warnings = _decoded(data)
    except FileRefused as refused:
        return json.dumps({"refused": [refused.code, str(refused), refused.line]}).encode()
    told = [[one.line, one.texts, one.items] for one in orders]
    found = {"orders": told, "delimiter": delimiter, "aside": aside}
    return json.dumps({**found, "warnings": [one.message for one in warnings]}).encode()


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
    return OrderFile(
        orders,
        delimiter=told["delimiter"],
        set_aside=told["aside"],
        warnings=told["warnings"],
    )


def _decoded(
    data: bytes,
) -> tuple[list[OrderText], str, list[tuple[str, int, str]], list[BsxWarning]]:
    aside: list[tuple[str, int, str]] = []
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start == b"<":
        whole = repaired(io.BytesIO(data), repair=repair_broken)
        text = RepairedText(whole.stream)
        rows = RowStream(cast(BinaryIO, text), _FORM, LIMITS, repair=True)
        orders, delimiter = list(_of_xml(rows)), ""
        # Orders that are set aside have their reasons.
        warnings = [*whole._replace(set_aside=()).warnings(), *text.warnings]
        aside = [
            (_number_in(one.text), one.line, f"Line {one.line}: it is not XML ({one.reason}).")
            for one in whole.set_aside
        ]
        if rows.is_truncated:
            line = rows.truncated_at_line
            aside.append(("", line, f"Line {line}: the file stops in the middle of this order."))
    else:
        orders, form = _of_table(data)
        delimiter, warnings = form.delimiter, form.warnings
    aside += [
        (one.texts.get("ORDERID", ""), one.line, f"Line {one.line}: {one.fault}.")
        for one in orders
        if one.fault
    ]
    if len(orders) > MOST_ORDERS:
        raise FileRefused(
            RefusalCode.TOO_MANY_LOTS, f"The file holds more than {MOST_ORDERS} orders; split it."
        )
    if not orders:
        raise FileRefused(RefusalCode.EMPTY, "The file holds no order.")
    return [one for one in orders if not one.fault], delimiter, aside, warnings


def _number_in(text: str) -> str:
    found = _NUMBER.search(text)
    return found[1] if found else ""


def _of_xml(rows: RowStream) -> Iterator[OrderText]:
    first: dict[str, OrderText] = {}
    for batch in rows.batches():
        for element in batch.elements:
            if not isinstance(element.tag, str) or element.tag.upper() != "ORDER":
                continue
            order = OrderText(line_of(element), {})
            order.texts, order.fault = _texts(element)
            for child in element:
                if isinstance(child.tag, str) and child.tag.upper() == "ITEM":
                    texts, fault = _texts(child)
                    order.items.append((line_of(child), texts))
                    order.fault = order.fault or fault
            before = first.setdefault(order.texts.get("ORDERID", ""), order)
            if before is not order and not order.fault and not _is_same(before, order):
                order.fault = f"the order stands in line {before.line} too, with other contents"
            yield order


def _is_same(one: OrderText, other: OrderText) -> bool:
    items = [[texts for _line, texts in order.items] for order in (one, other)]
    return one.texts == other.texts and items[0] == items[1]


def _texts(element: Element) -> tuple[dict[str, str], str]:
    """Return the texts by tag, and why they do not say what is meant, '' where they do."""
    texts: dict[str, str] = {}
    fault = ""
    for child in element:
        if not isinstance(child.tag, str) or (tag := child.tag.upper()) == "ITEM":
            continue
        if tag == "ORDER":
            fault = fault or "another order stands within it"
        text = text_with_markup(child)[0].strip()
        if texts.setdefault(tag, text) != text:
            fault = fault or _two_values(tag, texts[tag], text)
    return texts, fault


def _two_values(tag: str, one: str, other: str) -> str:
    return f"{tag} is “{one[:30]}” and “{other[:30]}”: expected one of them"


def _of_table(data: bytes) -> tuple[list[OrderText], TableForm]:
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
    names = [(at, name) for at, name in enumerate(heads) if name]
    last = ""
    for count, (number, cells) in enumerate(table_rows(stream, form)):
        if count > LIMITS.max_rows:
            raise FileRefused(
                RefusalCode.TOO_MANY_LOTS,
                f"The file holds more than {LIMITS.max_rows:,} rows; split it.",
            )
        texts, fault = _cells(names, cells, width=len(heads))
        if not any(texts.values()):
            continue
        last = texts.get("ORDERID") or last
        whole = {name: text for name, text in texts.items() if name not in LINE_TAGS and text}
        order = orders.setdefault(last, OrderText(number, {"ORDERID": last}))
        for name in sorted(_ONE_OF_AN_ORDER & whole.keys() & order.texts.keys()):
            if order.texts[name] != whole[name]:
                fault = fault or _two_values(name, order.texts[name], whole[name])
        order.fault = order.fault or fault
        order.texts = {**whole, **order.texts}
        if texts.get("ITEMID"):
            line = {name: text for name, text in texts.items() if name in LINE_TAGS}
            order.items.append((number, line))
    return list(orders.values()), form


def _cells(
    names: Sequence[tuple[int, str]], cells: Sequence[str], *, width: int
) -> tuple[dict[str, str], str]:
    """Return the texts of a row by tag, and why they do not say what is meant, '' where they do.

    Of two columns for one tag the first that is not empty counts.
    """
    texts: dict[str, str] = {}
    fault = ""
    for at, name in names:
        text = plain_cell(cells[at]) if at < len(cells) else ""
        before = texts.get(name, "")
        if before and text and text != before and name in _ONE_OF_A_LINE:
            fault = fault or _two_values(name, before, text)
        texts[name] = before or text
    if any(map(plain_cell, cells[width:])):
        fault = fault or "a cell stands behind the last column"
    return texts, fault


def _no_columns() -> FileRefused:
    return FileRefused(
        RefusalCode.NOT_TEXT,
        "The first line must name the columns, Order ID and Item Number among them.",
        1,
    )


def _head(cell: str) -> str:
    name = "".join(sign for sign in cell.upper() if sign.isalnum())
    return _HEADS.get(name, name)
