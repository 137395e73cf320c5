"""Stores listings of the site, listings entered by hand, and their owner's decisions."""

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.auctions.models import AuctionListing, BuyerOptions, Origin
from apps.auctions.providers.base import FoundListing
from apps.auctions.providers.texts import plain_text, weight_in
from apps.auctions.rules.links import external_id_in, listing_url
from apps.auctions.rules.money import cost_per_kg, landed_cost
from apps.auctions.services.site import ask
from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid, StateConflict, ValueRefused
from apps.core.jobs.run import Clock

_SITE_FIELDS: Final = (
    "title",
    "current_price",
    "bid_count",
    "end_time",
    "is_auction",
    "buy_it_now_price",
)
# Only the detail of a listing has these fields; rows of a search do not change them.
_DETAIL_FIELDS: Final = (
    "minimum_bid",
    "description",
    "highest_bidder",
    "location",
    "seller",
    "is_pickup_only",
)
_TEXTS: Final = frozenset({"title", "description", "seller", "location"})
SITE_CURRENCY: Final = "USD"
DECISIONS: Final = frozenset({"watch", "my_bid", "max_bid", "note", "outcome"})


class NoZipCode(StateConflict):
    message = "Shipping is calculated to your ZIP code: enter it in your profile first."


class ShippingUnknown(StateConflict):
    message = "The site gave no shipping cost. It stays unknown; it is not free."


class NotFromTheSite(StateConflict):
    message = "This listing was entered by hand: the site cannot be asked about it."


def buyer_options_of(owner: User | int) -> BuyerOptions:
    """Return the owner's costs of buying and selling, or the defaults."""
    return BuyerOptions.objects.filter(user=owner).first() or BuyerOptions()


def tax_percent_of(owner: User | int) -> Decimal:
    """Return the tax that the owner pays on purchases, in percent."""
    return buyer_options_of(owner).tax_percent


@transaction.atomic
def set_buyer_options(*, owner: User, options: Mapping[str, Decimal]) -> None:
    """Change `tax_percent`, and the landed cost of each listing with it, `fee_percent` or
    `hourly_rate`.
    """
    BuyerOptions.objects.update_or_create(user=owner, defaults=dict(options))
    if "tax_percent" not in options:
        return
    tax_percent = options["tax_percent"]
    listings = lock_in_order(AuctionListing.objects.owned_by(owner))
    for listing in listings:
        _reckon(listing, tax_percent)
    AuctionListing.objects.bulk_update(listings, ["landed_cost", "landed_per_kg"], batch_size=500)


@transaction.atomic
def keep_found(*, owner: User, found: list[FoundListing], now: dt.datetime) -> tuple[int, int]:
    """Create or update the owner's listings found by a search. Return (new, updated).

    Keeps the owner's decisions.
    """
    by_id = {one.external_id: one for one in found}
    tax = tax_percent_of(owner)
    known = lock_in_order(AuctionListing.objects.owned_by(owner).filter(external_id__in=by_id))
    for listing in known:
        _renew(listing, by_id.pop(listing.external_id), tax, now)
    AuctionListing.objects.bulk_update(known, _RENEWED, batch_size=200)
    made = [_renew(AuctionListing(owner=owner), one, tax, now) for one in by_id.values()]
    AuctionListing.objects.bulk_create(made, ignore_conflicts=True)
    return len(made), len(known)


def refresh_listing(*, listing: AuctionListing, clock: Clock) -> AuctionListing:
    """Read one listing from the site, unless it was just read.

    Raises NotFromTheSite and the errors of `ask`; then nothing is changed.
    """
    if not listing.external_id:
        raise NotFromTheSite
    fresh = dt.timedelta(seconds=settings.AUCTIONS_FRESH_SECONDS)
    if listing.checked_at is not None and clock() - listing.checked_at < fresh:
        return listing
    found = ask(lambda site: site.listing(listing.external_id), clock=clock)
    return _write(listing, lambda row, tax: _renew(row, found, tax, clock()))


def calculate_shipping(*, listing: AuctionListing, clock: Clock) -> AuctionListing:
    """Read the costs of shipping a listing to the owner's ZIP code from the site.

    Raises NoZipCode, NotFromTheSite, ShippingUnknown and the errors of `ask`.
    """
    if not listing.external_id:
        raise NotFromTheSite
    zip_code = str(listing.owner.zip_code)
    if not zip_code:
        raise NoZipCode(fields={"zip_code": ["Enter your ZIP code."]})
    told = ask(lambda site: site.shipping(listing.external_id, zip_code=zip_code), clock=clock)
    if told is None:
        raise ShippingUnknown

    def change(row: AuctionListing, tax: Decimal) -> AuctionListing:
        row.shipping_cost, row.shipping_method = told.cost, told.method
        if told.handling is not None:
            row.handling_cost = told.handling
        row.shipping_at = clock()
        return _reckon(row, tax)

    return _write(listing, change)


