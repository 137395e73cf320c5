"""The interface of an auction site, and how it may fail."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from apps.auctions.providers.texts import Shipping


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundListing:
    """A listing as the site shows it now. None means that the response lacks the value."""

    external_id: str
    title: str
    current_price: Decimal
    bid_count: int
    end_time: dt.datetime | None
    is_auction: bool
    minimum_bid: Decimal | None = None
    buy_it_now_price: Decimal | None = None
    description: str | None = None
    highest_bidder: str | None = None
    location: str | None = None
    seller: str | None = None
    image_url: str = ""
    weight_grams: Decimal | None = None
    handling: Decimal | None = None
    is_pickup_only: bool | None = None


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page of a search; `total` counts all pages, `refused` the rows of this one that are no
    listings: without a number or a price, or with an end that no calendar has."""

    listings: tuple[FoundListing, ...]
    total: int
    refused: int = 0


class SiteFailed(Exception):
    """The site gave no usable answer. Its text is the reason, for a person."""


class SiteUnreachable(SiteFailed):
    """No connection, or no answer in time."""


class SiteForbids(SiteFailed):
    """It refuses us (403) or asks to slow down (429): nothing more is sent for a while."""


class ListingGone(SiteFailed):
    """It has no such listing."""


class AuctionSite(Protocol):
    name: str
    category: str  # what its searches are narrowed to: LEGO
    page_size: int

    def search(self, *, text: str, category: str, page: int) -> FoundPage:
        """Return one page of open listings, those that end first first. Raises SiteFailed."""

    def listing(self, external_id: str) -> FoundListing:
        """Return a listing with all its details. Raises SiteFailed, ListingGone."""

    def shipping(self, external_id: str, *, zip_code: str) -> Shipping | None:
        """Return the costs of shipping, None if they cannot be read. Raises SiteFailed."""
