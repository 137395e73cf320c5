"""Batch items on the wire, in the spec's names."""

from decimal import Decimal
from typing import Any, Final

from django.db.models import QuerySet
from rest_framework import serializers

from apps.batches.rules.states import ItemState, state_of
from apps.batches.selectors import with_market
from apps.catalog.rules.kinds import TYPE_OF_LETTER, ItemType
from apps.catalog.selectors import choose_reference
from apps.catalog.selectors.faces import item_image
from apps.core.api.fields import NOT_BLANK, Amount, Matching, Text, WholeNumber, YesOrNo, one_of
from apps.core.api.serializers import RelatedFields, RowSerializer
from apps.core.money import MONEY, money
from apps.lots.models import Condition, Status, Stockroom, SubCondition

MAX_PIECES = 9_999_999
UNIT_WEIGHT: dict[str, Any] = {"max_digits": 14, "decimal_places": 4}


class BatchItemRow(RowSerializer):
    """A batch item. An item that the catalogue does not know shows what its file said."""

    id = serializers.IntegerField()
    batch_id = serializers.IntegerField()
    lot_id = serializers.IntegerField(allow_null=True)
    color_id = serializers.IntegerField(allow_null=True)
    color_name = serializers.CharField()
    color_html = serializers.CharField(help_text="such as #C91A09, or empty")
    item_id = serializers.IntegerField(source="lot.item_id", allow_null=True)
    item_number = serializers.CharField()
    item_name = serializers.CharField()
    item_type = serializers.ChoiceField(choices=[(kind.value, kind.value) for kind in ItemType])
    is_known = serializers.BooleanField(help_text="the catalogue knows item and colour")
    qty = serializers.IntegerField(source="quantity")
    condition = serializers.ChoiceField(choices=Condition.choices)
    sub_condition = serializers.ChoiceField(choices=SubCondition.choices, allow_blank=True)
    price = serializers.DecimalField(**MONEY, allow_null=True, help_text="null: no price")
    cost = serializers.DecimalField(**MONEY)
    reference_price = serializers.DecimalField(
        **MONEY, allow_null=True, help_text="what we would ask, in the currency of the owner"
    )
    reference_basis = serializers.ChoiceField(
        choices=[(name, name) for name in ("sold", "asked", "none")],
        help_text="whether it is what was paid, or only what others ask",
    )
    user_inventory_item_location_id = serializers.IntegerField(
        source="location_id", allow_null=True
    )
    user_inventory_item_location_name = serializers.CharField(
        source="location.name", allow_null=True
    )
    user_inventory_item_id = serializers.IntegerField(source="inventory_item_id", allow_null=True)
    state = serializers.ChoiceField(choices=[(state.value, state.value) for state in ItemState])
    is_stowed = serializers.BooleanField()
    is_stowed_pending = serializers.BooleanField()
    is_listed = serializers.BooleanField()
    is_listed_pending = serializers.BooleanField()
    is_changed_since_listing = serializers.BooleanField()
    failure = serializers.CharField(
        help_text="why it is not stowed, or not listed, although that was tried; else empty"
    )
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")
    stowedAt = serializers.DateTimeField(source="stowed_at", allow_null=True)
    listedAt = serializers.DateTimeField(source="listed_at", allow_null=True)
    image_url = serializers.CharField(help_text="empty where there is no picture")
    bulk = serializers.IntegerField()
    sale = serializers.IntegerField()
    comments = serializers.CharField()
    remarks = serializers.CharField()
    reserved = serializers.CharField()
    marketplace_lot_id = serializers.IntegerField(allow_null=True)
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

    computed: tuple[str, ...] = (
        "color_id",
        "color_name",
        "color_html",
        "item_number",
        "item_name",
        "item_type",
        "is_known",
        "state",
        "image_url",
        "reference_price",
        "reference_basis",
    )
    also_select = (
        "sold_price",
        "asked_price",
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
        "photo__jpeg",
    )

    @classmethod
    def select(cls, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().select(with_market(queryset))

    def finish(self, row: Any) -> Any:
        taken = row.pop
        kind, number, name = (
            taken("lot__item__item_type"),
            taken("lot__item__number"),
            taken("lot__item__name"),
        )
        picture, origin = taken("lot__item__image_url"), taken("lot__item__origin")
        item = (kind, number, picture, origin, taken("lot__item__face"))
        color_id, color_name, rgb = (
            taken("lot__color_id"),
            taken("lot__color__name"),
            taken("lot__color__rgb"),
        )
        raw_type, raw_number, raw_name = (
            taken("raw_item_type"),
            taken("raw_item_number"),
            taken("raw_item_name"),
        )
        raw_color_id, raw_color_name = taken("raw_color_id"), taken("raw_color_name")
        photo = taken("photo__jpeg")
        known = row["lot_id"] is not None
        row["is_known"] = known
        row["item_type"] = kind if known else TYPE_OF_LETTER.get(raw_type, ItemType.PART).value
        row["item_number"] = number if known else raw_number
        row["item_name"] = name if known else raw_name
        row["color_id"] = color_id if known else raw_color_id
        row["color_name"] = color_name if known else raw_color_name
        row["color_html"] = f"#{rgb}" if rgb else ""
        row["image_url"] = (
            (item_image(*item, color_id, rgb) or "")
            if known
            else f"data:image/jpeg;base64,{photo}"
            if photo
            else ""
        )
        reference = choose_reference(taken("sold_price"), taken("asked_price"))
        row["reference_price"] = None if reference.amount is None else money(reference.amount)
        row["reference_basis"] = reference.basis
        row["state"] = state_of(is_stowed=row["is_stowed"], is_listed=row["is_listed"]).value
        return row


class SkipWrite(serializers.Serializer[Any]):
    """The photo of a piece that is put off."""

    file = serializers.FileField()
    condition = serializers.ChoiceField(choices=Condition.choices, default=Condition.USED)


class LastAdded(serializers.Serializer[Any]):
    """The last item added to a batch: `quantity` now, `totalItemsAdded` in the batch by now."""

    batchId = serializers.IntegerField()
    batchName = serializers.CharField()
    totalItemsAdded = serializers.IntegerField()
    quantity = serializers.IntegerField()
    itemName = serializers.CharField()
    itemNumber = serializers.CharField()
    itemType = serializers.ChoiceField(choices=[(kind.value, kind.value) for kind in ItemType])
    colorName = serializers.CharField()
    colorHtml = serializers.CharField()
    timestamp = serializers.DateTimeField()


ID: dict[str, Any] = {"min_value": 1, "max_value": 2**63 - 1}


_COLORLESS: Final = [kind.value for kind in ItemType if kind is not ItemType.PART]
#: Which lot it is: by its id or, of what the catalogue may not know, by number and type.
_IDENTITY: Final = {
    "anyOf": [
        {"required": ["lot_id"]},
        {
            "properties": {"item_type": one_of(_COLORLESS), "item_number": NOT_BLANK},
            "required": ["item_type", "item_number"],
        },
        {
            "properties": {"item_type": {"const": "PART"}, "item_number": NOT_BLANK},
            "required": ["item_type", "item_number", "color_id"],
        },
        {
            "properties": {"item_type": {"const": "UNSORTED_LOT"}, "item_name": NOT_BLANK},
            "required": ["item_type", "item_name"],
        },
    ]
}


class BatchItemWrite(RelatedFields):
    """What a person may set on a batch item. Which lot it is: by `lot_id`, or by number."""

    batch_id = WholeNumber(**ID)
    lot_id = WholeNumber(**ID, required=False)
    item_type = serializers.ChoiceField(
        choices=[(kind.value, kind.value) for kind in ItemType], required=False
    )
    item_number = Text(max_length=64, allow_blank=True, required=False)
    item_name = Text(max_length=500, allow_blank=True, required=False)
    color_id = WholeNumber(min_value=0, max_value=2**31 - 1, required=False)
    qty = WholeNumber(source="quantity", min_value=0, max_value=MAX_PIECES, required=False)
    condition = serializers.ChoiceField(choices=Condition.choices, required=False)
    sub_condition = serializers.ChoiceField(
        choices=SubCondition.choices, allow_blank=True, required=False
    )
    price = Amount(
        **MONEY, min_value=Decimal(0), allow_null=True, required=False, help_text="null: no price"
    )
    cost = Amount(**MONEY, min_value=Decimal(0), required=False)
    user_inventory_item_location_id = WholeNumber(
        **ID, source="location_id", allow_null=True, required=False
    )
    bulk = WholeNumber(min_value=1, max_value=MAX_PIECES, required=False)
    sale = WholeNumber(min_value=-99, max_value=100, required=False)
    comments = Text(allow_blank=True, max_length=10_000, required=False)
    remarks = Text(allow_blank=True, max_length=10_000, required=False)
    reserved = Text(allow_blank=True, max_length=200, required=False)
    tq1 = WholeNumber(min_value=0, max_value=MAX_PIECES, required=False)
    tp1 = Amount(**MONEY, min_value=Decimal(0), required=False)
    tq2 = WholeNumber(min_value=0, max_value=MAX_PIECES, required=False)
    tp2 = Amount(**MONEY, min_value=Decimal(0), required=False)
    tq3 = WholeNumber(min_value=0, max_value=MAX_PIECES, required=False)
    tp3 = Amount(**MONEY, min_value=Decimal(0), required=False)
    retain = YesOrNo(required=False)
    stockroom = serializers.ChoiceField(choices=Stockroom.choices, allow_blank=True, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    unit_weight_grams = Amount(**UNIT_WEIGHT, min_value=Decimal(0), allow_null=True, required=False)
    marker_text = Text(allow_blank=True, max_length=200, required=False)
    marker_color = Matching(r"#[0-9a-fA-F]{6}", allow_blank=True, required=False)
    top_up = YesOrNo(required=False, write_only=True)
    override_reason = Text(max_length=500, allow_blank=True, required=False, write_only=True)

    relations = (_IDENTITY,)
