"""A lot on the wire: the fields that stock and batches show, and those that a person may set."""

import datetime as dt
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final

from django.db.models import QuerySet
from rest_framework import serializers

from apps.catalog.models.choices import ITEM_TYPES
from apps.catalog.rules.kinds import TYPE_OF_LETTER
from apps.catalog.selectors import choose_reference, with_market
from apps.catalog.selectors.faces import LOT_FACE, item_image
from apps.core.api.fields import Amount, Matching, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import RelatedFields, RowSerializer
from apps.core.money import MONEY, Digits, Money, money
from apps.lots.models import LotCondition, Status, Stockroom, SubCondition

LARGEST_NUMBER: Final = 2_147_483_647
UNIT_WEIGHT: dict[str, Any] = {"max_digits": 14, "decimal_places": 4}
ID: dict[str, Any] = {"min_value": 1, "max_value": 2**63 - 1}
AMOUNT: dict[str, Any] = {**MONEY, "min_value": Decimal(0), "required": False}
TIER: dict[str, Any] = {"min_value": 0, "max_value": LARGEST_NUMBER, "required": False}


class LotRow(RowSerializer):
    """A row of lots. One that is not in the catalogue shows the values of its file.

    Subclasses declare the item's name as they call it, and their quantity.
    """

    id: int
    lot_id: int | None
    item_number: str
    item_type = serializers.ChoiceField(
        choices=ITEM_TYPES, allow_blank=True, help_text="empty: its file names none that is known"
    )
    image_url: Annotated[str, "empty where there is no picture"]
    color_id: int | None
    color_name: str
    color_html: Annotated[str, "such as #C91A09, or empty"]
    is_known: Annotated[bool, "the catalogue knows item and colour"]
    price: Annotated[Money | None, "null: no price"]
    cost: Money
    condition: LotCondition
    condition_text: Annotated[str, "of a condition that was not understood: what the file said"]
    sub_condition: SubCondition
    comments: str
    remarks: Annotated[str, "private; sellers keep the bin here"]
    reserved: str
    bulk: int
    sale: int
    marketplace_lot_id: int | None
    tq1: int
    tp1: Money
    tq2: int
    tp2: Money
    tq3: int
    tp3: Money
    retain: bool
    stockroom: Stockroom
    status: Status
    unit_weight_grams: Annotated[Decimal, Digits(14, 4)] | None
    marker_text: str
    marker_color: str
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    reference_price: Annotated[Money | None, "what we would ask, in the currency of the owner"]
    reference_basis = serializers.ChoiceField(
        choices=[(name, name) for name in ("sold", "asked", "none")],
        help_text="whether it is what was paid, or only what others ask",
    )
    referenceAt: Annotated[dt.datetime | None, "when the market told the reference price"]

    #: The field that shows the item's name.
    name_field: ClassVar[str]

    computed: tuple[str, ...] = (
        "item_number",
        "item_type",
        "image_url",
        "color_id",
        "color_name",
        "color_html",
        "is_known",
        "reference_price",
        "reference_basis",
        "referenceAt",
    )
    also_select: tuple[str, ...] = (
        *LOT_FACE,
        "raw_item_type",
        "raw_item_number",
        "raw_item_name",
        "raw_color_id",
        "raw_color_name",
        "sold_price",
        "asked_price",
        "reference_at",
    )

    @classmethod
    def select(cls, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().select(with_market(queryset))

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        kind, number, name, picture, origin, face, color_id, color_name, rgb, *raw = map(
            row.pop, LotRow.also_select
        )
        *raw, sold, asked, row["referenceAt"] = raw
        reference = choose_reference(sold, asked)
        row["reference_price"] = None if reference.amount is None else money(reference.amount)
        row["reference_basis"] = reference.basis
        known = row["is_known"] = row["lot_id"] is not None
        row["color_html"] = f"#{rgb}" if rgb else ""
        if known:
            row["item_type"], row["item_number"], row[self.name_field] = kind, number, name
            row["color_id"], row["color_name"] = color_id, color_name
            item = (kind, number, picture, origin, face)
            row["image_url"] = item_image(*item, color_id, rgb) or ""
            return row
        raw_type, row["item_number"], row[self.name_field], *raw_color = raw
        row["item_type"] = TYPE_OF_LETTER.get(raw_type, "")
        row["color_id"], row["color_name"] = raw_color
        row["image_url"] = ""
        return row


class LotWrite(RelatedFields):
    """The fields of a row of lots that a person may set, besides lot, quantity and bin."""

    condition = serializers.ChoiceField(choices=LotCondition.choices, required=False)
    sub_condition = serializers.ChoiceField(
        choices=SubCondition.choices, allow_blank=True, required=False
    )
    price = Amount(**AMOUNT, allow_null=True, help_text="null: no price")
    cost = Amount(**AMOUNT)
    bulk = WholeNumber(min_value=1, max_value=LARGEST_NUMBER, required=False)
    sale = WholeNumber(min_value=-99, max_value=100, required=False)
    comments = Text(allow_blank=True, max_length=10_000, required=False)
    remarks = Text(allow_blank=True, max_length=10_000, required=False)
    reserved = Text(allow_blank=True, max_length=200, required=False)
    tq1 = WholeNumber(**TIER)
    tp1 = Amount(**AMOUNT)
    tq2 = WholeNumber(**TIER)
    tp2 = Amount(**AMOUNT)
    tq3 = WholeNumber(**TIER)
    tp3 = Amount(**AMOUNT)
    retain = YesOrNo(required=False)
    stockroom = serializers.ChoiceField(choices=Stockroom.choices, allow_blank=True, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    unit_weight_grams = Amount(**UNIT_WEIGHT, min_value=Decimal(0), allow_null=True, required=False)
    marker_text = Text(allow_blank=True, max_length=200, required=False)
    marker_color = Matching(r"#[0-9a-fA-F]{6}", allow_blank=True, required=False)
    override_reason = Text(
        max_length=500,
        allow_blank=True,
        required=False,
        write_only=True,
        help_text="passes a location's limits, not its mark",
    )
