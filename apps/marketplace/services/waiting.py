"""What waits at the market: figures that are too old to price by."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django.db.models import Count, Min

from apps.core.waiting import Asked, Waiting, counted, waits
from apps.inventory.models import InventoryItem
from apps.marketplace.models import LotRefresh

PRICES_LAST: Final = dt.timedelta(days=90)
DEAREST_LOTS: Final = 500


@waits("marketplace.old_prices")
def old_prices(asked: Asked) -> Iterator[Waiting]:
    """Yield how many of the dearest rows in stock have market figures older than 90 days.

    Only the dearest: with them, an old price costs most.
    """
    dearest = (
        InventoryItem.objects.owned_by(asked.owner)
        .in_stock_listed()
        .filter(price__gt=0)
        .order_by("-price", "-pk")
        .values_list("lot_id", flat=True)
    )
    lots = {lot for lot in dearest[:DEAREST_LOTS] if lot is not None}
    # No lot is 0: an empty store asks as much as a full one.
    old = (
        LotRefresh.objects.owned_by(asked.owner)
        .filter(
            lot_id__among=lots or {0},
            currency=asked.currency,
            refreshed_at__lt=asked.now - PRICES_LAST,
        )
        .aggregate(lots=Count("pk"), since=Min("refreshed_at"))
    )
    if old["lots"]:
        yield Waiting(
            id="old-prices",
            title=f"Refresh {counted(old['lots'], 'old market price')}",
            note="Older than 90 days, among your dearest lots",
            count=old["lots"],
            since=old["since"],
            to="/app/inventory?stale_price=true&ordering=-price",
        )
