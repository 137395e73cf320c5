"""How a person prices lots; one row a user, made when it is first changed."""

from decimal import Decimal
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.catalog.models.price import Region
from apps.catalog.rules.pricing import MOST_LOWEST, Basis, WithoutData
from apps.core.money import MONEY

BASES: Final = [(each.value, each.value) for each in Basis]


class PriceSetting(models.Model):
    """The price rule of a user, and between which prices a lot counts as low or high value."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="price_setting"
    )
    basis = models.CharField(max_length=12, choices=BASES, default=Basis.REFERENCE)
    nth = models.PositiveSmallIntegerField(default=1, help_text="of the lowest prices")
    fallback = models.CharField(
        max_length=12,
        choices=BASES,
        blank=True,
        default="",
        help_text="the figure where there is none of the basis",
    )
    region = models.CharField(max_length=6, default=Region.GLOBAL)
    percent = models.DecimalField(
        max_digits=6, decimal_places=2, default=Decimal(0), help_text="-10 asks a tenth less"
    )
    rounding = models.DecimalField(
        **MONEY, default=Decimal("0.01"), help_text="the step; 0 keeps four places"
    )
    ending = models.DecimalField(
        **MONEY, default=Decimal(0), help_text="below the step: 0.10 and 0.01 make 0.19"
    )
    minimum = models.DecimalField(**MONEY, default=Decimal("0.01"))
    maximum = models.DecimalField(**MONEY, null=True, blank=True)
    max_step = models.DecimalField(
        max_digits=6,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="percent that a price changes by at most each time",
    )
    without_data = models.CharField(
        max_length=4,
        choices=[(each.value, each.value) for each in WithoutData],
        default=WithoutData.KEEP,
    )
    is_nightly = models.BooleanField(
        default=False, help_text="the stock is re-priced by the rule every night"
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
            models.CheckConstraint(
                condition=Q(nth__range=(1, MOST_LOWEST)), name="pricesetting_keeps_so_many_lowest"
            ),
            models.CheckConstraint(
                condition=Q(ending=0) | Q(ending__gt=0, ending__lt=F("rounding")),
                name="pricesetting_ending_below_step",
            ),
            models.CheckConstraint(
                condition=Q(maximum=None) | Q(maximum__gte=F("minimum"), maximum__gt=0),
                name="pricesetting_most_from_least",
            ),
            models.CheckConstraint(
                condition=Q(max_step=None) | Q(max_step__gt=0), name="pricesetting_steps_somewhere"
            ),
        )

    def __str__(self) -> str:
        return f"price rule of {self.user_id}"
