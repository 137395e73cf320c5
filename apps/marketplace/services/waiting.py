"""What waits at the market: figures that are too old to price by."""

import datetime as dt
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Count, Min, QuerySet

from apps.core.waiting import Asked, Question, Waiting, counted, finds, sums_of, waits
from apps.inventory.models import InventoryItem
from apps.marketplace.models import LotRefresh

PRICES_LAST: Final = dt.timedelta(days=90)
DEAREST_LOTS: Final = 500


@finds("marketplace.old_prices")
def _old(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    dearest = (
        InventoryItem.objects.owned_by(asked.owner)
        .in_stock_listed()
        .filter(price__gt=0)
        .order_by("-price", "-pk")
        .values("lot_id")[:DEAREST_LOTS]
    )
    old = LotRefresh.objects.owned_by(asked.owner).filter(
        lot_id__in=dearest,
        currency=asked.currency,
        refreshed_at__lt=asked.now.before(PRICES_LAST),
    )
    yield sums_of("old_prices", old, count=Count("pk"), at=Min("refreshed_at"))


@waits("marketplace.old_prices")
def old_prices(asked: Asked) -> Iterator[Waiting]:
    """Yield how many of the dearest rows in stock have market figures older than 90 days.

    Only the dearest: with them, an old price costs most.
    """
    for old in asked.facts("old_prices"):
        yield Waiting(
            id="old-prices",
            title=f"Refresh {counted(old.count, 'old market price')}",
            note="Older than 90 days, among your dearest lots",
            count=old.count,
            since=old.at,
            to="/app/inventory?stale_price=true&ordering=-price",
        )
