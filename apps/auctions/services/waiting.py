"""The open work of auctions: listings that end within a day."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django.db.models import Q

from apps.auctions.models import AuctionListing
from apps.auctions.rules.status import Outcome, Watch
from apps.auctions.services.listings import SITE_CURRENCY
from apps.core.waiting import MOST_OF_A_KIND, Asked, Waiting, waits

END_WITHIN: Final = dt.timedelta(days=1)


@waits("auctions.ending")
def auctions_ending(asked: Asked) -> Iterator[Waiting]:
    """Yield the watched listings and bids that end within a day, the soonest first."""
    rows = (
        AuctionListing.objects.owned_by(asked.owner)
        .filter(end_time__gt=asked.now, end_time__lte=asked.now + END_WITHIN)
        .filter(Q(watch=Watch.WATCHING) | Q(my_bid__isnull=False))
        .filter(outcome=Outcome.NONE)
        .order_by("end_time", "pk")
        .values_list("id", "title", "end_time", "current_price", "landed_cost", "landed_per_kg")
    )
    for pk, title, end, price, landed, per_kg in rows[:MOST_OF_A_KIND]:
        at = f"At ${price:.2f}, shipping unknown" if landed is None else f"${landed:.2f} landed"
        yield Waiting(
            id=f"auction-{pk}",
            title=title,
            note=f"{at}, ${per_kg:.2f} per kg" if per_kg is not None else at,
            count=1,
            money=landed if asked.currency == SITE_CURRENCY else None,
            since=end,
            is_due=True,
            is_pressing=True,
            to="/app/buy-lego",
        )
