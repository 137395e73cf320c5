"""What we would ask for a lot, and how that was found."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from apps.catalog.models import PriceStat
from apps.catalog.models.price import Region


@dataclass(frozen=True, slots=True)
class ReferencePrice:
    """An amount per piece in the asked currency, and its basis: `sold`, `asked` or `none`."""

    amount: Decimal | None
    basis: str


def choose_reference(sold: Decimal | None, asked: Decimal | None) -> ReferencePrice:
    """Return the average sold price, else the average asked price, else none."""
    if sold is not None:
        return ReferencePrice(sold, "sold")
    if asked is not None:
        return ReferencePrice(asked, "asked")
    return ReferencePrice(None, "none")


def reference_price(
    lot_ids: Iterable[int], *, condition: str, currency: str
) -> dict[int, ReferencePrice]:
    """Return the worldwide reference price of each lot in `currency`."""
    wanted = set(lot_ids)
    found = {
        lot_id: choose_reference(sold, asked)
        for lot_id, sold, asked in PriceStat.objects.filter(
            lot_id__in=wanted, condition=condition, region=Region.GLOBAL, currency=currency
        ).values_list("lot_id", "avg_sold_price", "avg_inventory_price")
    }
    nothing = ReferencePrice(None, "none")
    return {lot_id: found.get(lot_id, nothing) for lot_id in wanted}


def figure_of(name: str, *, currency: Any) -> Subquery:
    """Return the worldwide figure `name` of each row's `lot` in its `condition`, to annotate with.

    `currency` is one, or an expression; `choose_reference` makes a price of two of them. One
    index probe a row.
    """
    found: QuerySet[Any] = PriceStat.objects.filter(
        lot=OuterRef("lot"),
        condition=OuterRef("condition"),
        region=Region.GLOBAL,
        currency=currency,
    )
    return Subquery(found.values(name)[:1])
