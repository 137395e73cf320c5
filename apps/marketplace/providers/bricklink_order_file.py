"""Order files of BrickLink as orders: each whole, or with the reason why it is not. Pure."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from apps.core.currencies import CURRENCIES
from apps.exchange.bricklink_order_file import OrderText, read_order_file
from apps.exchange.bricklink_rows import read_eastern
from apps.exchange.order_statuses import status_with_payment
from apps.marketplace.providers.answers import unescape
from apps.marketplace.providers.orders import (
    LARGEST_ID,
    MOST_MONEY,
    MOST_PIECES,
    OrderAddress,
    OrderMoney,
    StoreOrder,
    StoreOrderLine,
)

MOST_LINES: Final = 5_000
_TYPES: Final[Mapping[str, str]] = {
    "P": "PART",
    "S": "SET",
    "M": "MINIFIG",
    "G": "GEAR",
    "B": "BOOK",
    "C": "CATALOG",
    "I": "INSTRUCTION",
    "O": "ORIGINAL_BOX",
    "U": "UNSORTED_LOT",
}
_SUB_CONDITIONS: Final = {"C": "C", "I": "I", "S": "M", "M": "M"}


@dataclass(frozen=True, slots=True)
class FileOrder:
    """An order of a file; if it cannot be read, `order` is None and `problem` has the reason."""

    number: str
    line: int
    order: StoreOrder | None = None
    problem: str = ""


class _Wrong(ValueError):
    """A value that is not what its place asks for."""


def read_orders(data: bytes, *, currency: str, now: dt.datetime) -> list[FileOrder]:
    """Return the orders of a file; `currency` is what amounts are in that name none.

    Raises FileRefused for a file that is none.
    """
    found = []
    for text in read_order_file(data):
        number = text.texts.get("ORDERID", "")[:60]
        try:
            found.append(FileOrder(number, text.line, _order(text, currency, now)))
        except _Wrong as wrong:
            found.append(FileOrder(number, text.line, None, str(wrong)))
    return found


def _order(text: OrderText, currency: str, now: dt.datetime) -> StoreOrder:
    told, line = text.texts, text.line
    if not text.items:
        raise _Wrong(f"Line {line}: the order has no items.")
    if len(text.items) > MOST_LINES:
        raise _Wrong(f"Line {line}: the order has more than {MOST_LINES:,} items.")
    status, paid = told.get("ORDERSTATUS", ""), told.get("PAYMENTSTATUS", "")
    ordered = _date(told, "ORDERDATE", line) or now
    shipping, country = told.get("ORDERSHIPTO", ""), told.get("LOCATION", "")
    return StoreOrder(
        order_id=_whole(told, "ORDERID", line, most=LARGEST_ID),
        state=status_with_payment(status, paid),
        status=unescape(status),
        ordered_at=ordered,
        changed_at=_date(told, "ORDERSTATUSCHANGED", line) or ordered,
        buyer=unescape(told.get("BUYER", "")),
        remarks=unescape(told.get("ORDERREMARKS", "")),
        payment_status=paid,
        payment_method=unescape(told.get("PAYMENTTYPE", "")),
        tracking_number=unescape(told.get("ORDERTRACKNO", "")),
        address=OrderAddress(lines=unescape(shipping), country=unescape(country.split(",")[0])),
        money=_money(told, line, currency),
        lines=tuple(_line(item, place) for place, item in text.items),
    )


def _money(told: Mapping[str, str], line: int, currency: str) -> OrderMoney:
    code = told.get("BASECURRENCYCODE", "").upper() or currency
    if code not in CURRENCIES:
        raise _Wrong(f"Line {line}: BASECURRENCYCODE is “{code[:20]}”: expected a currency.")

    def amount(*names: str) -> Decimal:
        return sum((_amount(told, name, line) for name in names), Decimal())

    return OrderMoney(
        currency=code,
        subtotal=amount("ORDERTOTAL"),
        shipping=amount("ORDERSHIPPING"),
        insurance=amount("ORDERINSURANCE"),
        fees=amount("ORDERADDCHRG1", "ORDERADDCHRG2"),
        credit=amount("ORDERCREDIT", "ORDERCREDITCOUPON"),
        tax=amount("ORDERSALESTAX"),
        vat=amount("VATCHARGES") or amount("ORDERVAT"),
        total=amount("BASEGRANDTOTAL"),
    )


def _line(told: Mapping[str, str], line: int) -> StoreOrderLine:
    number = unescape(told.get("ITEMID", ""))[:60]
    if not number:
        raise _Wrong(f"Line {line}: ITEMID is missing.")
    letter = told.get("ITEMTYPE", "").upper() or "P"
    kind = _TYPES.get(letter[:1]) if len(letter) == 1 else None
    if kind is None and letter in _TYPES.values():
        kind = letter
    if kind is None:
        raise _Wrong(
            f"Line {line}: ITEMTYPE is “{letter[:20]}”: expected one of {', '.join(_TYPES)}."
        )
    condition = told.get("CONDITION", "").upper()[:1] or "U"
    if condition not in "NU":
        raise _Wrong(f"Line {line}: CONDITION is “{condition}”: expected N or U.")
    return StoreOrderLine(
        lot_id=_whole(told, "LOTID", line, most=LARGEST_ID) if told.get("LOTID") else None,
        item_type=kind,
        number=number,
        name=unescape(told.get("ITEMNAME", "")),
        color_id=_whole(told, "COLOR", line, least=0, most=100_000) if told.get("COLOR") else 0,
        color_name=unescape(told.get("COLORNAME", "")),
        condition=condition,
        completeness=_SUB_CONDITIONS.get(told.get("SUBCONDITION", "").upper()[:1], ""),
        quantity=_whole(told, "QTY", line, most=MOST_PIECES),
        price=_amount(told, "PRICE", line),
        comments=unescape(told.get("DESCRIPTION", "")),
        remarks=unescape(told.get("REMARKS", "")),
        grams=_amount(told, "MYWEIGHT", line) or None,
    )


def _whole(told: Mapping[str, str], name: str, line: int, *, most: int, least: int = 1) -> int:
    text = told.get(name, "")
    digits = text.replace(",", "")  # BrickLink writes thousands with commas
    found = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else -1
    if not least <= found <= most:
        raise _Wrong(
            f"Line {line}: {name} is “{text[:30]}”: expected a whole number from {least} to {most:,}."
        )
    return found


def _amount(told: Mapping[str, str], name: str, line: int) -> Decimal:
    text = told.get(name, "")
    if not text:
        return Decimal()
    try:
        found = Decimal(text.replace(",", "").lstrip("$€£"))
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite() or not 0 <= found < MOST_MONEY:
        raise _Wrong(f"Line {line}: {name} is “{text[:30]}”: expected an amount of 0 or more.")
    return found.quantize(Decimal("0.0001"))


def _date(told: Mapping[str, str], name: str, line: int) -> dt.datetime | None:
    text = told.get(name, "")
    found, finding = read_eastern(text)
    if finding is not None:
        raise _Wrong(f"Line {line}: {name} is “{text[:30]}”: expected a date such as 8/30/2026.")
    return found
