"""Orders of the demo account: three to pick, as a store would report them."""

import datetime as dt
from decimal import Decimal
from random import Random
from typing import Any, Final

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.inventory.models import InventoryItem
from apps.marketplace.providers.orders import (
    OrderAddress,
    OrderMoney,
    OrderState,
    StoreOrder,
    StoreOrderLine,
)
from apps.orders.models import OrderOrigin
from apps.orders.services.arrival import receive_order

FIRST_NUMBER: Final = 27_004_118
# Buyer, address, remarks, hours since the order, lots.
_BUYERS: Final = (
    ("maple_mocs", OrderAddress(name="Joan Field", lines="12 Harbour Road\nPortland, OR 97202",
                                country="US"), "", 30, 5),
    ("stud_and_tube", OrderAddress(name="Søren Ødegård", lines="Storgata 7\n0155 Oslo",
                                   country="NO"), "Please combine with my next order.", 9, 3),
    ("brick_by_brick", OrderAddress(name="Eva Němcová", lines="Dlouhá 33\n110 00 Praha 1",
                                    country="CZ"), "", 2, 4),
)  # fmt: skip
_SHIPPING: Final = Decimal("4.50")


def add_demo_orders(*, owner: User, now: dt.datetime) -> None:
    """Receive three paid orders of pieces in the demo account's bins."""
    chance = Random(18)
    rows = list(
        InventoryItem.objects.owned_by(owner)
        .in_stock()
        .filter(lot__item__isnull=False, location__isnull=False, price__gt=0, quantity__gte=2)
        .select_related("lot__item", "lot__color")
        .order_by("pk")
    )
    for place, (buyer, address, remarks, hours, lots) in enumerate(_BUYERS):
        some = [rows.pop(chance.randrange(len(rows))) for _ in range(min(lots, len(rows)))]
        if not some:
            return
        lines = tuple(_line(row, chance.randint(1, min(4, row.quantity))) for row in some)
        subtotal = sum((line.price * line.quantity for line in lines), Decimal())
        ordered_at = now - dt.timedelta(hours=hours)
        told = StoreOrder(
            order_id=FIRST_NUMBER + place,
            state=OrderState.PAID,
            status="PAID",
            ordered_at=ordered_at,
            changed_at=ordered_at,
            paid_at=ordered_at,
            payment_status="Completed",
            payment_method="PayPal",
            buyer=buyer,
            address=address,
            remarks=remarks,
            shipping_method="Letter, tracked",
            money=OrderMoney(
                currency=currency_of(owner),
                subtotal=subtotal,
                shipping=_SHIPPING,
                total=subtotal + _SHIPPING,
            ),
            lines=lines,
        )
        receive_order(owner=owner, told=told, now=now, channel=OrderOrigin.FILE)


def _line(row: InventoryItem, quantity: int) -> StoreOrderLine:
    lot: Any = row.lot
    return StoreOrderLine(
        lot_id=None,
        item_type=lot.item.item_type,
        number=lot.item.number,
        name=lot.item.name,
        color_id=lot.color_id,
        color_name=lot.color.name,
        condition=row.condition,
        completeness="",
        quantity=quantity,
        price=row.price or Decimal(),
        grams=lot.item.weight_grams,
    )
