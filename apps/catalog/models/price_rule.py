"""How a person prices lots; one row a user, made when it is first changed."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.catalog.models.price import Region
from apps.catalog.rules.pricing import Basis, WithoutData
from apps.core.money import MONEY


class PriceSetting(models.Model):
    """The price rule of a user, and between which prices a lot counts as low or high value."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="price_setting"
    )
    basis = models.CharField(
        max_length=9, choices=[(each.value, each.value) for each in Basis], default=Basis.REFERENCE
    )
    region = models.CharField(max_length=6, choices=Region.choices, default=Region.GLOBAL)
    percent = models.DecimalField(
        max_digits=6, decimal_places=2, default=Decimal(0), help_text="-10 asks a tenth less"
    )
    rounding = models.DecimalField(
        **MONEY, default=Decimal("0.01"), help_text="the step; 0 keeps four places"
    )
    minimum = models.DecimalField(**MONEY, default=Decimal("0.01"))
    without_data = models.CharField(
        max_length=4,
        choices=[(each.value, each.value) for each in WithoutData],
        default=WithoutData.KEEP,
    )
    low_value = models.DecimalField(
        **MONEY, default=Decimal("0.05"), help_text="below it a lot is of low value"
    )
    high_value = models.DecimalField(
        **MONEY, default=Decimal("1.00"), help_text="from it on a lot is highlighted"
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(percent__gt=-100), name="pricesetting_asks_something"
            ),
            models.CheckConstraint(
                condition=Q(rounding__gte=0, minimum__gte=0, low_value__gte=0, high_value__gte=0),
                name="pricesetting_amounts_are_not_negative",
            ),
        )

    def __str__(self) -> str:
        return f"price rule of {self.user_id}"
