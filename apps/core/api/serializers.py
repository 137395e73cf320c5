"""Serializers of requests, whose fields depend on each other, of rows, and of dataclasses.

Rows go from `.values()` straight to JSON; the serializer only names the columns.
"""

from collections.abc import Callable
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, ClassVar, Final, Literal, get_args, get_origin, get_type_hints

from django.db.models import F, QuerySet
from rest_framework import serializers

Schema = dict[str, Any]


class RelatedFields(serializers.Serializer[Any]):
    """A request whose schema includes how its fields depend on each other."""

    #: Exactly one of these fields is given.
    exactly_one: ClassVar[tuple[str, ...]] = ()
    #: At least one of these fields is given.
    some_of: ClassVar[tuple[str, ...]] = ()
    #: What else must hold, as JSON schemas; `validate` of the same class checks it.
    relations: ClassVar[tuple[Schema, ...]] = ()

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

    def all_relations(self) -> list[Schema]:
        """Return how the fields depend on each other, as JSON schemas; of a part, `some_of`."""
        found = []
        if not self.partial:
            kinds = type(self).__mro__
            found = [one for kind in kinds for one in kind.__dict__.get("relations", ())]
            if self.exactly_one:
                found.append({"oneOf": [{"required": [name]} for name in self.exactly_one]})
        if self.some_of:
            found.append({"anyOf": [{"required": [name]} for name in self.some_of]})
        return found


class PassThroughList(serializers.ListSerializer[Any]):
    """A list of rows that are already plain mappings."""

    def to_representation(self, data: Any) -> list[Any]:
        finish = self.child.finish  # type: ignore[union-attr]
        return [finish(row) for row in data]


class RowSerializer(serializers.Serializer[Any]):
    """Declare the wire names of a row; `source` is the column (or annotation) behind each.

    `select()` makes the `.values()` query, so no model instances are created.
    Names in `computed` have no column: `finish()` adds them, from the columns named
    in `also_select` (which it removes again). The fields also feed the OpenAPI schema.
    """

    computed: tuple[str, ...] = ()
    also_select: tuple[str, ...] = ()

    @classmethod
    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
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

    def finish(self, row: Any) -> Any:
        """Complete one row in place and return it."""
        return row

    def to_representation(self, instance: Any) -> Any:
        return self.finish(instance)


AnyField = serializers.Field[Any, Any, Any, Any]
PLAIN_FIELDS: Final[dict[Any, Callable[..., AnyField]]] = {
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    bool: serializers.BooleanField,
}


# An answer whose fields are those of a dataclass, with the types that they have there. Only what a
# type does not say is declared: digits of amounts, rows in rows, help. (A docstring would stand in
# the schema for every heir without one.)
class DataSerializer(serializers.Serializer[Any]):
    shape: ClassVar[type]

    def get_fields(self) -> dict[str, AnyField]:
        declared = super().get_fields()
        types = get_type_hints(self.shape)
        names = [field.name for field in fields(self.shape)]
        return {name: declared.get(name) or field_of(types[name]) for name in names} | declared


def field_of(kind: Any, **options: Any) -> AnyField:
    """Return the field for a type. Raises TypeError for an ambiguous one."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType and len(inner) == 2 and inner[1] is NoneType:
        return field_of(inner[0], allow_null=True, **options)
    if origin in (list, tuple) and len(set(inner) - {...}) == 1:
        return serializers.ListField(child=field_of(inner[0]), **options)
    if origin is dict and inner[0] is str:
        return serializers.DictField(child=field_of(inner[1]), **options)
    if origin is Literal:
        return serializers.ChoiceField(choices=[(word, word) for word in inner], **options)
    if kind not in PLAIN_FIELDS:
        raise TypeError(f"{kind} does not say what stands on the wire: declare the field")
    return PLAIN_FIELDS[kind](**options)
