"""Auction listings and saved searches on the wire."""

import datetime as dt
from decimal import Decimal
from typing import Annotated, Any

from rest_framework import serializers

from apps.auctions.models import AuctionListing, AuctionSearch
from apps.auctions.rules.status import Outcome, Status, Watch, status_of, time_remaining
from apps.core.api.fields import Amount, Instant, ListOf, Text, WebAddress, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, RowSerializer
from apps.core.clock import now
from apps.core.money import Digits, Money

STATUSES = [(one.value, one.value) for one in Status]
OUTCOMES = [(one.value, one.value) for one in Outcome]
WATCHES = [(one.value, one.value) for one in Watch]
MONEY: dict[str, Any] = {"max_digits": 12, "decimal_places": 4}
PRICE: dict[str, Any] = {**MONEY, "min_value": 0}
PERCENT: dict[str, Any] = {
    "max_digits": 5,
    "decimal_places": 3,
    "min_value": 0,
    "max_value": 99,
}


class ShippingRate(AnswerSerializer):
    """The shipping rates, calculated at `calculatedAt`."""

    method: str
    cost: Money
    time: Annotated[str | None, "how long delivery takes; null: the site does not say"]
    calculatedAt: dt.datetime | None


class ListingRow(RowSerializer):
    """A listing. `shipping_rates` is empty while shipping is unknown: never free by silence."""

    model = AuctionListing
    columns = """
        id origin external_id title description seller location image_url listing_url
        current_price minimum_bid buy_it_now_price bid_count highest_bidder end_time
        is_auction is_pickup_only weight_grams handling_cost landed_cost landed_per_kg watch
        my_bid max_bid note outcome checkedAt created_at updated_at
    """

    time_remaining: Annotated[str, "'3h 12m', 'Ended', '' without an end"]
    has_buy_it_now: bool
    shipping_rates: list[ShippingRate]
    status = serializers.ChoiceField(choices=STATUSES)
    batch_id: Annotated[int | None, "the batch that was made of it once won"]
    batch_name: str | None
    updatedAt: dt.datetime

    computed = ("time_remaining", "has_buy_it_now", "shipping_rates", "status", "updatedAt")
    also_select = ("shipping_cost", "shipping_method", "shipping_at")

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        cost, method, at = (
            row.pop("shipping_cost"),
            row.pop("shipping_method"),
            row.pop("shipping_at"),
        )
        rates = [{"method": method or "Shipping", "cost": cost, "time": None, "calculatedAt": at}]
        row["shipping_rates"] = rates if cost is not None else []
        row["has_buy_it_now"] = row["buy_it_now_price"] is not None
        instant = now()
        row["time_remaining"] = time_remaining(row["end_time"], instant)
        row["status"] = status_of(
            outcome=row["outcome"],
            watch=row["watch"],
            my_bid=row["my_bid"],
            current_price=row["current_price"],
            end_time=row["end_time"],
            now=instant,
        )
        row["updatedAt"] = row["updated_at"]
        return row


class ListingWrite(serializers.Serializer[Any]):
    """A listing that a person enters, and the person's decisions about any listing."""

    title = Text(max_length=300)
    description = Text(max_length=20_000, allow_blank=True, required=False)
    seller = Text(max_length=200, allow_blank=True, required=False)
    location = Text(max_length=200, allow_blank=True, required=False)
    listing_url = WebAddress(max_length=500, allow_blank=True, required=False)
    current_price = Amount(**PRICE)
    buy_it_now_price = Amount(**PRICE, allow_null=True, required=False)
    bid_count = WholeNumber(min_value=0, max_value=1_000_000, required=False)
    end_time = Instant(allow_null=True, required=False, help_text="null: no end is told")
    is_auction = YesOrNo(required=False)
    weight_grams = Amount(
        max_digits=10, decimal_places=2, min_value=0, allow_null=True, required=False
    )
    shipping_cost = Amount(
        **PRICE, allow_null=True, required=False, help_text="null: unknown; 0: free"
    )
    handling_cost = Amount(**PRICE, allow_null=True, required=False)
    watch = serializers.ChoiceField(choices=WATCHES, required=False)
    my_bid = Amount(**PRICE, allow_null=True, required=False)
    max_bid = Amount(**PRICE, allow_null=True, required=False)
    note = Text(max_length=1000, allow_blank=True, required=False)
    outcome = serializers.ChoiceField(choices=OUTCOMES, required=False)


class LinkWrite(serializers.Serializer[Any]):
    link = Text(max_length=500, help_text="the address of a listing, or its number")


class RefreshListingsWrite(serializers.Serializer[Any]):
    """The listings to refresh in addition to those that the searches find."""

    shown = ListOf(
        child=WholeNumber(min_value=1, max_value=2**63 - 1),
        max_length=500,
        required=False,
        help_text="ids of the listings in sight: those that no search finds are asked for singly",
    )


class SearchRow(RowSerializer):
    model = AuctionSearch
    columns = "id text is_active found_count runAt createdAt updatedAt"

    problem: Annotated[str, "why the last run failed, '' when it did not"]


class SearchWrite(serializers.Serializer[Any]):
    text = Text(max_length=100)
    is_active = YesOrNo(required=False)


class AuctionSiteRow(AnswerSerializer):
    """The site, whether it may be called, and the caller's own costs and proceeds."""

    name: str
    is_on: bool
    is_demo: Annotated[bool, "a simulator: nothing there can be bought"]
    haltedUntil: dt.datetime | None
    halted_because: str
    tax_percent: Annotated[Decimal, Digits(5, 3)]
    fee_percent: Annotated[Decimal, Digits(5, 3)]
    hourly_rate: Money


class AuctionSiteWrite(serializers.Serializer[Any]):
    tax_percent = Amount(**PERCENT, required=False)
    fee_percent = Amount(
        **PERCENT, required=False, help_text="what marketplace and payment take of a sale"
    )
    hourly_rate = Amount(
        **PRICE, required=False, help_text="what an hour of sorting is worth, in dollars"
    )
