"""Write what a market told of lots: the present figures and their history."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.catalog.models import PricePoint, PriceSetting, PriceStat
from apps.core.money import money


@dataclass(frozen=True, slots=True)
class GuideFigures:
    """One lot × condition × region × currency. Amounts per piece; None is no data, never 0."""

    lot_id: int
    condition: str
    region: str
    currency: str
    avg_sold_price: Decimal | None
    avg_inventory_price: Decimal | None
    low_price: Decimal | None
    sold_lots: int
    sold_quantity: int
    stock_lots: int
    stock_quantity: int

    @property
    def sell_through(self) -> Decimal | None:
        """Pieces sold for each one offered; None where none is offered."""
        if not self.stock_quantity:
            return None
        return min(money(Decimal(self.sold_quantity) / self.stock_quantity), Decimal("9999.9999"))


FIGURES = (
    "avg_sold_price",
    "avg_inventory_price",
    "low_price",
    "sold_quantity",
    "stock_quantity",
)
COUNTS = ("sold_lots", "stock_lots")
KEY = ("lot_id", "condition", "region", "currency")


@transaction.atomic
def record_figures(*, figures: Sequence[GuideFigures], now: dt.datetime) -> None:
    """Replace the figures of these lots and keep today's in their history. 2 queries."""
    # One order for all writers: two refreshes that overlap wait, and do not deadlock.
    rows = sorted(figures, key=lambda row: (row.lot_id, row.condition, row.region, row.currency))
    day = now.astimezone(dt.UTC).date()
    PriceStat.objects.bulk_create(
        [
            PriceStat(
                **{name: getattr(row, name) for name in (*KEY, *FIGURES, *COUNTS)},
                sell_through=row.sell_through,
                synced_at=now,
            )
            for row in rows
        ],
        update_conflicts=True,
        unique_fields=["lot", "condition", "region", "currency"],
        update_fields=[*FIGURES, *COUNTS, "sell_through", "synced_at"],
    )
    PricePoint.objects.bulk_create(
        [
            PricePoint(**{name: getattr(row, name) for name in (*KEY, *FIGURES)}, day=day)
            for row in rows
        ],
        update_conflicts=True,
        unique_fields=["lot", "currency", "condition", "region", "day"],
        update_fields=list(FIGURES),
    )


@transaction.atomic
def change_price_setting(*, user: User, changes: dict[str, Any]) -> PriceSetting:
    """Change the user's price rule; the first change makes its row. 2 to 4 queries."""
    setting, _ = PriceSetting.objects.get_or_create(user=user)
    for name, value in changes.items():
        setattr(setting, name, value)
    setting.save(update_fields=[*changes, "updated_at"])
    return setting
