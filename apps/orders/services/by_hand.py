"""Sales outside any marketplace: at a fair, or to a friend."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.core.concurrency import lock_in_order
from apps.core.errors import UnknownReference, ValueRefused
from apps.inventory.models import InventoryItem
from apps.marketplace.providers.lots import color_or_unknown
from apps.orders.models import Order, OrderEvent, OrderLine, OrderOrigin, OrderState
from apps.orders.services._events import keep_events
from apps.orders.services.reserving import reserve

NO_PRICE: Final = "is needed: the lot has no price in your inventory (0 gives it away)"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """Pieces of one row of stock; without a price, at the row's price."""

    item_id: int
    quantity: int
    price: Decimal | None = None


@transaction.atomic
def sell_by_hand(
    *,
    owner: User,
    lines: Sequence[HandLine],
    buyer: str = "",
    address: str = "",
    country: str = "",
    remarks: str = "",
    shipping: Decimal = Decimal(),
    now: dt.datetime,
) -> Order:
    """Note a sale of rows of stock; its pieces are promised at once.

    Raises UnknownReference, and ValueRefused for a row that has no price and gets none here.
    """
    rows = {
        row.pk: row
        for row in InventoryItem.objects.owned_by(owner)
        .filter(pk__in=[line.item_id for line in lines])
        .select_related("lot__item", "lot__color")
    }
    prices = []
    for place, line in enumerate(lines):
        if line.item_id not in rows:
            raise UnknownReference(fields={f"lines.{place}.item_id": ["is not in your inventory"]})
        price = rows[line.item_id].price if line.price is None else line.price
        if price is None:
            raise ValueRefused(fields={f"lines.{place}.price": [NO_PRICE]})
        prices.append(price)
    order = Order.objects.create(
        owner=owner,
        channel=OrderOrigin.HAND,
        number="",
        state=OrderState.PAID,
        ordered_at=now,
        changed_at=now,
        paid_at=now,
        buyer=buyer,
        address_name=buyer,
        address=address,
        country=country,
        remarks=remarks,
        currency=currency_of(owner),
        shipping=shipping,
    )
    order.number = f"H-{_next_number(owner)}"
    made = OrderLine.objects.bulk_create(
        _line(order, place, line, rows[line.item_id], price)
        for place, (line, price) in enumerate(zip(lines, prices, strict=True))
    )
    order.subtotal = sum((line.price * line.quantity for line in made), Decimal())
    order.total = order.subtotal + shipping
    order.pieces_told = sum(line.quantity for line in made)
    order.save(update_fields=["number", "subtotal", "total", "pieces_told", "updated_at"])
    only_rows = {
        line.pk: wanted.item_id
        for line, wanted in zip(made, lines, strict=True)
        if line.lot_id is None and line.marketplace_lot_id is None
    }
    lacking = reserve(owner=owner, orders=[order], lines=made, now=now, only_rows=only_rows)
    names = {line.pk: line.item_name for line in made}
    keep_events([OrderEvent(owner=owner, order=order, at=now, kind="arrived", text="Entered")])
    keep_events(
        OrderEvent(
            owner=owner,
            order=order,
            at=now,
            kind="lacking",
            text=f"Not in stock: {pieces} × {names[pk]}",
            is_difference=True,
        )
        for pk, pieces in lacking.items()
    )
    return order


def _next_number(owner: User) -> int:
    """Return the seller's next number of a sale by hand: their own count, not the server's."""
    lock_in_order(User.objects.filter(pk=owner.pk).only("pk"))  # one sale at a time
    numbers = Order.objects.owned_by(owner).filter(
        channel=OrderOrigin.HAND, number__startswith="H-"
    )
    digits = (number[2:] for number in numbers.values_list("number", flat=True))
    return max((int(text) for text in digits if text.isdecimal()), default=0) + 1


def _line(
    order: Order, place: int, line: HandLine, row: InventoryItem, price: Decimal
) -> OrderLine:
    lot = row.lot
    return OrderLine(
        owner=order.owner,
        order=order,
        key=f"hand-{place}",
        marketplace_lot_id=row.marketplace_lot_id,
        lot=lot,
        item_type=lot.item.item_type if lot else TYPE_OF_LETTER.get(row.raw_item_type, ""),
        item_number=lot.item.number if lot else row.raw_item_number[:60],
        item_name=lot.item.name if lot else row.raw_item_name,
        color_id=(lot.color_id or 0)
        if lot
        else color_or_unknown(row.raw_color_id, row.raw_item_type, row.raw_color_name),
        color_name=lot.color.name if lot and lot.color_id else row.raw_color_name,
        condition=row.condition,
        sub_condition=row.sub_condition,
        quantity=line.quantity,
        price=price,
        remarks=row.remarks,
        piece_grams=row.piece_grams,
    )
