"""Promises: the rows of stock that serve the lines of orders."""

from django.db import models
from django.db.models import Q

from apps.core.ownership import OwnedModel
from apps.inventory.models.item import InventoryItem


class Promise(OwnedModel):
    """Promises pieces of one row to one line of an order until they are picked.

    The sum of a row's promises is its `promised`. Promises with `is_out` are not part of the sum:
    their pieces left the stock before the order arrived, and the row only gives their location.
    A line can have one promise of each kind on a row.
    """

    # A plain id: orders are an app above.
    line_id = models.BigIntegerField(help_text="the line of the order")
    item = models.ForeignKey(
        InventoryItem,
        on_delete=models.CASCADE,  # only when a whole account is erased
        related_name="promises",
    )
    quantity = models.PositiveIntegerField()
    is_out = models.BooleanField(default=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=["line_id", "item", "is_out"], name="promise_once"),
            models.CheckConstraint(condition=Q(quantity__gt=0), name="promise_of_something"),
        )

    def __str__(self) -> str:
        return f"{self.quantity} of row {self.item_id} for line {self.line_id}"
