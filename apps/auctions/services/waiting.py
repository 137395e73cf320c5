"""The open work of auctions: listings that end within a day."""

import datetime as dt
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from apps.auctions.models import AuctionListing
from apps.auctions.rules.status import Outcome, Watch
from apps.auctions.services.listings import SITE_CURRENCY
from apps.core.money import money
from apps.core.waiting import MOST_OF_A_KIND, Asked, Question, Waiting, facts_of, finds, waits

END_WITHIN: Final = dt.timedelta(days=1)


@finds("auctions.ending")
def _ending(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    rows = (
        AuctionListing.objects.owned_by(asked.owner)
        .filter(end_time__gt=asked.now, end_time__lte=asked.now.before(-END_WITHIN))
        .filter(Q(watch=Watch.WATCHING) | Q(my_bid__isnull=False))
        .filter(outcome=Outcome.NONE)
        .order_by("end_time", "pk")[:MOST_OF_A_KIND]
    )
    for figure in ("current_price", "landed_cost", "landed_per_kg"):
        yield facts_of(
            f"ending_{figure}", rows, id=F("pk"), name=F("title"), money=F(figure), at=F("end_time")
        )


@waits("auctions.ending")
def auctions_ending(asked: Asked) -> Iterator[Waiting]:
    """Yield the watched listings and bids that end within a day, the soonest first."""
    landed_of, per_kg_of = (
        {one.id: one.money for one in asked.facts(f"ending_{figure}")}
        for figure in ("landed_cost", "landed_per_kg")
    )
    for one in sorted(asked.facts("ending_current_price"), key=attrgetter("at", "id")):
        landed, per_kg = landed_of[one.id], per_kg_of[one.id]
        at = f"At ${one.money:.2f}, shipping unknown" if landed is None else f"${landed:.2f} landed"
        yield Waiting(
            id=f"auction-{one.id}",
            title=one.name,
            note=f"{at}, ${per_kg:.2f} per kg" if per_kg is not None else at,
            count=1,
            money=money(landed) if landed is not None and asked.currency == SITE_CURRENCY else None,
            since=one.at,
            is_due=True,
            is_pressing=True,
            to="/app/buy-lego",
        )
