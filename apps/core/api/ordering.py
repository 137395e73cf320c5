"""`ordering`: several fields, each optionally with a minus, always ending in the id."""

import re
from collections.abc import Iterable
from typing import Any

from django.db.models import F, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.filters import BaseFilterBackend


class StableOrderingFilter(BaseFilterBackend):
    """Order by the wire names that the view's `ordering_fields` maps to columns.

    Nulls come last in both directions on both databases. Every order ends in the
    primary key, so that pages never overlap.
    """

    def filter_queryset(self, request: Any, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        columns: dict[str, str] = getattr(view, "ordering_fields", {})
        if not columns:
            return queryset
        text = request.query_params.get("ordering") or getattr(view, "ordering", "")
        return queryset.order_by(*_expressions(text, columns, _nullable(queryset)))

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        names = sorted(getattr(view, "ordering_fields", {}))
        if not names:
            return []
        return [
            {
                "name": "ordering",
                "in": "query",
                "required": False,
                "description": "Comma-separated; a minus reverses. One of: " + ", ".join(names),
                "schema": schema_of(names),
            }
        ]


def schema_of(names: Iterable[str]) -> dict[str, str]:
    """Return the schema of an `ordering` by these names."""
    one_of = f"({'|'.join(map(re.escape, names))})"
    return {"type": "string", "pattern": f"^(-?{one_of}(,-?{one_of})*)?$"}


def _nullable(queryset: QuerySet[Any]) -> set[str]:
    return {field.name for field in queryset.model._meta.fields if field.null}


def _expressions(text: str, columns: dict[str, str], nullable: set[str]) -> list[Any]:
    expressions: list[Any] = []
    seen: set[str] = set()
    last_descends = False
    for name in text.split(",") if text else []:
        descends, field = name.startswith("-"), name.removeprefix("-")
        if field in seen:
            continue  # it cannot change the order, and databases limit the number of terms
        seen.add(field)
        if field not in columns:
            raise ValidationError(
                {"ordering": [f"'{field}' is none of: {', '.join(sorted(columns))}"]}
            )
        column = columns[field]
        last_descends = descends
        # A plain column keeps its index usable; only columns with nulls need more.
        if column in nullable or "__" in column:
            expression = F(column)
            expressions.append(
                expression.desc(nulls_last=True) if descends else expression.asc(nulls_last=True)
            )
        else:
            expressions.append(f"-{column}" if descends else column)
    expressions.append("-pk" if last_descends else "pk")
    return expressions
