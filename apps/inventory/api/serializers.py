"""Stock on the wire, in the spec's names."""

from decimal import Decimal
from typing import Any, Final

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from rest_framework import serializers

from apps.catalog.rules.kinds import TYPE_OF_LETTER, ItemType
from apps.catalog.selectors.faces import item_image
from apps.core.api.fields import Amount, Matching, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import RelatedFields, RowSerializer
from apps.core.money import MONEY
from apps.inventory.models import Reason
from apps.inventory.selectors.origins import with_source_batch
from apps.locations.models import PastLocation
from apps.lots.models import Condition, Status, Stockroom, SubCondition

MAX_PIECES: Final = 2_147_483_647
UNIT_WEIGHT: dict[str, Any] = {"max_digits": 14, "decimal_places": 4}
ID: dict[str, Any] = {"min_value": 1, "max_value": 2**63 - 1}
AMOUNT: dict[str, Any] = {**MONEY, "min_value": Decimal(0), "required": False}
TYPES: Final = [(kind.value, kind.value) for kind in ItemType]


class InventoryItemRow(RowSerializer):
    """A row of stock. One that the catalogue does not know shows what its file said."""

    id = serializers.IntegerField()
    lot_id = serializers.IntegerField(allow_null=True)
    item_number = serializers.CharField()
    item_type = serializers.ChoiceField(choices=TYPES)
    part_name = serializers.CharField()
    description = serializers.CharField(source="comments", help_text="what buyers read")
    image_url = serializers.CharField(help_text="empty where there is no picture")
    color_id = serializers.IntegerField(allow_null=True)
    color_name = serializers.CharField()
    color_html = serializers.CharField(help_text="such as #C91A09, or empty")
    is_known = serializers.BooleanField(help_text="the catalogue knows item and colour")
    quantity = serializers.IntegerField()
    price = serializers.DecimalField(**MONEY, allow_null=True, help_text="null: no price")
    cost = serializers.DecimalField(**MONEY)
    condition = serializers.ChoiceField(choices=Condition.choices)
    sub_condition = serializers.ChoiceField(choices=SubCondition.choices, allow_blank=True)
    location_id = serializers.IntegerField(allow_null=True)
    location_name = serializers.CharField(source="location.name", allow_null=True)
    comments = serializers.CharField()
    remarks = serializers.CharField(help_text="private; sellers keep the bin here")
    reserved = serializers.CharField()
    bulk = serializers.IntegerField()
    sale = serializers.IntegerField()
    marketplace_lot_id = serializers.IntegerField(allow_null=True)
    batch_id = serializers.IntegerField(
        allow_null=True, help_text="the batch that pieces were last stowed from"
    )
    batch_name = serializers.CharField(allow_null=True)
    batch_count = serializers.IntegerField(help_text="batches that pieces were stowed from")
    tq1 = serializers.IntegerField()
    tp1 = serializers.DecimalField(**MONEY)
    tq2 = serializers.IntegerField()
    tp2 = serializers.DecimalField(**MONEY)
    tq3 = serializers.IntegerField()
    tp3 = serializers.DecimalField(**MONEY)
    retain = serializers.BooleanField()
    stockroom = serializers.ChoiceField(choices=Stockroom.choices, allow_blank=True)
    status = serializers.ChoiceField(choices=Status.choices)
    unit_weight_grams = serializers.DecimalField(**UNIT_WEIGHT, allow_null=True)
    marker_text = serializers.CharField()
    marker_color = serializers.CharField()
    date_added = serializers.DateTimeField(allow_null=True)
    date_last_sold = serializers.DateTimeField(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    computed = (
        "item_number",
        "item_type",
        "part_name",
        "description",
        "image_url",
        "color_id",
        "color_name",
        "color_html",
        "is_known",
    )
    also_select = (
        "lot__item__item_type",
        "lot__item__number",
        "lot__item__name",
        "lot__item__image_url",
        "lot__item__origin",
        "lot__item__face",
        "lot__color_id",
        "lot__color__name",
        "lot__color__rgb",
        "raw_item_type",
        "raw_item_number",
        "raw_item_name",
        "raw_color_id",
        "raw_color_name",
    )

    @classmethod
    def select(cls, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().select(with_source_batch(queryset))

    def finish(self, row: Any) -> Any:
        take = row.pop
        kind, number, name = (
            take("lot__item__item_type"),
            take("lot__item__number"),
            take("lot__item__name"),
        )
        picture, origin = take("lot__item__image_url"), take("lot__item__origin")
        item = (kind, number, picture, origin, take("lot__item__face"))
        rgb = take("lot__color__rgb")
        color_id, color_name = take("lot__color_id"), take("lot__color__name")
        raw_type, raw_number = take("raw_item_type"), take("raw_item_number")
        raw_name, raw_color_id = take("raw_item_name"), take("raw_color_id")
        raw_color_name = take("raw_color_name")
        known = row["is_known"] = row["lot_id"] is not None
        row["description"] = row["comments"]
        row["color_html"] = f"#{rgb}" if rgb else ""
        if known:
            row["item_type"], row["item_number"], row["part_name"] = kind, number, name
            row["color_id"], row["color_name"] = color_id, color_name
            row["image_url"] = item_image(*item, color_id, rgb) or ""
            return row
        row["item_type"] = TYPE_OF_LETTER.get(raw_type, ItemType.PART).value
        row["item_number"], row["part_name"] = raw_number, raw_name
        row["color_id"], row["color_name"] = raw_color_id, raw_color_name
        row["image_url"] = ""
        return row


class InventoryItemWrite(RelatedFields):
    """What a person may set. `quantity` and `location_id` are booked in the ledger."""

    lot_id = WholeNumber(**ID)
    quantity = WholeNumber(min_value=0, max_value=MAX_PIECES, required=False)
    location_id = WholeNumber(**ID, allow_null=True, required=False)
    condition = serializers.ChoiceField(choices=Condition.choices, required=False)
    sub_condition = serializers.ChoiceField(
        choices=SubCondition.choices, allow_blank=True, required=False
    )
    price = Amount(**AMOUNT, allow_null=True, help_text="null: no price")
    cost = Amount(**AMOUNT)
    bulk = WholeNumber(min_value=1, max_value=MAX_PIECES, required=False)
    sale = WholeNumber(min_value=-99, max_value=100, required=False)
    comments = Text(allow_blank=True, max_length=10_000, required=False)
    remarks = Text(allow_blank=True, max_length=10_000, required=False)
    reserved = Text(allow_blank=True, max_length=200, required=False)
    marketplace_lot_id = WholeNumber(**ID, allow_null=True, required=False)
    tq1 = WholeNumber(min_value=0, max_value=MAX_PIECES, required=False)
    tp1 = Amount(**AMOUNT)
    tq2 = WholeNumber(min_value=0, max_value=MAX_PIECES, required=False)
    tp2 = Amount(**AMOUNT)
    tq3 = WholeNumber(min_value=0, max_value=MAX_PIECES, required=False)
    tp3 = Amount(**AMOUNT)
    retain = YesOrNo(required=False)
    stockroom = serializers.ChoiceField(choices=Stockroom.choices, allow_blank=True, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    unit_weight_grams = Amount(**UNIT_WEIGHT, min_value=Decimal(0), allow_null=True, required=False)
    marker_text = Text(allow_blank=True, max_length=200, required=False)
    marker_color = Matching(r"#[0-9a-fA-F]{6}", allow_blank=True, required=False)
    note = Text(
        max_length=500,
        allow_blank=True,
        required=False,
        write_only=True,
        help_text="for the ledger",
    )
    override_reason = Text(
        max_length=500,
        allow_blank=True,
        required=False,
        write_only=True,
        help_text="passes a location's limits, not its mark",
    )


class MoveWrite(serializers.Serializer[Any]):
    to = WholeNumber(**ID, allow_null=True, help_text="a location, or null for none")
    quantity = WholeNumber(
        min_value=1, max_value=MAX_PIECES, required=False, help_text="all when left out"
    )
    override_reason = Text(max_length=500, allow_blank=True, required=False, default="")


class MovementRow(RowSerializer):
    """One line of the ledger."""

    id = serializers.IntegerField()
    delta = serializers.IntegerField()
    balance = serializers.IntegerField(help_text="pieces after it")
    reason = serializers.ChoiceField(choices=Reason.choices)
    by_name = serializers.CharField(source="by.name", allow_null=True)
    from_location_id = serializers.IntegerField(allow_null=True)
    from_location_name = serializers.CharField(source="from_name", allow_null=True)
    to_location_id = serializers.IntegerField(allow_null=True)
    to_location_name = serializers.CharField(source="to_name", allow_null=True)
    note = serializers.CharField()
    cause_kind = serializers.CharField()
    cause_id = serializers.IntegerField(allow_null=True)
    reverses_id = serializers.IntegerField(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")

    @classmethod
    def select(cls, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().select(
            queryset.annotate(
                from_name=_name_then("from_location"), to_name=_name_then("to_location")
            )
        )


def _name_then(place: str) -> Coalesce:
    """Return the name of the location at one end of a movement, also of one that is gone."""
    gone = PastLocation.objects.filter(pk=OuterRef(f"{place}_id")).values("name")
    return Coalesce(f"{place}__name", Subquery(gone))


class DestinationRow(serializers.Serializer[Any]):
    """A location to put a lot, best first; `id` and `name` are the location's."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    qty_on_hand = serializers.IntegerField()
    lastSold = serializers.ChoiceField(
        choices=[(word, word) for word in ("recent", "moderate", "old", "unknown")]
    )
    recommended = serializers.BooleanField()
    reason = serializers.CharField()
    available_item_count = serializers.IntegerField(allow_null=True)
    item_count = serializers.IntegerField()
    max_item_count = serializers.IntegerField(allow_null=True)
    stored_weight = serializers.DecimalField(max_digits=18, decimal_places=4)
    unknown_weight_count = serializers.IntegerField(
        help_text="pieces without a known weight: not in stored_weight"
    )
    max_total_weight = serializers.DecimalField(max_digits=14, decimal_places=4, allow_null=True)
    inventory_container_type_name = serializers.CharField(allow_null=True)


class OwnedRow(serializers.Serializer[Any]):
    """What the caller has of a lot; `item_id` is the row of stock."""

    item_id = serializers.IntegerField()
    lot_id = serializers.IntegerField()
    color_id = serializers.IntegerField()
    location_id = serializers.IntegerField(allow_null=True)
    location_name = serializers.CharField(allow_null=True)
    condition = serializers.ChoiceField(choices=Condition.choices)
    quantity = serializers.IntegerField()
    price = serializers.DecimalField(**MONEY, allow_null=True, help_text="null: no price")
