"""The connection to a store, its calls by day, and who is asking for which lot's prices."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.catalog.models import Lot
from apps.core.ownership import IndexedByOwner, OwnedModel
from apps.inventory.models import Channel
from apps.marketplace.rules import LEAST_GUIDE_SHARE, MOST_GUIDE_SHARE


class ConnectionState(models.TextChoices):
    """The state of a connection's secrets."""

    UNTESTED = "untested"
    OK = "ok"
    REFUSED = "refused"


class MarketplaceConnection(OwnedModel):
    """How a channel is called: its secrets, which go in and never come out."""

    channel = models.OneToOneField(Channel, on_delete=models.CASCADE, related_name="connection")
    sealed = models.TextField(help_text="the secrets, encrypted")
    is_demo = models.BooleanField(default=False, help_text="of the demo store")
    state = models.CharField(
        max_length=8, choices=ConnectionState, default=ConnectionState.UNTESTED
    )
    problem = models.CharField(max_length=300, blank=True, default="")
    outgoing_address = models.CharField(
        max_length=45, blank=True, default="", help_text="ours, as the marketplace sees it"
    )
    guide_share = models.PositiveSmallIntegerField(
        default=MOST_GUIDE_SHARE, help_text="percent of a day's calls that Get prices may use"
    )
    needs_plan = models.BooleanField(
        default=False,
        db_default=False,
        help_text="connected beside another: left out of syncs until a plan with it was applied",
    )
    puts_up = models.BooleanField(
        default=False,
        db_default=False,
        help_text="a person saw in a plan how many lots it lacks: syncs put up what it lacks later",
    )
    is_paused = models.BooleanField(
        default=False, db_default=False, help_text="left out of syncs until it is resumed"
    )
    connected_at = models.DateTimeField()
    tested_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(guide_share__range=(LEAST_GUIDE_SHARE, MOST_GUIDE_SHARE)),
                name="marketplaceconnection_share_leaves_calls",
            ),
            models.CheckConstraint(
                condition=~Q(state="refused") | ~Q(problem=""),
                name="marketplaceconnection_refused_has_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"connection {self.pk} of {self.owner_id}"

    @property
    def marketplace(self) -> str:
        """Where the store is."""
        return str(self.channel.marketplace)


class CallDay(IndexedByOwner):
    """How often a channel was called on one day (UTC), by kind. Counted before sending."""

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="call_days")
    day = models.DateField()
    total = models.PositiveIntegerField(default=0)
    stock = models.PositiveIntegerField(default=0)
    note = models.PositiveIntegerField(default=0)
    price = models.PositiveIntegerField(default=0)
    lookup = models.PositiveIntegerField(default=0)
    guide = models.PositiveIntegerField(default=0)
    allowance = models.PositiveIntegerField(
        null=True, blank=True, help_text="all calls of the day, once the marketplace refused more"
    )
    refused_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "calls of a day"
        verbose_name_plural = "calls by day"
        constraints = (
            models.UniqueConstraint(fields=["owner", "channel", "day"], name="callday_once"),
            models.CheckConstraint(
                condition=Q(
                    total=models.F("stock")
                    + models.F("note")
                    + models.F("price")
                    + models.F("lookup")
                    + models.F("guide")
                ),
                name="callday_total_is_the_sum",
            ),
        )

    def __str__(self) -> str:
        return f"{self.total} calls of channel {self.channel_id} on {self.day}"

    @property
    def daily(self) -> int:
        """How many calls of all kinds the day allows."""
        daily: int = settings.MARKETPLACE_DAILY_CALLS
        return daily if self.allowance is None else min(daily, self.allowance)


class LotRefresh(IndexedByOwner):
    """Which job asks for a person's prices of a lot in a currency, and when that was last done."""

    lot = models.ForeignKey(
        Lot,
        on_delete=models.CASCADE,
        related_name="+",
    )
    currency = models.CharField(max_length=3)
    claimed_by = models.CharField(max_length=36, blank=True, default="", help_text="a job")
    claimed_until = models.DateTimeField(null=True, blank=True)
    refreshed_at = models.DateTimeField(null=True, blank=True)
    unknown_at = models.DateTimeField(
        null=True, blank=True, help_text="when the marketplace said that it does not know the lot"
    )

    class Meta:
        verbose_name = "price refresh"
        verbose_name_plural = "price refreshes"
        constraints = (
            models.UniqueConstraint(fields=["owner", "lot", "currency"], name="lotrefresh_once"),
        )

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("lot__item", "lot__color")

    def __str__(self) -> str:
        return f"{self.lot} in {self.currency}"
