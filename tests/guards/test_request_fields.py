"""A request is read by our fields, which accept what they declare and nothing else.

Django REST framework's read "5" as a number, "on" as true and 5 as text.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from rest_framework import serializers

from apps.core.api.schema import EnvelopeSchema

LOOSE = {
    serializers.BooleanField,
    serializers.CharField,
    serializers.DateField,
    serializers.DateTimeField,
    serializers.DecimalField,
    serializers.FloatField,
    serializers.IntegerField,
    serializers.PrimaryKeyRelatedField,
    serializers.RegexField,
    serializers.URLField,
}
# Modes are checked by name where they are read.
ALLOWED = {"Modes."}


@pytest.fixture
def fields_of_writes(monkeypatch) -> list[tuple[str, Any]]:
    """Every field of every request but questions, as (serializer.field, field)."""
    found: list[tuple[str, Any]] = []
    mapped = EnvelopeSchema._map_serializer_field

    def note(self: Any, field: Any, direction: str, *args: Any, **also: Any) -> Any:
        if direction == "request" and self.method != "GET" and field.parent is not None:
            found.append((f"{type(field.parent).__name__}.{field.field_name}", field))
        return mapped(self, field, direction, *args, **also)

    monkeypatch.setattr(EnvelopeSchema, "_map_serializer_field", note)
    SchemaGenerator().get_schema(request=None, public=True)
    return found


def loose(fields: list[tuple[str, Any]]) -> Iterator[str]:
    for name, field in fields:
        if type(field) in LOOSE and not field.read_only and name not in ALLOWED:
            yield name


def test_every_request_is_read_by_fields_that_are_strict(fields_of_writes):
    assert sorted(set(loose(fields_of_writes))) == []
    assert len(fields_of_writes) > 300


def test_one_that_is_not_is_found():
    class Write(serializers.Serializer[Any]):
        count = serializers.IntegerField()
        seen = serializers.IntegerField(read_only=True)

    fields = [(f"Write.{name}", field) for name, field in Write().fields.items()]

    assert list(loose(fields)) == ["Write.count"]
