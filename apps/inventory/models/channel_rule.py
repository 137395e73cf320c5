"""What a person lets be for sale on a channel, and at which prices."""

from decimal import Decimal

from django.db import models
from django.db.models import Q

from apps.core.money import MONEY
from apps.core.ownership import OwnedModel
from apps.inventory.models.channel import Channel


class ChannelRule(OwnedModel):
    """The rule of a channel; without one all of the stock is for sale there at its prices."""

    channel = models.OneToOneField(Channel, on_delete=models.CASCADE, related_name="rule")
    left_out_types = models.JSONField(default=list, blank=True)
    left_out_categories = models.JSONField(default=list, blank=True)
    left_out_stockrooms = models.JSONField(default=list, blank=True)
    left_out_marker = models.CharField(max_length=100, blank=True, default="")
    least_value = models.DecimalField(**MONEY, null=True, blank=True)
    most_value = models.DecimalField(**MONEY, null=True, blank=True)
    least_pieces = models.PositiveIntegerField(default=1)
    keep_back = models.PositiveIntegerField(default=0)
    percent = models.DecimalField(max_digits=6, decimal_places=2, default=Decimal(100))
    currency = models.CharField(max_length=3, blank=True, default="")
    rate = models.DecimalField(
        max_digits=14,
        decimal_places=6,
        default=Decimal(1),
        help_text="units of its currency for one of the person's",
    )
    rounding = models.DecimalField(max_digits=6, decimal_places=4, default=Decimal("0.0001"))

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(percent__gt=0) & Q(rate__gt=0) & Q(rounding__gt=0),
                name="channelrule_prices_stay_above_0",
            ),
        )

    def __str__(self) -> str:
        return f"rule of channel {self.channel_id}"
