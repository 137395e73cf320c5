"""Places on the wire. Weights are grams."""

from decimal import Decimal
from typing import Annotated, Any

from rest_framework import serializers

from apps.core.api.bulk import ListFilters, ManyWrite
from apps.core.api.fields import Amount, Instant, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, RowSerializer
from apps.core.money import Digits, Total
from apps.locations.api.filters import LocationFilter
from apps.locations.models import NAME_LENGTH, ContainerType, Location
from apps.locations.rules.label_layouts import LAYOUTS
from apps.locations.rules.sizes import SIZES
from apps.locations.services.locations import AT_ONCE

GRAMS: dict[str, Any] = {"max_digits": 14, "decimal_places": 4}
LIMIT: dict[str, Any] = {**GRAMS, "min_value": Decimal(0), "allow_null": True, "required": False}
MOST_PIECES = 2_147_483_647
ID: dict[str, Any] = {"min_value": 1, "max_value": 2**63 - 1}


class ContainerTypeRow(RowSerializer):
    model = ContainerType
    columns = """
        id name max_item_count max_total_weight min_item_weight max_item_weight size_class
        createdAt updatedAt
    """

    label_size: Annotated[
        str, "an id of /api/labelLayouts, which labels of its locations begin with; or empty"
    ]
    location_count: Annotated[int, "locations of this type"]


# The limits of a location; null is unlimited.
class LimitsWrite(serializers.Serializer[Any]):
    max_item_count = WholeNumber(
        min_value=0, max_value=MOST_PIECES, allow_null=True, required=False
    )
    max_total_weight = Amount(**LIMIT)
    min_item_weight = Amount(**LIMIT)
    max_item_weight = Amount(**LIMIT)


class ContainerTypeWrite(LimitsWrite):
    name = Text(max_length=NAME_LENGTH)
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


class LocationRow(RowSerializer):
    """A location; null is unlimited."""

    model = Location
    columns = """
        id name code description inventory_container_type_id=container_type_id
        inventory_container_type_name=container_type.name max_item_count max_total_weight
        min_item_weight max_item_weight item_count exclude_from_recommendations createdAt
        updatedAt
    """

    size_class = serializers.ChoiceField(
        choices=SIZES,
        allow_blank=True,
        allow_null=True,
        source="container_type.size_class",
        help_text="of its container type; null without one, empty where that tells none",
    )
    lot_count: Annotated[int, "rows with pieces in it"]
    stored_weight: Annotated[Decimal, Digits(14, 4)]
    unknown_weight_count: Annotated[int, "pieces without a known weight: not in stored_weight"]
    available_item_count: Annotated[int | None, "negative: over"]
    available_weight: Annotated[Decimal, Digits(14, 4)] | None
    is_full: Annotated[bool, "a person's mark; never overridden"]
    labelPrintedAt = serializers.DateTimeField(
        source="label_printed_at", allow_null=True, help_text="null: no label says its name"
    )
    lastCountedAt = serializers.DateTimeField(
        source="last_counted_at", allow_null=True, help_text="when a stocktake of it was booked"
    )

    computed = ("available_item_count", "available_weight")

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        most, grams = row["max_item_count"], row["max_total_weight"]
        row["available_item_count"] = None if most is None else most - row["item_count"]
        row["available_weight"] = None if grams is None else grams - row["stored_weight"]
        return row


class SettingsWrite(LimitsWrite):
    """The type and limits of a location; fields left out are unchanged."""

    inventory_container_type_id = WholeNumber(**ID, allow_null=True, required=False)


class LocationWrite(SettingsWrite):
    """The fields that a person may set. A new location takes other limits from its container type."""

    name = Text(max_length=NAME_LENGTH)
    code = Text(max_length=NAME_LENGTH, allow_blank=True, required=False)
    description = Text(max_length=10_000, allow_blank=True, required=False)
    is_full = YesOrNo(required=False)
    exclude_from_recommendations = YesOrNo(required=False)


class PatternWrite(serializers.Serializer[Any]):
    pattern = Text(max_length=500, help_text="such as A-[1-8]-[01-24]")
    inventory_container_type_id = WholeNumber(**ID, allow_null=True, required=False)
    dry_run = YesOrNo(default=False)


class PatternRow(AnswerSerializer):
    """Names that a pattern makes, and those that exist already and stay as they are."""

    count: int
    names: Annotated[list[str], "the first 200"]
    existing_count: int
    existing: Annotated[list[str], "the first 200"]
    dry_run: bool
    ids: Annotated[list[int], "of those that were made"]


class ManyLocations(ManyWrite):
    """Which locations: by `ids`, or all that match the list's `filter`."""

    filter = ListFilters(LocationFilter)


class SuggestedLimitRow(AnswerSerializer):
    max_item_count: Annotated[int | None, "null: too few of them hold pieces"]
    learnt_from: Annotated[int, "locations that hold pieces"]


class SetManyWrite(ManyLocations):
    set = SettingsWrite(help_text="the same for each; the limits do not follow the type")


class SettingsRow(serializers.Serializer[Any]):
    """A location's former settings, with its present updatedAt, as `putBackMany` takes them."""

    id = WholeNumber(**ID)
    updatedAt = Instant()
    inventory_container_type_id = WholeNumber(**ID, allow_null=True)
    max_item_count = WholeNumber(min_value=0, max_value=MOST_PIECES, allow_null=True)
    max_total_weight = Amount(**{**LIMIT, "required": True})
    min_item_weight = Amount(**{**LIMIT, "required": True})
    max_item_weight = Amount(**{**LIMIT, "required": True})


class SetManyRow(AnswerSerializer):
    changed: int
    over: Annotated[int, "of them hold more than they may now"]
    before: list[SettingsRow]


class PutBackWrite(serializers.Serializer[Any]):
    rows = SettingsRow(many=True, allow_empty=False, max_length=AT_ONCE)  # type: ignore[call-arg]


class PutBackRow(AnswerSerializer):
    changed: int


class MapRow(RowSerializer):
    """As much of a location as a map of many draws; null is unlimited."""

    model = Location
    columns = """
        id name inventory_container_type_name=container_type.name item_count max_item_count
        max_total_weight min_item_weight max_item_weight is_full
        exclude_from_recommendations
    """

    stored_weight: Annotated[Decimal, Digits(14, 4)]
    unknown_weight_count: Annotated[int, "pieces without a known weight: not in stored_weight"]
    total_value: Annotated[Total | None, "null while none of its lots has a price"]
    lots_without_price: Annotated[int, "not in total_value"]

    computed = ("total_value", "lots_without_price")
