"""Serializers whose fields come from a dataclass."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import pytest
from rest_framework import serializers

from apps.core.api.serializers import DataSerializer, field_of


@dataclass(frozen=True)
class Shelf:
    name: str
    bins: int
    is_full: bool
    metres: float | None
    labels: tuple[str, ...]
    grams: dict[str, float]
    side: Literal["left", "right"]
    value: Decimal


class ShelfRow(DataSerializer):
    shape = Shelf

    value = serializers.DecimalField(max_digits=6, decimal_places=2)
    bins = serializers.IntegerField(help_text="empty ones too")
    pieces = serializers.IntegerField(default=0)


SHELF = Shelf("North", 4, True, None, ("A", "B"), {"A": 1.5}, "left", Decimal("2.50"))


class TestDataSerializer:
    def test_answers_with_the_fields_of_the_dataclass_in_their_order(self):
        answer = ShelfRow(SHELF).data

        assert list(answer.items()) == [
            ("name", "North"),
            ("bins", 4),
            ("is_full", True),
            ("metres", None),
            ("labels", ["A", "B"]),
            ("grams", {"A": 1.5}),
            ("side", "left"),
            ("value", "2.50"),
            ("pieces", 0),
        ]

    def test_keeps_what_is_declared(self):
        assert ShelfRow().fields["bins"].help_text == "empty ones too"

    @pytest.mark.parametrize("kind", [Decimal, Any, Shelf, list[Shelf], int | str])
    def test_refuses_a_type_that_does_not_say_enough(self, kind):
        with pytest.raises(TypeError, match="declare the field"):
            field_of(kind)
