from typing import Any

from rest_framework import serializers

from apps.core.api.fields import Text
from apps.core.api.serializers import RowSerializer
from apps.sets.models import SetState


class UserSetRow(RowSerializer):
    id = serializers.IntegerField()
    item_id = serializers.IntegerField()
    number = serializers.CharField(source="item.number")
    name = serializers.CharField(source="item.name")
    state = serializers.ChoiceField(choices=SetState.choices)
    notes = serializers.CharField()
    pieces_required = serializers.IntegerField()
    pieces_on_hand = serializers.IntegerField()
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


class UserSetWrite(serializers.Serializer[Any]):
    """A set is added by its number; afterwards its state and notes can be changed."""

    number = Text(max_length=50)
    notes = Text(max_length=10_000, allow_blank=True, required=False)


class UserSetChange(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=SetState.choices, required=False)
    notes = Text(max_length=10_000, allow_blank=True, required=False)


class SetDestinationRow(serializers.Serializer[Any]):
    """An open set that still lacks the lot."""

    user_set_id = serializers.IntegerField()
    number = serializers.CharField()
    name = serializers.CharField()
    qty_required = serializers.IntegerField()
    qty_on_hand = serializers.IntegerField()


class DestinationsQuery(serializers.Serializer[Any]):
    lot = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class PutAsideWrite(serializers.Serializer[Any]):
    lot_id = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    quantity = serializers.IntegerField(min_value=-100_000, max_value=100_000, default=1)
