"""Sources on the wire."""

from typing import Any

from rest_framework import serializers

from apps.core.api.fields import Text
from apps.core.api.serializers import RowSerializer


class SourceRow(RowSerializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    notes = serializers.CharField()
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


class SourceWrite(serializers.Serializer[Any]):
    name = Text(max_length=200)
    notes = Text(max_length=10_000, allow_blank=True, required=False)
