"""Stock whose price wants a look."""

import datetime as dt
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from apps.catalog.models import PriceStat
from apps.catalog.models.price import Region

# So many times the reference, or so small a part of it, is worth a look.
OUTLIER_TIMES: Final = 3
FIGURES_LAST: Final = dt.timedelta(days=90)


def far_from_market(items: QuerySet[Any], *, currency: str) -> QuerySet[Any]:
    """Return the rows that ask more than three times their reference price, or less than a third.

    One index probe a row.
    """
    reference = Coalesce("avg_sold_price", "avg_inventory_price")
    market = _figures(currency).alias(reference=reference, much=reference * OUTLIER_TIMES)
    far = Q(much__lt=OuterRef("price")) | Q(reference__gt=OuterRef("price") * OUTLIER_TIMES)
    return items.filter(price__isnull=False).filter(Exists(market.filter(far, reference__gt=0)))


def with_old_figures(items: QuerySet[Any], *, currency: str, now: dt.datetime) -> QuerySet[Any]:
    """Return the rows whose market figures are older than 90 days. One index probe a row."""
    old = _figures(currency).filter(synced_at__lt=now - FIGURES_LAST)
    return items.filter(Exists(old))


def _figures(currency: str) -> QuerySet[Any]:
    """Return the owner's worldwide figures of each row's lot in its condition."""
    return PriceStat.objects.filter(
        owner=OuterRef("owner"),
        lot=OuterRef("lot"),
        condition=OuterRef("condition"),
        region=Region.GLOBAL,
        currency=currency,
    )
