"""The value of auction listings to the person, by the value of their own batches."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Final, Literal, TypedDict

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.auctions.models import AuctionListing, Origin
from apps.auctions.rules.worth import Brought, highest_bid, worth_of
from apps.auctions.services.listings import SITE_CURRENCY, buyer_options_of
from apps.auctions.services.site import SITE_NAME
from apps.batches.rules.states import ItemState
from apps.core.money import Digits, Money, Total, money
from apps.home.rules import minutes_per_kg
from apps.home.selectors.batches import BatchSums, batch_sums
from apps.home.selectors.profit import Sold, sold_of
from apps.recognition.models import StationSitting

GRAMS_PER_KG: Final = 1000
SITTINGS: Final = 50


class WorthBasis(TypedDict):
    """The past proceeds of a kilogram, in dollars like the site's prices."""

    batches: Annotated[int, "how many it rests on"]
    source_name: Annotated[str, "empty: of all sources"]
    value_per_kg: Annotated[Total, "at the prices of their items"]
    minutes_per_kg: Annotated[Annotated[Decimal, Digits(24, 1)] | None, "null: no sitting is known"]
    fee_percent: Annotated[Decimal, Digits(5, 3)]
    hourly_rate: Money
    net_per_kg: Annotated[Total, "after fees and work"]


class ListingWorth(TypedDict):
    id: int
    worth: Annotated[Decimal, Digits(24, 2), "landed"]
    highest_bid: Annotated[Annotated[Decimal, Digits(24, 2)] | None, "null: shipping is unknown"]
    rests_on: Literal["of_site", "of_all"]


class AuctionWorthRow(TypedDict):
    """Listings without a weight, and all without a basis, are left out."""

    of_site: Annotated[WorthBasis | None, "batches whose source is the site"]
    of_all: Annotated[WorthBasis | None, "batches of any source"]
    listings: list[ListingWorth]


@dataclass(frozen=True, slots=True)
class Basis:
    """The basis of a listing's value: batches of the site, else of all sources."""

    brought: Brought
    batches: int
    source_name: str

    def row(self) -> WorthBasis:
        minutes = self.brought.minutes_per_kg
        return {
            "batches": self.batches,
            "source_name": self.source_name,
            "value_per_kg": money(self.brought.value_per_kg),
            "minutes_per_kg": None if minutes is None else minutes.quantize(Decimal("0.1")),
            "fee_percent": self.brought.fee_percent,
            "hourly_rate": self.brought.hourly_rate,
            "net_per_kg": money(self.brought.net_per_kg),
        }


def auction_worth(*, user: User, ids: Collection[int]) -> AuctionWorthRow:
    """Return the estimated value of each of these listings, and the batches it is based on.

    A batch counts if none of its items is new and its weight is known. Without such a batch, or
    if the person's currency is not the site's, no values are returned.
    """
    none: AuctionWorthRow = {"of_site": None, "of_all": None, "listings": []}
    if currency_of(user) != SITE_CURRENCY:
        return none
    batches = batch_sums(owner=user)
    closed = [batch for batch in batches if _is_closed(batch)]
    if not closed:
        return none
    sold = sold_of(user=user, currency=SITE_CURRENCY, batches=batches)
    options = buyer_options_of(user)
    seconds, pieces = _pace(user)

    def basis(batches: Sequence[BatchSums], source_name: str) -> Basis | None:
        grams = sum((batch.grams or Decimal(0) for batch in batches), Decimal(0))
        if not grams:
            return None
        value = sum((_brought(batch, sold) for batch in batches), Decimal(0))
        sorted_pieces = sum(batch.all_pieces for batch in batches)
        brought = Brought(
            value_per_kg=value * GRAMS_PER_KG / grams,
            minutes_per_kg=minutes_per_kg(
                sorted_pieces, grams=grams, paced=pieces, seconds=seconds
            ),
            fee_percent=options.fee_percent,
            hourly_rate=options.hourly_rate,
        )
        return Basis(brought=brought, batches=len(batches), source_name=source_name)

    of_all = basis(closed, "")
    of_site = basis([one for one in closed if one.source_name == SITE_NAME], SITE_NAME)
    rows = AuctionListing.objects.owned_by(user).filter(pk__in=ids, weight_grams__gt=0)
    listings: list[ListingWorth] = []
    for pk, origin, grams, shipping, handling in rows.order_by("pk").values_list(
        "pk", "origin", "weight_grams", "shipping_cost", "handling_cost"
    ):
        found = (origin == Origin.SITE and of_site) or of_all
        if not found or grams is None:
            continue
        worth = worth_of(grams, found.brought)
        listings.append(
            {
                "id": pk,
                "worth": worth,
                "highest_bid": highest_bid(
                    worth, shipping=shipping, handling=handling, tax_percent=options.tax_percent
                ),
                "rests_on": "of_site" if found is of_site else "of_all",
            }
        )
    return {
        "of_site": of_site.row() if of_site else None,
        "of_all": of_all.row() if of_all else None,
        "listings": listings,
    }


def _is_closed(batch: BatchSums) -> bool:
    return bool(batch.grams and batch.all_pieces and not batch.lots[ItemState.NEW])


def _brought(batch: BatchSums, sold: Sold) -> Decimal:
    """Return the value of a batch, with its sold pieces at the prices that buyers paid."""
    sums = sold.get(batch.id)
    return batch.value if sums is None else batch.value - sums.asked + sums.sold


def _pace(user: User) -> tuple[float, int]:
    """Return seconds and pieces of the newest sittings together."""
    rows = (
        StationSitting.objects.owned_by(user)
        .filter(pieces__gt=0)
        .order_by("-started_at", "-id")
        .values_list("started_at", "acted_at", "pieces")[:SITTINGS]
    )
    seconds, pieces = 0.0, 0
    for started_at, acted_at, sorted_pieces in rows:
        seconds += (acted_at - started_at).total_seconds()
        pieces += sorted_pieces
    return seconds, pieces
