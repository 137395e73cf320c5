"""Cached sums of parts of the stock, so that the home page does not read every row."""

from typing import Final

from django.conf import settings
from django.db import models

from apps.core.money import MONEY

#: A part is so many catalogue lots that follow each other by id; rows without a lot are in part 0.
LOTS_IN_A_PART: Final = 128


class StockPart(models.Model):
    """The sums of one part of an owner's stock for one item type ('' if the lot is unknown).

    Out of date only for the parts in StockTouched, which `services.stock_figures` recalculates.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # stockpart_once begins with it
    )
    part = models.IntegerField()
    item_type = models.CharField(max_length=20, blank=True)
    lots = models.PositiveIntegerField(help_text="rows that hold pieces")
    pieces = models.PositiveBigIntegerField()
    value = models.DecimalField(**{**MONEY, "max_digits": 24})
    spread_lots = models.PositiveIntegerField(
        help_text="lots of a condition that lie in several places"
    )
    lots_without_price = models.PositiveIntegerField(
        default=0, help_text="rows that hold pieces and are not in the value"
    )

    class Meta:
        constraints = (
            # For the sums of an owner, and for recalculating single parts.
            models.UniqueConstraint(fields=["owner", "part", "item_type"], name="stockpart_once"),
        )

    def __str__(self) -> str:
        return f"part {self.part}, {self.item_type}: {self.pieces}"


class StockSummary(models.Model):
    """Whether an owner's sums were ever calculated. The calculation locks this row."""

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    version = models.PositiveBigIntegerField(default=0, help_text="one more with each change")
    told_version = models.PositiveBigIntegerField(default=0, help_text="that webhooks know of")

    class Meta:
        verbose_name_plural = "stock summaries"

    def __str__(self) -> str:
        return f"stock of {self.owner_id}"


class StockTouched(models.Model):
    """A part whose stock changed since its sums were calculated. Triggers (first migration) write
    these rows in the transaction of the change, so every writer is covered.

    No foreign key: deleting an owner's stock writes rows here, which can outlive the owner.
    """

    holder_id = models.BigIntegerField(help_text="the owner")
    part = models.IntegerField()

    class Meta:
        verbose_name_plural = "stock touched"
        indexes = (models.Index(fields=["holder_id", "part"], name="stocktouched_of_an_owner"),)

    def __str__(self) -> str:
        return f"part {self.part} of {self.holder_id}"
