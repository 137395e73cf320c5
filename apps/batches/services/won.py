"""A batch of an auction that was won: once, however often it is asked for."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.services.users import preferences_of
from apps.auctions.models import AuctionListing, Origin
from apps.auctions.rules.status import Outcome
from apps.auctions.services.listings import SITE_CURRENCY, edit_listing
from apps.auctions.services.site import SITE_NAME
from apps.batches.models import Batch
from apps.batches.models.batch import NAME_LENGTH
from apps.core.concurrency import lock_in_order
from apps.core.errors import StateConflict, UnknownReference
from apps.core.money import AMOUNT_LIMIT
from apps.sources.models import Source
from apps.sources.services import source_named


class ListingLost(StateConflict):
    message = "“{title}” is noted as lost. Say first that you won it."


@transaction.atomic
def batch_of_listing(
    *, owner: User, listing_id: int, fields: Mapping[str, Any]
) -> tuple[Batch, bool]:
    """Create the batch of a won listing and mark the listing as won.

    Return the batch, and whether it was created now. `fields` may hold `name`, `source` and
    `cost_total`; the defaults are the title, the site and the landed cost. The landed cost is
    unknown if the shipping is, if the owner's currency is not the site's, or if it is more than an
    amount may be. Raises Invalid for a listing of another owner, ListingLost.
    """
    # A concurrent second call waits for this lock and then finds the batch.
    locked = lock_in_order(AuctionListing.objects.owned_by(owner).filter(pk=listing_id))
    if not locked:
        raise UnknownReference(fields={"listing_id": ["is not one of your listings"]})
    (listing,) = locked
    made = Batch.objects.filter(won_listing=listing).first()
    if made is not None:
        return made, False
    if listing.outcome == Outcome.LOST:
        raise ListingLost(title=listing.title)
    if listing.outcome != Outcome.WON:
        edit_listing(listing=listing, changes={"outcome": Outcome.WON})
    made = Batch.objects.create(
        owner=owner,
        name=(fields.get("name") or listing.title)[:NAME_LENGTH],
        description=listing.note,
        source=fields["source"] if "source" in fields else _source_of(listing),
        cost_total=fields["cost_total"] if "cost_total" in fields else _cost_of(listing, owner),
        gross_weight_grams=listing.weight_grams,
        won_listing=listing,
        image_url=listing.image_url,
    )
    return made, True


def _source_of(listing: AuctionListing) -> Source | None:
    if listing.origin != Origin.SITE:
        return None
    return source_named(owner_id=listing.owner_id, name=SITE_NAME)


def _cost_of(listing: AuctionListing, owner: User) -> Decimal | None:
    landed = listing.landed_cost
    if preferences_of(user=owner).currency != SITE_CURRENCY or landed is None:
        return None
    return landed if landed < AMOUNT_LIMIT else None
