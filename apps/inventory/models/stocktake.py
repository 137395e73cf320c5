"""Stocktakes: a location counted by hand, differences booked when it is applied."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from apps.catalog.models import Lot
from apps.core.ownership import OwnedModel
from apps.inventory.models.item import InventoryItem
from apps.locations.models import Location
from apps.lots.models import Condition, KeptAct


class StocktakeState(models.TextChoices):
    """The state of a stocktake."""

    OPEN = "open"
    APPLIED = "applied"
    DISCARDED = "discarded"


class Stocktake(OwnedModel):
    """The counting of one location; it may be left and gone on with."""

    location = models.ForeignKey(
        Location,
        on_delete=models.CASCADE,
        related_name="stocktakes",
        db_index=False,  # stocktake_of_a_location begins with it
    )
    state = models.CharField(max_length=10, choices=StocktakeState, default=StocktakeState.OPEN)
    note = models.TextField(blank=True, default="", help_text="the person's reason")
    act = models.ForeignKey(
        KeptAct, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    applied_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            # Two people who begin at once count the same stocktake.
            models.UniqueConstraint(
                fields=["location"], condition=Q(state="open"), name="stocktake_one_is_open"
            ),
        )
        indexes = (
            # The list of a user's stocktakes, newest first.
            models.Index(fields=["owner", "-id"], name="stocktake_newest_first"),
            # The filter location; when a location was counted last; deleting it.
            models.Index(fields=["location", "-id"], name="stocktake_of_a_location"),
        )

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("location",)

    def __str__(self) -> str:
        return f"{self.location} ({self.state})"


class StocktakeCount(models.Model):
    """The count of one row, or of a lot that was found without a row.

    `seen` is the row's quantity when it was counted: later movements are not differences.
    """

    stocktake = models.ForeignKey(
        Stocktake,
        on_delete=models.CASCADE,
        related_name="counts",
        db_index=False,  # both constraints begin with it
    )
    item = models.ForeignKey(
        InventoryItem,
        on_delete=models.CASCADE,  # only when a whole account is erased
        null=True,
        related_name="stocktake_counts",
        db_index=False,  # stocktakecount_of_an_item begins with it
    )
    lot = models.ForeignKey(
        Lot, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    condition = models.CharField(max_length=1, choices=Condition, default=Condition.USED)
    counted = models.PositiveIntegerField()
    seen = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField()

    class Meta:
        verbose_name = "stocktake count"
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=["stocktake", "item"],
                condition=Q(item__isnull=False),
                name="stocktakecount_row_once",
            ),
            models.UniqueConstraint(
                fields=["stocktake", "lot", "condition"],
                condition=Q(item__isnull=True),
                name="stocktakecount_found_lot_once",
            ),
            models.CheckConstraint(
                condition=Q(item__isnull=False) | Q(lot__isnull=False),
                name="stocktakecount_of_a_row_or_a_lot",
            ),
        )
        indexes = (
            # Deleting a catalogue lot (PROTECT).
            models.Index(
                fields=["lot"],
                condition=Q(lot__isnull=False),
                name="stocktakecount_of_a_lot",
            ),
            # Erasing an account.
            models.Index(fields=["item"], name="stocktakecount_of_an_item"),
            models.Index(fields=["stocktake"], name="stocktakecount_of_a_stocktake"),
        )

    def __str__(self) -> str:
        return f"{self.counted} of {self.item_id or self.lot_id}"
