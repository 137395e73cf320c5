"""Batch items on the wire, in the spec's names."""

import datetime as dt
from typing import Annotated, Any

from rest_framework import serializers

from apps.batches.models import BatchItem
from apps.batches.rules.states import ItemState, state_of
from apps.catalog.models.choices import ITEM_TYPES
from apps.core.api.fields import Text, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer
from apps.lots.api.serializers import ID, LotRow, LotWrite
from apps.lots.models import Condition

MAX_PIECES = 9_999_999


class BatchItemRow(LotRow):
    """A batch item. An item that is not in the catalogue shows the values of its file."""

    model = BatchItem
    columns = """
        batch_id item_id=lot.item_id qty=quantity
        user_inventory_item_location_id=location_id
        user_inventory_item_location_name=location.name
        user_inventory_item_id=inventory_item_id is_stowed is_stowed_pending is_listed
        is_listed_pending is_changed_since_listing stowedAt listedAt
    """

    item_name: str
    state: ItemState
    failure: Annotated[
        str, "why it is not stowed, or not listed, although that was tried; else empty"
    ]

    name_field = "item_name"
    computed = (*LotRow.computed, "item_name", "state")
    also_select = (*LotRow.also_select, "photo__jpeg")

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        row = super().finish(row)
        photo = row.pop("photo__jpeg")
        if photo and not row["is_known"]:
            row["image_url"] = f"data:image/jpeg;base64,{photo}"
        row["state"] = state_of(is_stowed=row["is_stowed"], is_listed=row["is_listed"]).value
        return row


class PiecesWrite(serializers.Serializer[Any]):
    """A number of pieces that came to an item, or that were taken off it."""

    change = WholeNumber(min_value=-MAX_PIECES, max_value=MAX_PIECES)
    override_reason = Text(max_length=500, allow_blank=True, required=False)


class SkipWrite(serializers.Serializer[Any]):
    """The photo of a piece that is put off."""

    file = serializers.FileField()
    condition = serializers.ChoiceField(choices=Condition.choices, default=Condition.USED)


class LastAdded(AnswerSerializer):
    """The last item added to a batch: `quantity` now, `totalItemsAdded` in the batch by now."""

    batchId: int
    batchName: str
    totalItemsAdded: int
    quantity: int
    itemName: str
    itemNumber: str
    itemType = serializers.ChoiceField(choices=ITEM_TYPES)
    colorName: str
    colorHtml: str
    timestamp: dt.datetime


class BatchItemWrite(LotWrite):
    """The fields of a batch item that a person may set. The lot: by `lot_id`, or by number."""

    batch_id = WholeNumber(**ID)
    lot_id = WholeNumber(**ID, required=False)
    item_type = serializers.ChoiceField(choices=ITEM_TYPES, required=False)
    item_number = Text(max_length=64, allow_blank=True, required=False)
    item_name = Text(max_length=500, allow_blank=True, required=False)
    color_id = WholeNumber(min_value=0, max_value=2**31 - 1, required=False)
    qty = WholeNumber(source="quantity", min_value=0, max_value=MAX_PIECES, required=False)
    user_inventory_item_location_id = WholeNumber(
        **ID, source="location_id", allow_null=True, required=False
    )
    top_up = YesOrNo(required=False, write_only=True)
