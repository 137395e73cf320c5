"""Where stock is for sale, and the lots that are there."""

from django.db import models

from apps.core.money import MONEY
from apps.core.ownership import IndexedByOwner, OwnedModel
from apps.exchange.bsx_lot import TIER_FIELDS
from apps.exchange.lot_ids import IDS_OF_ONE

#: The fields that a mass update can change, by their names on a lot.
RECEIVED_FIELDS = (
    "quantity",
    "price",
    "cost",
    "condition",
    "sub_condition",
    "bulk",
    "sale",
    "comments",
    "remarks",
    "retain",
    "stockroom",
    *TIER_FIELDS,
)


class Channel(IndexedByOwner):
    """A person's store at one marketplace, connected or known by files only.

    It outlives the connection: what it has and how often it was called stays known.
    """

    marketplace = models.CharField(max_length=16)
    first_lot_id = models.BigIntegerField(help_text="the least id here of a lot of the channel")
    read_at = models.DateTimeField(
        null=True, blank=True, help_text="shortly before a sync last read it"
    )
    seen = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="digest of the last reading in which nothing differed, and of the stock then",
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["owner", "marketplace"], name="channel_once"),
            models.UniqueConstraint(fields=["owner", "first_lot_id"], name="channel_ids_once"),
        )

    def __str__(self) -> str:
        return f"{self.marketplace} of {self.owner_id}"

    @property
    def lot_ids(self) -> tuple[int, int]:
        """The least and the largest id of its lots."""
        return self.first_lot_id, self.first_lot_id + IDS_OF_ONE - 1


class ChannelLot(IndexedByOwner):
    """A lot of a channel, as the marketplace last received it: by a file, a sync or a listing.

    `marketplace_lot_id` is the number of the lot here, which its rows have and which several
    channels may have. It is the id at the channel that had the lot first, so mostly both are equal.
    """

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="lots")
    marketplace_lot_id = models.BigIntegerField()
    remote_lot_id = models.BigIntegerField(help_text="the id of the lot at the marketplace")
    received_at = models.DateTimeField()  # the last reading of it; of a new lot, its listing
    # A plain id: undoing an import finds its lots by it.
    sync_id = models.BigIntegerField(null=True, blank=True, help_text="the import that told it")
    quantity = models.IntegerField()
    given_up = models.PositiveIntegerField(
        default=0,
        db_default=0,
        help_text="pieces that orders gave up since the last reading: there again, or not",
    )
    price = models.DecimalField(**MONEY, null=True)
    cost = models.DecimalField(**MONEY)
    condition = models.CharField(max_length=1)
    sub_condition = models.CharField(max_length=1, blank=True, default="")
    bulk = models.IntegerField(default=1)
    sale = models.SmallIntegerField(default=0)
    comments = models.TextField(blank=True, default="")
    remarks = models.TextField(blank=True, default="")
    retain = models.BooleanField(default=False)
    stockroom = models.CharField(max_length=1, blank=True, default="")
    tq1 = models.IntegerField(default=0)
    tp1 = models.DecimalField(**MONEY, default=0)
    tq2 = models.IntegerField(default=0)
    tp2 = models.DecimalField(**MONEY, default=0)
    tq3 = models.IntegerField(default=0)
    tp3 = models.DecimalField(**MONEY, default=0)

    class Meta:
        verbose_name = "lot of a channel"
        verbose_name_plural = "lots of channels"
        constraints = (
            models.UniqueConstraint(
                fields=["owner", "marketplace_lot_id", "channel"], name="channellot_of_a_lot_once"
            ),
            models.UniqueConstraint(fields=["owner", "remote_lot_id"], name="channellot_once"),
        )
        indexes = (
            # when anything of an owner's was last written
            models.Index(fields=["owner", "-updated_at"], name="channellot_by_change"),
        )

    def __str__(self) -> str:
        return f"{self.marketplace_lot_id}: {self.quantity}"


class WithheldLot(OwnedModel):
    """A lot of the stock that syncs in one go do not put up or raise at a channel, and why.

    A person left it out of a plan, or (`is_refused`) the marketplace refused it, as one whose item
    or colour it does not have. What could be sold twice is lowered there nonetheless.
    """

    channel = models.ForeignKey(
        Channel,
        on_delete=models.CASCADE,
        related_name="withheld",
        db_index=False,  # withheldlot_once begins with it
    )
    marketplace_lot_id = models.BigIntegerField(help_text="the number of the lot here")
    is_refused = models.BooleanField(default=False)
    reason = models.TextField()

    class Meta:
        verbose_name = "withheld lot"
        constraints = (
            models.UniqueConstraint(
                fields=["channel", "marketplace_lot_id"], name="withheldlot_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.marketplace_lot_id} at {self.channel_id}: {self.reason}"
