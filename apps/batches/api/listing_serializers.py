"""Listing on the wire: which items, where to, and what was sent."""

from typing import Any

from rest_framework import serializers

from apps.batches.api.operation_serializers import ChoiceWrite
from apps.batches.models import Batch
from apps.core.api.serializers import RowSerializer
from apps.core.money import MONEY
from apps.inventory.models import Stockroom
from apps.marketplace.models import ListingKind, ListingState

STOCKROOM_HELP = '"" for buyers to see, A, B or C hidden; null: as each lot says itself'


class OwnedBatch(serializers.PrimaryKeyRelatedField):
    """The id of one of the caller's batches."""

    def get_queryset(self) -> Any:
        return Batch.objects.ready().owned_by(self.context["request"].user)


class ListingWrite(ChoiceWrite):
    """Which items of a batch to list, and into which stockroom new lots go."""

    batch_id = OwnedBatch(queryset=Batch.objects.none())
    stockroom = serializers.ChoiceField(
        choices=Stockroom.choices,
        allow_blank=True,
        allow_null=True,
        required=False,
        default=None,
        help_text=STOCKROOM_HELP,
    )


class ListingStartedRow(serializers.Serializer[Any]):
    """The job that lists, and how many items it is about."""

    job_id = serializers.UUIDField()
    item_count = serializers.IntegerField()


class ListingRow(RowSerializer):
    """One lot that was put up or topped up, or is to be."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=ListingKind.choices)
    state = serializers.ChoiceField(choices=ListingState.choices)
    name = serializers.CharField()
    quantity = serializers.IntegerField(help_text="of a new lot, or added to one")
    price = serializers.DecimalField(**MONEY)
    stockroom = serializers.CharField()
    marketplace_lot_id = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    job_id = serializers.UUIDField(allow_null=True)
    sentAt = serializers.DateTimeField(source="sent_at", allow_null=True)
    settledAt = serializers.DateTimeField(source="settled_at", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")
