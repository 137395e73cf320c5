"""What we would ask for a lot, and how that was found."""

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


def figure_of(name: str, *, currency: Any) -> Subquery:
    """Return the owner's worldwide figure `name` of each row's `lot` in its `condition`.

    `currency` is one, or an expression; `choose_reference` makes a price of two of them. One
    index probe a row.
    """
    found: QuerySet[Any] = PriceStat.objects.filter(
        owner=OuterRef("owner"),
        lot=OuterRef("lot"),
        condition=OuterRef("condition"),
        region=Region.GLOBAL,
        currency=currency,
    )
    return Subquery(found.values(name)[:1])
