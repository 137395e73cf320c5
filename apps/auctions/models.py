"""Auction listings as each person sees them, their saved searches, and the site's state."""

from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, OuterRef, Q, Subquery

from apps.auctions.rules.status import Outcome, Watch
from apps.core.money import MONEY, TOTAL
from apps.core.ownership import IndexedByOwner, OwnedModel, OwnedQuerySet


class Origin(models.TextChoices):
    """How a listing came here."""

    SITE = "site"
    ENTERED = "entered"


class ListingQuerySet(OwnedQuerySet):
    def with_batch(self) -> Self:
        """Add the batch that was made of each: `batch_id` and `batch_name`, null where none was.

        Looked up row by row: for a page that is joined to them PostgreSQL reads all batches.
        """
        itself = AuctionListing.objects.filter(pk=OuterRef("pk"))
        return self.annotate(
            batch_id=Subquery(itself.values("batch__id")),
            batch_name=Subquery(itself.values("batch__name")),
        )


class AuctionListing(IndexedByOwner):
    """A listing with its owner's decisions. Money is in the site's currency (USD)."""

    origin = models.CharField(max_length=10, choices=Origin, default=Origin.SITE)
    # The site's number; '' for one that was entered without a link.
    external_id = models.CharField(max_length=20, blank=True, default="")
    title = models.CharField(max_length=300)
    description = models.TextField(blank=True, default="", help_text="plain text")
    seller = models.CharField(max_length=200, blank=True, default="")
    location = models.CharField(max_length=200, blank=True, default="")
    image_url = models.CharField(max_length=500, blank=True, default="")
    listing_url = models.CharField(max_length=500, blank=True, default="")
    current_price = models.DecimalField(**MONEY)
    minimum_bid = models.DecimalField(**MONEY, null=True, blank=True)
    buy_it_now_price = models.DecimalField(**MONEY, null=True, blank=True)
    bid_count = models.PositiveIntegerField(default=0)
    highest_bidder = models.CharField(max_length=100, blank=True, default="")
    end_time = models.DateTimeField(null=True, blank=True)
    is_auction = models.BooleanField(default=True)
    is_pickup_only = models.BooleanField(default=False)
    weight_grams = models.DecimalField(max_digits=10, decimal_places=2, null=True, blank=True)
    # Null is unknown, never free.
    shipping_cost = models.DecimalField(**MONEY, null=True, blank=True)
    shipping_method = models.CharField(max_length=100, blank=True, default="")
    handling_cost = models.DecimalField(**MONEY, null=True, blank=True)
    shipping_at = models.DateTimeField(null=True, blank=True)
    # Price, shipping, handling and tax; kept, for the list is sorted by it.
    landed_cost = models.DecimalField(**TOTAL, null=True, blank=True, editable=False)
    landed_per_kg = models.DecimalField(**TOTAL, null=True, blank=True, editable=False)
    watch = models.CharField(
        max_length=10, choices=[(one.value, one.name.lower()) for one in Watch], blank=True
    )
    my_bid = models.DecimalField(**MONEY, null=True, blank=True, help_text="bid at the site")
    max_bid = models.DecimalField(**MONEY, null=True, blank=True, help_text="never more than")
    note = models.CharField(max_length=1000, blank=True, default="")
    outcome = models.CharField(
        max_length=10, choices=[(one.value, one.name.lower()) for one in Outcome], blank=True
    )
    checked_at = models.DateTimeField(null=True, blank=True, help_text="when the site was asked")

    objects: ClassVar[Any] = ListingQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["owner", "external_id"],
                condition=~Q(external_id=""),
                name="auctionlisting_once_per_owner",
            ),
            models.CheckConstraint(
                condition=Q(shipping_at__isnull=True) | Q(shipping_cost__isnull=False),
                name="auctionlisting_calculated_has_its_cost",
            ),
        )
        indexes = (
            # each is an order of the list
            models.Index(F("owner"), F("end_time"), F("id"), name="auctionlisting_by_end"),
            models.Index(F("owner"), F("current_price"), F("id"), name="auctionlisting_by_price"),
            models.Index(F("owner"), F("landed_cost"), F("id"), name="auctionlisting_by_landed"),
            models.Index(F("owner"), F("landed_per_kg"), F("id"), name="auctionlisting_by_kg"),
            models.Index(F("owner"), F("bid_count"), F("id"), name="auctionlisting_by_bids"),
            models.Index(fields=["owner", "id"], name="auctionlisting_by_making"),
            # the list that shows only my bids
            models.Index(
                fields=["owner", "my_bid"],
                condition=Q(my_bid__isnull=False),
                name="auctionlisting_my_bids",
            ),
        )

    def __str__(self) -> str:
        return self.title


class AuctionSearch(OwnedModel):
    """Words that the site is asked for again and again."""

    text = models.CharField(max_length=100)
    is_active = models.BooleanField(default=True)
    run_at = models.DateTimeField(null=True, blank=True)
    found_count = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ("text", "id")
        verbose_name_plural = "auction searches"
        constraints = (
            # The owner's index too.
            models.UniqueConstraint(fields=["owner", "text"], name="auctionsearch_once_per_owner"),
        )

    def __str__(self) -> str:
        return self.text


class BuyerOptions(models.Model):
    """An owner's costs of buying beside the site's prices, and their costs of selling."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    tax_percent = models.DecimalField(
        max_digits=5,
        decimal_places=3,
        default=Decimal(0),
        validators=[MinValueValidator(0), MaxValueValidator(99)],
    )
    fee_percent = models.DecimalField(
        max_digits=5,
        decimal_places=3,
        default=Decimal(6),
        validators=[MinValueValidator(0), MaxValueValidator(99)],
        help_text="what marketplace and payment take of a sale",
    )
    hourly_rate = models.DecimalField(
        **MONEY,
        default=Decimal(0),
        validators=[MinValueValidator(0)],
        help_text="what an hour of sorting is worth, in dollars",
    )

    class Meta:
        verbose_name_plural = "buyer options"

    def __str__(self) -> str:
        return f"{self.tax_percent} %"


class SiteState(models.Model):
    """One row: when the next call to the site is allowed, and whether it asked us to stop."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    next_call_at = models.DateTimeField(null=True, blank=True)
    halted_until = models.DateTimeField(null=True, blank=True)
    halted_because = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(id=1), name="sitestate_is_one_row"),)

    def __str__(self) -> str:
        return self.halted_because or "open"
