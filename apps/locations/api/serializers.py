"""Places on the wire. Weights are grams."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.core.api.fields import Amount, Text, WholeNumber
from apps.core.api.serializers import RowSerializer
from apps.locations.models import NAME_LENGTH
from apps.locations.rules.label_layouts import LAYOUTS
from apps.locations.rules.sizes import SIZES

GRAMS: dict[str, Any] = {"max_digits": 14, "decimal_places": 4}
LIMIT: dict[str, Any] = {**GRAMS, "min_value": Decimal(0), "allow_null": True, "required": False}
MOST_PIECES = 2_147_483_647


class ContainerTypeRow(RowSerializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    max_item_count = serializers.IntegerField(allow_null=True)
    max_total_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    min_item_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    max_item_weight = serializers.DecimalField(**GRAMS, allow_null=True)
    size_class = serializers.ChoiceField(
        choices=SIZES, allow_blank=True, help_text="empty: not told"
    )
    label_size = serializers.CharField(
        help_text="an id of /api/labelLayouts, which labels of its locations begin with; or empty"
    )
    location_count = serializers.IntegerField(help_text="locations of this type")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


class ContainerTypeWrite(serializers.Serializer[Any]):
    name = Text(max_length=NAME_LENGTH)
    max_item_count = WholeNumber(
        min_value=0, max_value=MOST_PIECES, allow_null=True, required=False
    )
    max_total_weight = Amount(**LIMIT)
    min_item_weight = Amount(**LIMIT)
    max_item_weight = Amount(**LIMIT)
    size_class = serializers.ChoiceField(
        choices=SIZES,
        allow_blank=True,
        required=False,
        help_text="a small one is recommended for one colour of an item alone",
    )
    label_size = serializers.ChoiceField(
        choices=list(LAYOUTS),
        allow_blank=True,
        required=False,
        help_text="an id of /api/labelLayouts",
    )
