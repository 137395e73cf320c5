"""Serializers of requests, whose fields depend on each other, of rows, and of dataclasses.

Rows go from `.values()` straight to JSON; the serializer only names the columns.
"""

import datetime as dt
import re
import uuid
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from django.db.models import (
    BigAutoField,
    BigIntegerField,
    DecimalField,
    F,
    ForeignKey,
    Model,
    QuerySet,
    TextChoices,
)
from rest_framework import serializers
from rest_framework.utils.field_mapping import ClassLookupDict

from apps.core.api.fields import ListOf
from apps.core.money import Digits


class RelatedFields(serializers.Serializer[Any]):
    """A request some of whose fields depend on each other."""

    #: Exactly one of these fields is given.
    exactly_one: ClassVar[tuple[str, ...]] = ()
    #: At least one of these fields is given.
    some_of: ClassVar[tuple[str, ...]] = ()

    def to_internal_value(self, data: Any) -> Any:
        values = super().to_internal_value(data)
        if (
            not self.partial
            and self.exactly_one
            and sum(name in data for name in self.exactly_one) != 1
        ):
            *others, last = self.exactly_one
            either = "either " if len(others) == 1 else ""
            told = f"give {either}{', '.join(others)} or {last}"
            raise serializers.ValidationError({self.exactly_one[0]: [told]})
        if self.some_of and not any(name in data for name in self.some_of):
            raise serializers.ValidationError(
                {"non_field_errors": [f"give one of {', '.join(self.some_of)}"]}
            )
        return values


# What goes out. A field is an annotation, typed as `field_of` reads it; what a type does not say is
# declared. (A docstring would stand in the schema for every heir without one.)
class AnswerSerializer(serializers.Serializer[Any]):
    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._declared_fields |= {
            name: field_of(kind)
            for name, kind in get_annotations(cls).items()
            if name not in cls.__dict__ and ClassVar not in (kind, get_origin(kind))
        }


class PassThroughList(serializers.ListSerializer[Any]):
    """A list of rows that are already plain mappings."""

    def to_representation(self, data: Any) -> list[Any]:
        finish = self.child.finish  # type: ignore[union-attr]
        return [finish(row) for row in data]