def add_by_link(*, owner: User, link: str, clock: Clock) -> tuple[AuctionListing, bool]:
    """Fetch a listing by its link or number, or renew the one that is there; return it, and
    whether it is new. Raises Invalid."""
    external_id = external_id_in(link)
    if external_id is None:
        expected = "must be a link such as https://shopgoodwill.com/item/123456789, or its number"
        raise Invalid(fields={"link": [expected]})
    found = ask(lambda site: site.listing(external_id), clock=clock)
    new, _ = keep_found(owner=owner, found=[found], now=clock())
    listing = AuctionListing.objects.owned_by(owner).get(external_id=found.external_id)
    return _write(listing, lambda row, tax: _renew(row, found, tax, clock())), new > 0


def enter_listing(*, owner: User, fields: Mapping[str, Any]) -> AuctionListing:
    """Create a listing from typed or pasted values. Raises Invalid, also for an existing listing."""
    values = _plain(fields)
    external_id = external_id_in(values.get("listing_url", "")) or ""
    listing = AuctionListing(owner=owner, origin=Origin.ENTERED, external_id=external_id, **values)
    if listing.weight_grams is None:
        listing.weight_grams = weight_in(listing.title) or weight_in(listing.description)
    _reckon(listing, tax_percent_of(owner))
    try:
        with transaction.atomic():
            listing.save(force_insert=True)
    except IntegrityError:
        raise ValueRefused(
            fields={"listing_url": ["is the link of a listing that is there"]}
        ) from None
    return listing


def edit_listing(*, listing: AuctionListing, changes: Mapping[str, Any]) -> AuctionListing:
    """Change the owner's decisions, and the fields of a listing entered by hand. Raises Invalid."""
    changes = _plain(changes)
    theirs = set(changes) - DECISIONS - {"weight_grams"}
    if theirs and listing.origin == Origin.SITE:
        raise ValueRefused(fields={name: ["comes from the site"] for name in sorted(theirs)})

    def change(row: AuctionListing, tax: Decimal) -> AuctionListing:
        for name, value in changes.items():
            setattr(row, name, value)
        return _reckon(row, tax)

    return _write(listing, change)


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return typed fields, their texts without markup. Raises Invalid for a title of nothing else."""
    values = dict(fields)
    for name in _TEXTS & values.keys():
        values[name] = plain_text(values[name])
    if values.get("title") == "":
        raise ValueRefused(fields={"title": ["holds nothing but markup"]})
    return values


def _write(listing: AuctionListing, change: Any) -> AuctionListing:
    tax = tax_percent_of(listing.owner_id)
    with transaction.atomic():
        locked = lock_in_order(AuctionListing.objects.filter(pk=listing.pk))
        if not locked:
            raise ValueRefused(fields={"id": ["the listing was deleted"]})
        before = dict(vars(locked[0]))
        row: AuctionListing = change(locked[0], tax)
        columns = {field.attname for field in row._meta.concrete_fields}
        changed = [name for name in columns if before.get(name) != getattr(row, name)]
        row.save(update_fields={*changed, "updated_at"})
    return row


_RENEWED: Final = (
    *_SITE_FIELDS,
    *_DETAIL_FIELDS,
    "image_url",
    "listing_url",
    "weight_grams",
    "handling_cost",
    "landed_cost",
    "landed_per_kg",
    "checked_at",
    "updated_at",
)


def _renew(
    listing: AuctionListing, found: FoundListing, tax: Decimal, now: dt.datetime
) -> AuctionListing:
    listing.external_id = found.external_id
    listing.listing_url = listing_url(found.external_id)
    for name in _SITE_FIELDS:
        setattr(listing, name, getattr(found, name))
    for name in _DETAIL_FIELDS:
        if (value := getattr(found, name)) is not None:
            setattr(listing, name, value)
    listing.image_url = found.image_url or listing.image_url
    if listing.weight_grams is None:
        listing.weight_grams = found.weight_grams
    if found.handling is not None:
        listing.handling_cost = found.handling
    listing.checked_at = listing.updated_at = now
    return _reckon(listing, tax)


def _reckon(listing: AuctionListing, tax: Decimal) -> AuctionListing:
    landed = landed_cost(
        price=listing.current_price,
        shipping=listing.shipping_cost,
        handling=listing.handling_cost,
        tax_percent=tax,
    )
    listing.landed_cost = landed
    listing.landed_per_kg = cost_per_kg(landed, listing.weight_grams)
    return listing
