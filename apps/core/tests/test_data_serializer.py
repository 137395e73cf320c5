"""Serializers whose fields come from a dataclass or a model."""

import datetime as dt
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from django.db import models
from rest_framework import serializers

from apps.core.api.serializers import (
    DataSerializer,
    RowSerializer,
    column_fields,
    field_of,
    serializer_of,
)
from apps.core.jobs.models import Job, JobState
from apps.core.money import Money


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

    @pytest.mark.parametrize("kind", [Decimal, Any, object, list[object], int | str])
    def test_refuses_a_type_that_does_not_say_enough(self, kind):
        with pytest.raises(TypeError, match="declare the field"):
            field_of(kind)


class Box(TypedDict):
    """A box on a shelf."""

    id: Annotated[uuid.UUID, "as its label says"]
    state: JobState
    price: Annotated[Money | None, "null: no price"]
    on: Annotated[list[Shelf], "where one stands"]
    day: NotRequired[dt.date]


class TestSerializerOf:
    @pytest.mark.parametrize(
        ("name", "kind", "help_text", "is_null", "is_required"),
        [
            ("id", serializers.UUIDField, "as its label says", False, True),
            ("state", serializers.ChoiceField, None, False, True),
            ("price", serializers.DecimalField, "null: no price", True, True),
            ("on", serializers.ListSerializer, "where one stands", False, True),
            ("day", serializers.DateField, None, False, False),
        ],
    )
    def test_takes_type_help_and_null_from_the_type(
        self, name, kind, help_text, is_null, is_required
    ):
        field = serializer_of(Box)().fields[name]

        assert type(field) is kind
        assert (field.help_text, field.allow_null) == (help_text, is_null)
        assert field.required == is_required

    def test_takes_digits_and_choices_from_the_type(self):
        fields = serializer_of(Box)().fields

        assert (fields["price"].max_digits, fields["price"].decimal_places) == (12, 4)
        assert list(fields["state"].choices.items()) == JobState.choices

    def test_makes_one_serializer_of_a_type(self):
        assert serializer_of(Shelf) is serializer_of(Shelf)

    def test_is_described_by_its_docstring_alone(self):
        assert serializer_of(Box).__doc__ == "A box on a shelf."
        assert serializer_of(Measured).__doc__ is None


@dataclass(frozen=True)
class Measured:
    width: int


class Board(models.Model):
    width = models.DecimalField(max_digits=6, decimal_places=2, help_text="in metres")

    class Meta:
        abstract = True


class JobRow(RowSerializer):
    model = Job
    columns = "id kind state createdAt finishedAt total who=owner.name owner_id"

    message = serializers.CharField(help_text="for people")


class TestColumns:
    @pytest.mark.parametrize(
        ("name", "kind", "source", "is_null"),
        [
            ("id", serializers.UUIDField, None, False),
            ("kind", serializers.CharField, None, False),
            ("createdAt", serializers.DateTimeField, "created_at", False),
            ("finishedAt", serializers.DateTimeField, "finished_at", True),
            ("total", serializers.IntegerField, None, True),
            ("who", serializers.CharField, "owner.name", True),
            ("owner_id", serializers.IntegerField, None, True),
        ],
    )
    def test_take_type_column_and_null_from_the_model(self, name, kind, source, is_null):
        field = JobRow().get_fields()[name]

        assert (type(field), field.source, field.allow_null) == (kind, source, is_null)

    def test_take_choices_from_the_model(self):
        assert list(JobRow().get_fields()["state"].choices.items()) == JobState.choices

    def test_take_digits_and_help_from_the_model(self):
        width = column_fields(Board, "width")["width"]

        assert isinstance(width, serializers.DecimalField)
        assert (width.max_digits, width.decimal_places) == (6, 2)
        assert width.help_text == "in metres"

    def test_leave_what_is_declared(self):
        assert JobRow().get_fields()["message"].help_text == "for people"

    def test_are_read_by_the_names_of_the_wire(self):
        asked = JobRow.select(Job.objects.all()).query

        assert set(asked.values_select) == {"id", "kind", "state", "total", "owner_id", "message"}
        assert set(asked.annotations) == {"createdAt", "finishedAt", "who"}
