"""Rows go from `.values()` straight to JSON; the serializer only names the columns."""

from typing import Any

from django.db.models import F, QuerySet
from rest_framework import serializers


class PassThroughList(serializers.ListSerializer[Any]):
    """A list of rows that are already plain mappings."""

    def to_representation(self, data: Any) -> list[Any]:
        finish = self.child.finish  # type: ignore[union-attr]
        return [finish(row) for row in data]


class RowSerializer(serializers.Serializer[Any]):
    """Declare the wire names of a row; `source` is the column (or annotation) behind each.

    `select()` makes the `.values()` query, so a row never becomes a model instance.
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
