"""Listings and searches as tests need them."""

import datetime as dt
from decimal import Decimal

from apps.auctions.models import AuctionListing, AuctionSearch
from apps.core.clock import now


def make_listing(owner, title="12 lbs of LEGO", **also):
    """An open listing that ends in two days, at 20.00."""
    values = {"current_price": Decimal(20), "end_time": now() + dt.timedelta(days=2)}
    return AuctionListing.objects.create(owner=owner, title=title, **{**values, **also})


def make_search(owner, text="lego", **also):
    return AuctionSearch.objects.create(owner=owner, text=text, **also)
