"""Write a market's figures of lots: the present ones and their history."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.catalog.models import PricePoint, PriceSetting, PriceStat
from apps.core.hooks import Hook
from apps.core.money import money


@dataclass(frozen=True, slots=True)
class GuideFigures:
    """One lot × condition × region × currency. Amounts per piece; None is no data, never 0.

    The market tells sales and offers apart: a half with `has_sold` or `has_asked` False was
    not asked for, and what is stored of it stays.
    """

    lot_id: int
    condition: str
    region: str
    currency: str
    avg_sold_price: Decimal | None = None
    avg_inventory_price: Decimal | None = None
    low_price: Decimal | None = None
    mean_sold_price: Decimal | None = None
    median_sold_price: Decimal | None = None
    lowest_sold: Sequence[str] | None = None
    mean_inventory_price: Decimal | None = None
    median_inventory_price: Decimal | None = None
    lowest_offered: Sequence[str] | None = None
    sold_lots: int = 0
    sold_quantity: int = 0
    stock_lots: int = 0
    stock_quantity: int = 0
    has_sold: bool = True
    has_asked: bool = True

    @property
    def sell_through(self) -> Decimal | None:
        """Pieces sold for each one offered; None where none is offered."""
        if not self.stock_quantity:
            return None
        return min(money(Decimal(self.sold_quantity) / self.stock_quantity), Decimal("9999.9999"))


@dataclass(frozen=True, slots=True)
class Used:
    """Pieces of a lot in a condition whose figures are about to be used, and their present price."""

    lot_id: int
    condition: str
    quantity: int
    price: Decimal | None


SOLD: Final = (
    *("avg_sold_price", "sold_quantity", "sold_lots"),
    *("mean_sold_price", "median_sold_price", "lowest_sold"),
)
ASKED: Final = (
    *("avg_inventory_price", "low_price", "stock_quantity", "stock_lots"),
    *("mean_inventory_price", "median_inventory_price", "lowest_offered"),
)
FIGURES: Final = (
    "avg_sold_price",
    "avg_inventory_price",
    "low_price",
    "sold_quantity",
    "stock_quantity",
)
#: BrickLink's terms forbid keeping figures for ever. Its guide counts the sales of six months; the
#: chart of a lot shows a year.
KEPT_FOR: Final = dt.timedelta(days=180)
HISTORY_KEPT_FOR: Final = dt.timedelta(days=365)
DELETED_AT_ONCE: Final = 5_000
KEY: Final = ("lot_id", "condition", "region", "currency")


@transaction.atomic
def record_figures(*, owner: User, figures: Sequence[GuideFigures], now: dt.datetime) -> None:
    """Store the figures that the market returned to `owner`, and add today's to their history."""
    for has_sold, has_asked in ((True, True), (True, False), (False, True)):
        some = [row for row in figures if (row.has_sold, row.has_asked) == (has_sold, has_asked)]
        if some:
            _record(owner, some, has_sold=has_sold, has_asked=has_asked, now=now)


def _record(
    owner: User,
    figures: Sequence[GuideFigures],
    *,
    has_sold: bool,
    has_asked: bool,
    now: dt.datetime,
) -> None:
    """Store rows that have the same halves."""
    # One order for all writers: two refreshes that overlap wait, and do not deadlock.
    rows = sorted(figures, key=lambda row: (row.lot_id, row.condition, row.region, row.currency))
    given = (SOLD if has_sold else ()) + (ASKED if has_asked else ())
    dates = {"sold_synced_at": has_sold, "asked_synced_at": has_asked}
    stamps = {name: now for name, is_given in dates.items() if is_given}
    whole = (
        rows if has_sold and has_asked else _with_stored(owner, rows, SOLD if has_asked else ASKED)
    )
    PriceStat.objects.bulk_create(
        [
            PriceStat(
                owner=owner,
                **{name: getattr(row, name) for name in (*KEY, *SOLD, *ASKED)},
                **stamps,
                sell_through=row.sell_through,
                synced_at=now,
            )
            for row in whole
        ],
        update_conflicts=True,
        unique_fields=["lot", "owner", "condition", "region", "currency"],
        update_fields=[*given, *stamps, "sell_through", "synced_at"],
    )
    PricePoint.objects.bulk_create(
        [
            PricePoint(
                owner=owner,
                **{name: getattr(row, name) for name in (*KEY, *FIGURES)},
                day=now.astimezone(dt.UTC).date(),
            )
            for row in rows
        ],
        update_conflicts=True,
        unique_fields=["lot", "owner", "currency", "condition", "region", "day"],
        update_fields=[name for name in FIGURES if name in given],
    )


def _with_stored(
    owner: User, rows: Sequence[GuideFigures], half: tuple[str, ...]
) -> list[GuideFigures]:
    """Return rows whose missing half is the stored one."""
    stored = PriceStat.objects.owned_by(owner).filter(lot_id__in=[row.lot_id for row in rows])
    known = {
        tuple(values[: len(KEY)]): dict(zip(half, values[len(KEY) :], strict=True))
        for values in stored.values_list(*KEY, *half)
    }
    return [
        replace(row, **known.get(tuple(getattr(row, name) for name in KEY), {})) for row in rows
    ]


def delete_old_figures(*, now: dt.datetime) -> int:
    """Delete the figures that are kept no longer; return how many."""
    stats = PriceStat.objects.filter(synced_at__lt=now - KEPT_FOR)
    points = PricePoint.objects.filter(day__lt=(now - HISTORY_KEPT_FOR).date())
    count = 0
    for rows in (stats, points):
        while some := list(rows.values_list("pk", flat=True)[:DELETED_AT_ONCE]):
            count += rows.model.objects.filter(pk__in=some).delete()[0]
    return count


@Hook
def refresh_before_use(*, owner: User, wanted: Sequence[Used], now: dt.datetime) -> int:
    """Have figures asked for that are too old to be used; return of how many lots new ones come."""
    return 0


@transaction.atomic
def change_price_setting(*, user: User, changes: dict[str, Any]) -> PriceSetting:
    """Change the user's price rule; the first change makes its row."""
    setting, _ = PriceSetting.objects.get_or_create(user=user)
    for name, value in changes.items():
        setattr(setting, name, value)
    setting.save(update_fields=[*changes, "updated_at"])
    return setting