# The wire names of a row; `source` is the column (or annotation) behind each. `columns` names,
# between blanks, those that are as their `model` says: type, choices, digits, null and help;
# `createdAt` is the column created_at, `number=item.number` that of a relation. `select()` makes
# the `.values()` query, so no model instances are created. Names in `computed` have no column:
# `finish()` adds them, from the columns named in `also_select` (which it removes again). The fields
# also feed the OpenAPI schema.
class RowSerializer(AnswerSerializer):
    model: ClassVar[type[Model]]
    columns: ClassVar[str] = ""
    computed: tuple[str, ...] = ()
    also_select: tuple[str, ...] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "columns" in cls.__dict__:
            cls._declared_fields = column_fields(cls.model, cls.columns) | cls._declared_fields
        meta = getattr(cls, "Meta", None)
        if not hasattr(meta, "list_serializer_class"):
            made = type("Meta", (), {"list_serializer_class": PassThroughList})
            cls.Meta = made  # type: ignore[attr-defined]

    @classmethod
    def select(cls, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return `queryset` as mappings wire name -> value."""
        plain: list[str] = list(cls.also_select)
        renamed: dict[str, F] = {}
        for name, field in cls._declared_fields.items():
            if name in cls.computed or field.write_only:
                continue
            column = (field.source or name).replace(".", "__")
            if column == name:
                plain.append(name)
            else:
                renamed[name] = F(column)
        return queryset.values(*plain, **renamed)

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        """Complete one row in place and return it."""
        return row

    def to_representation(self, instance: Any) -> Any:
        return self.finish(instance)


def named_columns(text: str) -> dict[str, str]:
    """Return the columns by their names on the wire: `createdAt` is created_at; else `name=path`."""
    found = {}
    for word in text.split():
        name, _, path = word.partition("=")
        found[name] = path or re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name)
    return found


def column_fields(model: type[Model], columns: str) -> "dict[str, AnyField]":
    """Return the fields for `columns`, as `RowSerializer` has them."""
    return {
        name: column_field(model, path, **({} if path == name else {"source": path}))
        for name, path in named_columns(columns).items()
    }


def column_field(model: type[Model], path: str, **options: Any) -> "AnyField":
    """Return the field for a column of `model`, or of a row that it points to."""
    name, _, rest = path.partition(".")
    column: Any = model._meta.get_field(name)
    if column.null:
        options["allow_null"] = True
    if rest:
        return column_field(column.related_model, rest, **options)
    if column.help_text:
        options.setdefault("help_text", column.help_text)
    if isinstance(column, ForeignKey):
        column = column.target_field
    if column.choices:
        return serializers.ChoiceField(
            choices=column.flatchoices, allow_blank=column.blank, **options
        )
    if isinstance(column, DecimalField):
        options |= {"max_digits": column.max_digits, "decimal_places": column.decimal_places}
    made: AnyField = FIELDS_OF_COLUMNS[column](**options)
    return made


#: As Django REST framework has it; whole numbers are not divided by their size.
FIELDS_OF_COLUMNS: Final[Any] = ClassLookupDict(
    serializers.ModelSerializer.serializer_field_mapping
    | dict.fromkeys((BigAutoField, BigIntegerField), serializers.IntegerField)
)
AnyField = serializers.Field[Any, Any, Any, Any]
#: `Annotated[int, OPTIONAL]` is a field that an answer may lack, as NotRequired in a TypedDict.
OPTIONAL: Final = object()
PLAIN_FIELDS: Final[dict[Any, Callable[..., AnyField]]] = {
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    bool: serializers.BooleanField,
    dt.date: serializers.DateField,
    dt.datetime: serializers.DateTimeField,
    uuid.UUID: serializers.UUIDField,
}


# An answer whose fields are those of a dataclass or TypedDict, with the types that they have there.
# `Annotated` adds what a type does not say: `Digits` of a Decimal, and help as text.
class DataSerializer(AnswerSerializer):
    shape: ClassVar[type]

    def get_fields(self) -> dict[str, AnyField]:
        declared = super().get_fields()
        types = get_type_hints(self.shape, include_extras=True)
        derived = {
            name: declared.get(name) or field_of(kind)
            for name, kind in types.items()
            if get_origin(kind) is not ClassVar
        }
        return derived | declared


@cache
def serializer_of(shape: type) -> type[DataSerializer]:
    """Return the serializer of a dataclass or TypedDict, of the same name in the schema."""
    return type(shape.__name__, (DataSerializer,), {"shape": shape, "__doc__": doc_of(shape)})


def doc_of(shape: type) -> str | None:
    """Return the docstring that was written for a dataclass or TypedDict, if any."""
    doc = shape.__doc__
    return None if doc is None or doc.startswith(f"{shape.__name__}(") else doc


def field_of(kind: Any, **options: Any) -> AnyField:
    """Return the field for a type. Raises TypeError for an ambiguous one."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is NotRequired:
        return field_of(inner[0], required=False, **options)
    if origin is Annotated:
        for said in inner[1:]:
            if said is OPTIONAL:
                options["required"] = False
            else:
                options |= asdict(said) if isinstance(said, Digits) else {"help_text": said}
        return field_of(inner[0], **options)
    if origin in (UnionType, Union) and len(inner) == 2 and inner[1] is NoneType:
        return field_of(inner[0], allow_null=True, **options)
    if origin in (list, tuple) and len(set(inner) - {...}) == 1:
        if is_shape(inner[0]) or is_kind(inner[0], serializers.Serializer):
            return field_of(inner[0], many=True, **options)
        return ListOf(child=field_of(inner[0]), **options)
    if origin is dict and inner[0] is str:
        return serializers.DictField(child=field_of(inner[1]), **options)
    if origin is Literal:
        return serializers.ChoiceField(choices=[(word, word) for word in inner], **options)
    if is_shape(kind):
        return serializer_of(kind)(**options)
    if is_kind(kind, serializers.Serializer):
        nested: AnyField = kind(**options)
        return nested
    if is_kind(kind, TextChoices):
        return serializers.ChoiceField(choices=kind.choices, **options)
    if is_kind(kind, StrEnum):
        return serializers.ChoiceField(choices=[(one.value, one.value) for one in kind], **options)
    if kind is Decimal and "max_digits" in options:
        return serializers.DecimalField(**options)
    if kind not in PLAIN_FIELDS:
        raise TypeError(f"{kind} does not say what stands on the wire: declare the field")
    return PLAIN_FIELDS[kind](**options)


def is_shape(kind: object) -> bool:
    return is_dataclass(kind) or is_typeddict(kind)


def is_kind(kind: object, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)
