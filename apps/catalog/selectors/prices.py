"""What we would ask for a lot, and how that was found."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from apps.accounts.models import Preferences
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


#: When the figure that `choose_reference` takes was read from the marketplace.
REFERENCE_AT: Final = Case(
    When(avg_sold_price__isnull=False, then=F("sold_synced_at")),
    When(avg_inventory_price__isnull=False, then=F("asked_synced_at")),
)


def figure_of(figure: object, *, currency: object) -> Subquery:
    """Return the owner's worldwide `figure` of each row's `lot` in its `condition`.

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
    return Subquery(found.values(asked=F(figure) if isinstance(figure, str) else figure)[:1])


def with_market(items: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate what each row's lot sells for and is asked for, in its owner's currency.

    `sold_price` and `asked_price`, of which `choose_reference` makes the reference price, read at
    `reference_at`. Four index probes a row.
    """
    chosen = Preferences.objects.filter(user=OuterRef(OuterRef("owner"))).values("currency")
    standard = Preferences._meta.get_field("currency").get_default()
    currency = Coalesce(Subquery(chosen[:1]), Value(standard))
    return items.annotate(
        sold_price=figure_of("avg_sold_price", currency=currency),
        asked_price=figure_of("avg_inventory_price", currency=currency),
        reference_at=figure_of(REFERENCE_AT, currency=currency),
    )
