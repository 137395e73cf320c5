"""How a person re-prices rows, as it goes over the wire: items of a batch, rows of stock."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.catalog.models.price import Region
from apps.catalog.rules.pricing import Basis, PriceBy, WithoutData
from apps.catalog.selectors.pricing import repricing_of
from apps.core.api.fields import Amount, YesOrNo
from apps.core.api.serializers import RelatedFields
from apps.core.money import MONEY


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
    basis = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in Basis], required=False
    )
    region = serializers.ChoiceField(choices=Region.choices, required=False)
    rounding = Amount(
        **MONEY, min_value=Decimal(0), required=False, help_text="the step; 0 keeps four places"
    )
    minimum = Amount(**MONEY, min_value=Decimal(0), required=False)
    without_data = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in WithoutData], required=False
    )

    use_old_figures = YesOrNo(
        default=False, help_text="rule: do not wait for figures that are older than six hours"
    )

    relations = (
        {
            "oneOf": [
                {"properties": {"by": {"const": by}}, "required": asked}
                for by, asked in (("fixed", ["price"]), ("percent", ["percent"]), ("rule", ["by"]))
            ]
        },
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(data)
        by = PriceBy(data["by"])
        asked = {PriceBy.FIXED: "price", PriceBy.PERCENT: "percent"}.get(by)
        if asked and asked not in data:
            raise serializers.ValidationError({asked: ["is required"]})
        how = repricing_of(user=self.context["request"].user, by=by, given=data)
        data["how"] = replace(how, use_old_figures=data["use_old_figures"])
        return data
