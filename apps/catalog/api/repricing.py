"""How a person re-prices rows, as it goes over the wire: items of a batch, rows of stock."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any, Final

from rest_framework import serializers

from apps.catalog.models.price import REGION
from apps.catalog.models.price_rule import BASES
from apps.catalog.rules.pricing import MOST_LOWEST, PriceBy, PriceRule, WithoutData, contradictions
from apps.catalog.selectors.pricing import repricing_of
from apps.core.api.fields import Amount, ListOf, Matching, RowId, WholeNumber, YesOrNo
from apps.core.api.serializers import RelatedFields
from apps.core.errors import ValueRefused
from apps.core.money import MONEY

MOST_LEFT: Final = 1_000
MOST_ROWS: Final = 100_000
#: The figures of a change that rows are shown by; with a minus the largest first.
ORDERS: Final = [
    f"{sign}{name}" for name in ("change", "percent", "before", "after") for sign in ("-", "")
]
REGION_TEXT: Final = "global, us, eu, or the two letters of a country"
NTH_TEXT: Final = "which of the lowest prices"
ENDING_TEXT: Final = "what a price is below its step: 0.10 and 0.01 make 0.19"
MAXIMUM: Final[dict[str, Any]] = {
    **MONEY,
    "min_value": Decimal("0.0001"),
    "allow_null": True,
    "required": False,
    "help_text": "null: none",
}
MAX_STEP: Final[dict[str, Any]] = {
    "max_digits": 6,
    "decimal_places": 2,
    "min_value": Decimal("0.01"),
    "allow_null": True,
    "required": False,
    "help_text": "percent that a price changes by at most; null: any",
}


class RegionField(Matching):
    """A region, or the two letters of a country."""

    default_error_messages = {"invalid": "Expected " + REGION_TEXT + "."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(REGION, **kwargs)


class RepricingWrite(RelatedFields):
    """Missing fields of the rule are taken from the user's settings. `how` is read of it."""

    by = serializers.ChoiceField(choices=[(one.value, one.value) for one in PriceBy])
    price = Amount(
        **MONEY, min_value=Decimal(0), required=False, help_text="fixed: the price of each"
    )
    percent = Amount(
        max_digits=6,
        decimal_places=2,
        min_value=Decimal("-99.99"),
        required=False,
        help_text="percent, rule: so much more (or, negative, less)",
    )
    basis = serializers.ChoiceField(choices=BASES, required=False)
    nth = WholeNumber(min_value=1, max_value=MOST_LOWEST, required=False, help_text=NTH_TEXT)
    fallback = serializers.ChoiceField(choices=BASES, allow_blank=True, required=False)
    region = RegionField(required=False)
    rounding = Amount(
        **MONEY, min_value=Decimal(0), required=False, help_text="the step; 0 keeps four places"
    )
    ending = Amount(**MONEY, min_value=Decimal(0), required=False, help_text=ENDING_TEXT)
    minimum = Amount(**MONEY, min_value=Decimal(0), required=False)
    maximum = Amount(**MAXIMUM)
    max_step = Amount(**MAX_STEP)
    without_data = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in WithoutData], required=False
    )

    use_old_figures = YesOrNo(
        default=False, help_text="rule: do not wait for figures that are older than six hours"
    )

    leave = ListOf(
        child=RowId(), max_length=MOST_LEFT, required=False, help_text="rows that keep their price"
    )
    order = serializers.ChoiceField(
        choices=ORDERS, default=ORDERS[0], help_text="of the rows shown; change: in worth"
    )
    start = WholeNumber(
        min_value=0, max_value=MOST_ROWS, default=0, help_text="rows shown from this place on"
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(data)
        by = PriceBy(data["by"])
        asked = {PriceBy.FIXED: "price", PriceBy.PERCENT: "percent"}.get(by)
        if asked and asked not in data:
            raise serializers.ValidationError({asked: ["is required"]})
        how = repricing_of(user=self.context["request"].user, by=by, given=data)
        refuse_contradictions(how.rule, data)
        data["how"] = how
        return data


def refuse_contradictions(rule: PriceRule, given: Collection[str]) -> None:
    """Raise ValueRefused that names the given field of two that contradict each other."""
    for names, why in contradictions(rule):
        field = next((name for name in names if name in given), names[0])
        raise ValueRefused(fields={field: [why]})
