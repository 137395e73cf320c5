"""The prices that people wait for."""

from typing import ClassVar

from django.db import models

from apps.catalog.models import Lot
from apps.catalog.models.price import Condition
from apps.core.ownership import IndexedByOwner


class PriceWant(IndexedByOwner):
    """A lot in a condition whose price a person waits for. The row goes when it was asked for."""

    lot = models.ForeignKey(Lot, on_delete=models.CASCADE, related_name="+")
    condition = models.CharField(max_length=1, choices=Condition.choices)
    is_unasked = models.BooleanField(
        default=False, help_text="nobody asked: old figures of valuable stock"
    )
    urgency = models.BigIntegerField(help_text="money at stake, times the age of its figures")

    class Meta:
        verbose_name = "wanted price"
        constraints = (
            models.UniqueConstraint(fields=["owner", "lot", "condition"], name="pricewant_once"),
        )
        indexes = (
            # Get prices takes the most urgent ones first.
            models.Index(
                fields=["owner", "is_unasked", "-urgency", "id"], name="pricewant_most_urgent_first"
            ),
        )

    # What the text below needs: see core.operating.
    named_by: ClassVar = ("lot__item", "lot__color")

    def __str__(self) -> str:
        return f"{self.lot} ({self.condition})"
