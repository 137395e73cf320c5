"""Picking several orders in one walk: each has a tray."""

from django.db import models

from apps.core.ownership import OwnedModel, acting_field, program_field
from apps.orders.models.order import Order


class PickWalk(OwnedModel):
    """A walk past the bins for up to eight orders. It is open until all is picked or it is ended."""

    by = acting_field()
    program = program_field()
    ended_at = models.DateTimeField(null=True, blank=True)
    stops_done = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = "pick walk"
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"Walk {self.pk}"


class WalkOrder(OwnedModel):
    """An order in a walk, and the tray of its parcel. An order is in one open walk."""

    walk = models.ForeignKey(PickWalk, on_delete=models.CASCADE, related_name="orders")
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="walks")
    tray = models.CharField(max_length=2)
    is_open = models.BooleanField(default=True)

    class Meta:
        verbose_name = "order in a walk"
        verbose_name_plural = "orders in walks"
        ordering = ("tray",)
        constraints = (
            models.UniqueConstraint(
                fields=["order"], condition=models.Q(is_open=True), name="walkorder_open_once"
            ),
        )

    def __str__(self) -> str:
        return f"Tray {self.tray}"
