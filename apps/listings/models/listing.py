"""Intents: listings to make, stored before the call to the store."""

from django.db import models
from django.db.models import Q

from apps.core.money import MONEY
from apps.core.ownership import IndexedByOwner
from apps.inventory.models import Channel, InventoryItem


class ListingKind(models.TextChoices):
    """A lot of its own, pieces on top of one that is there, or one that changes its place.

    `move` takes a lot into a stockroom, or out of it for buyers to see, perhaps with more pieces.
    """

    CREATE = "create"
    TOP_UP = "top_up"
    MOVE = "move"


class ListingState(models.TextChoices):
    """`planned`: surely not sent. `sending`: may have been. `unknown`: read before going on."""

    PLANNED = "planned"
    SENDING = "sending"
    UNKNOWN = "unknown"
    LISTED = "listed"
    REJECTED = "rejected"


OPEN_STATES = (ListingState.PLANNED, ListingState.SENDING, ListingState.UNKNOWN)


class Listing(IndexedByOwner):
    """One lot that a call lists, adds pieces to or moves, with the result.

    `mark` ends the lot's remarks in the store, which proves that this call was carried out.
    `target` names the lot; it has at most one open listing at a time. One with a `channel` gives
    that channel a lot whose number, `marketplace_lot_id`, the stock has already.
    """

    channel = models.ForeignKey(
        Channel,
        on_delete=models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,  # listings are found by owner
        help_text="of a lot of the stock that a sync puts up there; else of the first channel",
    )
    kind = models.CharField(max_length=6, choices=ListingKind)
    state = models.CharField(max_length=8, choices=ListingState, default=ListingState.PLANNED)
    target = models.CharField(max_length=80)
    mark = models.CharField(max_length=9)
    name = models.CharField(max_length=400, blank=True, default="")
    inventory_item = models.ForeignKey(
        InventoryItem, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    quantity = models.PositiveIntegerField(help_text="of a new lot, or added to one")
    price = models.DecimalField(
        **MONEY, null=True, help_text="empty: a lot that was moved has none here"
    )
    stockroom = models.CharField(max_length=1, blank=True, default="")
    marketplace_lot_id = models.BigIntegerField(null=True, blank=True)
    # The marketplace confirmed the call without a lot id. A lot that is missing later may be sold.
    is_accepted = models.BooleanField(default=False)
    reason = models.TextField(blank=True, default="")
    job_id = models.UUIDField(null=True, blank=True, help_text="the job that lists it")
    sent_at = models.DateTimeField(null=True, blank=True)
    missed_at = models.DateTimeField(
        null=True, blank=True, help_text="when it was first looked for in the store in vain"
    )
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["owner", "target"],
                condition=Q(state__in=["planned", "sending", "unknown"]),
                name="listing_of_a_lot_open_once",
            ),
            models.UniqueConstraint(fields=["owner", "mark"], name="listing_mark_once"),
            models.CheckConstraint(
                condition=~Q(state="listed") | Q(marketplace_lot_id__isnull=False),
                name="listing_listed_has_its_lot",
            ),
            models.CheckConstraint(
                condition=~Q(state="rejected") | ~Q(reason=""),
                name="listing_rejected_has_a_reason",
            ),
        )
        indexes = (
            # the list of a user's listings, newest first
            models.Index(fields=["owner", "-created_at"], name="listing_newest_first"),
            # the listings that a job resumes after a kill
            models.Index(
                fields=["job_id"],
                condition=Q(state__in=["planned", "sending", "unknown"]),
                name="listing_open_of_a_job",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.quantity} × {self.name}: {self.state}"


class ListingLine(models.Model):
    """Pieces that a listing is for: a batch item's, or (without one) a stock row's own.

    Each item and each row is in one open listing at most.
    """

    listing = models.ForeignKey(Listing, on_delete=models.CASCADE, related_name="lines")
    # Without a constraint, as the ledger's causes: a line outlives its item.
    batch_item = models.ForeignKey(
        "batches.BatchItem",
        on_delete=models.DO_NOTHING,
        related_name="listing_lines",
        null=True,
        blank=True,
        db_constraint=False,
        db_index=False,  # listingline_item_open_once finds the open ones, which are asked for
    )
    inventory_item_id = models.BigIntegerField(
        null=True, blank=True, help_text="the stock row that holds the pieces"
    )
    quantity = models.PositiveIntegerField()
    is_open = models.BooleanField(default=True)

    class Meta:
        verbose_name = "line of a listing"
        verbose_name_plural = "lines of listings"
        constraints = (
            models.UniqueConstraint(
                fields=["batch_item"],
                condition=Q(is_open=True),
                name="listingline_item_open_once",
            ),
            models.UniqueConstraint(
                fields=["inventory_item_id"],
                condition=Q(is_open=True, batch_item__isnull=True),
                name="listingline_row_open_once",
            ),
            models.CheckConstraint(
                condition=Q(batch_item__isnull=False) | Q(inventory_item_id__isnull=False),
                name="listingline_is_for_something",
            ),
        )

    def __str__(self) -> str:
        if self.batch_item_id is None:
            return f"{self.quantity} of stock row {self.inventory_item_id}"
        return f"{self.quantity} of batch item {self.batch_item_id}"
