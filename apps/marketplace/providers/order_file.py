"""Order files as orders, which only BrickLink has: each whole, or with the reason why it is not. Pure."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, cast

from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.core.currencies import CURRENCIES
from apps.exchange.bricklink_order_file import OrderFile, OrderText, decode, read_order_file
from apps.exchange.bricklink_upload import read_sub_condition
from apps.exchange.bsx_lot import WarningCode
from apps.exchange.bsx_values import read_condition, read_type
from apps.exchange.colors import NO_COLORS, Colors, read_color
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.exchange.order_statuses import status_with_payment
from apps.exchange.table_money import one_currency
from apps.marketplace.providers.answers import WrongValue, unescape
from apps.marketplace.providers.lots import color_or_unknown
from apps.marketplace.providers.orders import (
    LARGEST_ID,
    MOST_MONEY,
    MOST_PIECES,
    ListedLot,
    OrderAddress,
    OrderMoney,
    StoreOrder,
    StoreOrderLine,
)

MOST_LINES: Final = 5_000


@dataclass(frozen=True, slots=True)
class FileOrder:
    """An order of a file; if it cannot be read, `order` is None and `problem` has the reason."""

    number: str
    line: int
    order: StoreOrder | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FileOrders:
    """The orders of a file, and what was changed in its text so that it can be read."""

    orders: list[FileOrder]
    warnings: list[str]


#: Lots of the store by their LotID.
Listed = Callable[[int], ListedLot | None]


def no_lot(_lot_id: int) -> None:
    """Return nothing, for whoever knows no lots of the store."""


@dataclass(frozen=True, slots=True)
class _Told:
    """The texts of an order or of one of its lines."""

    file: OrderFile
    texts: Mapping[str, str]
    line: int

    def text(self, name: str) -> str:
        return self.texts.get(name, "")

    def words(self, name: str) -> str:
        return unescape(self.text(name))

    def wrong(self, name: str, expected: str) -> WrongValue:
        text = self.text(name)[:30]
        return WrongValue(f"Line {self.line}: {name} is “{text}”: expected {expected}.")


def read_orders(
    data: bytes,
    *,
    currency: str,
    colors: Colors = NO_COLORS,
    listed: Listed = no_lot,
    decode: Callable[[bytes], bytes] = decode,
) -> FileOrders:
    """Return the orders of a file; `currency` is what amounts are in that name none.

    Types and conditions that it does not say are those of the lots of the store (`listed`).

    `decode` is that of `exchange.bricklink_order_file`, perhaps in a process of its own.

    Raises FileRefused for a file that is none.
    """
    file = read_order_file(data, decode=decode)
    found = [FileOrder(number, line, None, why) for number, line, why in file.set_aside]
    for text in file.orders:
        number = text.texts.get("ORDERID", "")[:60]
        try:
            order = _order(file, text, currency, colors, listed)
            found.append(FileOrder(number, text.line, order))
        except WrongValue as wrong:
            found.append(FileOrder(number, text.line, None, str(wrong)))
    return FileOrders(found, list(file.warnings))


def _order(
    file: OrderFile,
    text: OrderText,
    currency: str,
    colors: Colors,
    listed: Listed,
) -> StoreOrder:
    told = _Told(file, text.texts, text.line)
    if told.text("SELLER") and not told.text("BUYER"):
        raise WrongValue(f"Line {text.line}: you placed this order; it is no sale.")
    if not text.items:
        raise WrongValue(f"Line {text.line}: the order has no items.")
    if len(text.items) > MOST_LINES:
        raise WrongValue(f"Line {text.line}: the order has more than {MOST_LINES:,} items.")
    status, paid = told.text("ORDERSTATUS"), told.text("PAYMENTSTATUS")
    ordered = _date(told, "ORDERDATE")
    country = told.text("LOCATION").split(",")[0]
    lines = tuple(_line(_Told(file, item, place), colors, listed) for place, item in text.items)
    return StoreOrder(
        order_id=_whole(told, "ORDERID", most=LARGEST_ID),
        state=status_with_payment(status, paid),
        status=unescape(status),
        ordered_at=ordered,
        ordered_on=ordered.date() if ordered and _is_day(told.text("ORDERDATE")) else None,
        changed_at=_date(told, "ORDERSTATUSCHANGED") or ordered,
        buyer=told.words("BUYER"),
        remarks=told.words("ORDERREMARKS"),
        payment_status=paid,
        payment_method=told.words("PAYMENTTYPE"),
        tracking_number=told.words("ORDERTRACKNO"),
        address=OrderAddress(lines=told.words("ORDERSHIPTO"), country=unescape(country)),
        money=_money(told, currency, lines, text.currencies()),
        lines=lines,
    )


def _money(
    told: _Told, currency: str, lines: Sequence[StoreOrderLine], named: set[str]
) -> OrderMoney:
    """Return the sums; a file that lacks those of the whole order has what they are made of.

    `named` are the currencies beside its amounts.
    """
    code = told.text("BASECURRENCYCODE").upper() or one_currency(named) or currency
    if code not in CURRENCIES:
        raise told.wrong("BASECURRENCYCODE", "a currency")
    if one_currency({*named, code}) != code:
        names = ", ".join(sorted(named))
        raise WrongValue(f"Line {told.line}: amounts are in {names}: expected {code}.")

    def amount(*names: str) -> Decimal:
        return sum((_amount(told, name) for name in names), Decimal())

    of_lines = sum((line.price * line.quantity for line in lines), Decimal())
    subtotal = amount("ORDERTOTAL") if told.text("ORDERTOTAL") else of_lines
    shipping, insurance = amount("ORDERSHIPPING"), amount("ORDERINSURANCE")
    fees = amount("ORDERADDCHRG1", "ORDERADDCHRG2")
    credit = amount("ORDERCREDIT", "ORDERCREDITCOUPON")
    tax, charged_vat = amount("ORDERSALESTAX"), amount("VATCHARGES")
    total = subtotal + shipping + insurance + fees + tax + charged_vat - credit
    if max(of_lines, subtotal, fees, credit, total) >= MOST_MONEY:
        raise WrongValue(f"Line {told.line}: the sums add up to more than {MOST_MONEY:,}.")
    return OrderMoney(
        currency=code,
        subtotal=subtotal,
        shipping=shipping,
        insurance=insurance,
        fees=fees,
        credit=credit,
        tax=tax,
        vat=charged_vat or amount("ORDERVAT"),
        total=amount("BASEGRANDTOTAL") if told.text("BASEGRANDTOTAL") else max(total, Decimal()),
    )


def _line(told: _Told, colors: Colors, listed: Listed) -> StoreOrderLine:
    number = told.words("ITEMID")[:60]
    if not number:
        raise WrongValue(f"Line {told.line}: ITEMID is missing.")
    lot_id = _whole(told, "LOTID", most=LARGEST_ID) if told.text("LOTID") else None
    letter, condition = _type_and_condition(told, lot_id, listed)
    color = read_color(told.words("COLOR"), colors)
    name = told.words("COLORNAME")
    if color.color_id is None and not color.name:
        color = read_color(name, colors)
    elif color.is_number and read_color(name, colors).color_id not in {None, color.color_id}:
        raise told.wrong("COLORNAME", f"the colour of COLOR, {told.text('COLOR')}, or nothing")
    color_id = color_or_unknown(color.color_id, letter, color.name)
    return StoreOrderLine(
        lot_id=lot_id,
        item_type=TYPE_OF_LETTER[letter].value if letter else "",
        number=number,
        name=told.words("ITEMNAME"),
        color_id=color_id,
        # What the catalogue calls it, else the file.
        color_name=colors.name_of(color_id) or name or color.name,
        condition=condition,
        completeness=read_sub_condition(told.text("SUBCONDITION")).value,
        quantity=_whole(told, "QTY", most=MOST_PIECES),
        price=_amount(told, "PRICE", is_needed=True),
        comments=told.words("DESCRIPTION"),
        remarks=told.words("REMARKS"),
        grams=_amount(told, "MYWEIGHT") or None,
    )


def _type_and_condition(told: _Told, lot_id: int | None, listed: Listed) -> tuple[str, str]:
    """Return what the line says, else what the lot of its number has.

    BrickLink's downloads may have neither: type ('') and condition of such a line stay unknown. A
    condition that is empty is refused.
    """
    kind, text = told.text("ITEMTYPE"), told.text("CONDITION")
    lot = listed(lot_id) if lot_id is not None and not (kind and text) else None
    letter, condition = lot or ListedLot("", UNKNOWN_CONDITION)
    if kind:
        letter, finding = read_type(kind)
        if finding is not None:
            raise told.wrong("ITEMTYPE", finding.expected)
    if text or (lot is None and "CONDITION" in told.texts):
        condition, finding = read_condition(text)
        if finding is not None:
            raise told.wrong("CONDITION", "new or used")
    return letter, condition


def _whole(told: _Told, name: str, *, most: int, least: int = 1) -> int:
    found, finding = told.file.whole(name, told.text(name))
    if finding is not None or not least <= found <= most:
        raise told.wrong(name, f"a whole number from {least} to {most:,}")
    return int(found)


def _amount(told: _Told, name: str, *, is_needed: bool = False) -> Decimal:
    text = told.text(name)
    if not text and not is_needed:
        return Decimal()
    found, finding = told.file.amount(name, text)
    if found is None or (finding is not None and finding.code is not WarningCode.MORE_DECIMALS):
        raise told.wrong(name, finding.expected if finding else "an amount")
    if not text or not 0 <= found < MOST_MONEY:
        raise told.wrong(name, "an amount of 0 or more")
    return Decimal(found).quantize(Decimal("0.0001"))


def _is_day(text: str) -> bool:
    """Return whether a date names no time."""
    return ":" not in text


def _date(told: _Told, name: str) -> dt.datetime | None:
    text = told.text(name)
    if not text:
        return None
    found, finding = told.file.date(text)
    if found is None:
        raise told.wrong(name, finding.expected if finding else "a date such as 8/30/2026")
    return cast(dt.datetime, found)
