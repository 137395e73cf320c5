"""Updates of an order for the marketplace: stored as an intent, then sent once."""

from django.db import models

from apps.core.ownership import OwnedModel
from apps.orders.models.order import Order


class StepToTell(models.TextChoices):
    PACKED = "packed"
    TRACKING = "tracking", "Tracking number"
    SHIPPED = "shipped"
    FILED = "filed"
    CANCELLED = "cancelled"


class StepState(models.TextChoices):
    PLANNED = "planned"
    DONE = "done"
    REFUSED = "refused"


class OrderIntent(OwnedModel):
    """One message to the marketplace; an order has each at most once. Sending it twice is safe."""

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="intents")
    step = models.CharField(max_length=10, choices=StepToTell.choices)
    value = models.CharField(max_length=100, blank=True, default="")
    state = models.CharField(max_length=8, choices=StepState.choices, default=StepState.PLANNED)
    reason = models.TextField(blank=True, default="", help_text="why it was refused")

    class Meta:
        verbose_name = "what the marketplace is told of an order"
        verbose_name_plural = "what the marketplace is told of orders"
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=["order", "step"], name="orderintent_once"),)

    def __str__(self) -> str:
        return f"{self.step} ({self.state})"
