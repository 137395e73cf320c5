"""BrickLink's order downloads, XML or CSV: the orders and their lines, as text.

Nothing is judged here but the file: whoever reads the texts tells what is wrong with one.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from apps.exchange.bricklink_rows import MendedText
from apps.exchange.csv_cells import read_rows
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.xml_head import MIB, XmlForm, XmlLimits
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


@dataclass(slots=True)
class OrderText:
    """An order of a file: texts by tag, and its position."""

    line: int
    texts: dict[str, str]
    items: list[tuple[int, dict[str, str]]] = field(default_factory=list)


def read_order_file(data: bytes) -> list[OrderText]:
    """Return the orders of a file, XML or CSV by its first sign. Raises FileRefused."""
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    orders = list(_of_xml(data) if start == b"<" else _of_csv(data))
    if len(orders) > MOST_ORDERS:
        raise FileRefused(
            RefusalCode.TOO_MANY_LOTS, f"The file holds more than {MOST_ORDERS} orders; split it."
        )
    if not orders:
        raise FileRefused(RefusalCode.EMPTY, "The file holds no order.")
    return orders


def _of_xml(data: bytes) -> Iterator[OrderText]:
    stream: Any = MendedText(io.BytesIO(data))
    for batch in RowStream(stream, _FORM, LIMITS).batches():
        for element in batch.elements:
            if not isinstance(element.tag, str) or element.tag.upper() != "ORDER":
                continue
            order = OrderText(line_of(element), _texts(element))
            for child in element:
                if isinstance(child.tag, str) and child.tag.upper() == "ITEM":
                    order.items.append((line_of(child), _texts(child)))
            yield order


def _texts(element: Any) -> dict[str, str]:
    return {
        child.tag.upper(): (child.text or "").strip()
        for child in element
        if isinstance(child.tag, str) and child.tag.upper() != "ITEM"
    }


def _of_csv(data: bytes) -> Iterator[OrderText]:
    first = data.partition(b"\n")[0]
    tabs = first.count(b"\t") > first.count(b",")
    rows = read_rows(io.BytesIO(data), limits=LIMITS, delimiter="\t" if tabs else ",")
    heads = [_head(cell) for cell in next(rows, [])]
    if "ORDERID" not in heads or "ITEMID" not in heads:
        raise FileRefused(
            RefusalCode.NOT_TEXT,
            "The first line must name the columns, Order ID and Item Number among them.",
            1,
        )
    orders: dict[str, OrderText] = {}
    last = ""
    for number, cells in enumerate(rows, start=2):
        texts = {name: cell.strip() for name, cell in zip(heads, cells, strict=False) if name}
        if not any(texts.values()):
            continue
        last = texts.get("ORDERID") or last
        whole = {name: text for name, text in texts.items() if name not in LINE_TAGS and text}
        order = orders.setdefault(last, OrderText(number, {"ORDERID": last}))
        order.texts = {**whole, **order.texts}
        if texts.get("ITEMID"):
            line = {name: text for name, text in texts.items() if name in LINE_TAGS}
            order.items.append((number, line))
    yield from orders.values()


def _head(cell: str) -> str:
    name = "".join(sign for sign in cell.upper() if sign.isalnum())
    return _HEADS.get(name, name)
