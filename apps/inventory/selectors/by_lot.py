"""Stock summed by lot and condition, with the places of each under it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db.models import BigIntegerField, Case, Count, F, Max, Min, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from apps.core.worth import lots_without_price, total_worth
from apps.exchange.conditions import UNKNOWN_CONDITION

MOST_PLACES: Final = 20
#: Wire name of an order -> the annotation behind it.
ORDERS: Final = {
    "item_number": "sort_key",
    "part_name": "name",
    "color_name": "color",
    "quantity": "pieces",
    "row_count": "row_count",
    "location_count": "location_count",
    "value": "worth",
    "updatedAt": "changed_at",
}


_ALONE: Final = -F("id")
_KEY: Final = Case(
    When(Q(condition=UNKNOWN_CONDITION), then=_ALONE),
    default=Coalesce("lot_id", _ALONE),
    output_field=BigIntegerField(),
)


def stock_by_lot(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Group rows of stock by lot and condition.

    Rows without a catalogue lot, or in a condition that was not understood, are not grouped.

    One mapping per group: key, condition, first_id, pieces, row_count, location_count, lowest,
    highest, worth, unpriced, changed_at.
    """
    return (
        rows.order_by()
        .annotate(key=_KEY)
        .values("key", "condition")
        .annotate(
            first_id=Min("id"),
            pieces=Sum("quantity"),
            row_count=Count("id"),
            location_count=Count("location", distinct=True),
            lowest=Min("price"),
            highest=Max("price"),
            worth=total_worth(),
            unpriced=lots_without_price(),
            changed_at=Max("updated_at"),
        )
    )


def ordered_groups(groups: QuerySet[Any], terms: Iterable[tuple[str, bool]]) -> QuerySet[Any]:
    """Order groups by (wire name, descending) terms, always ending in the group itself."""
    found: list[Any] = []
    looked_up = {
        "sort_key": Min("lot__item__sort_key"),
        "name": Min("lot__item__name"),
        "color": Min("lot__color__name"),
    }
    for name, descends in terms:
        column = ORDERS[name]
        if column in looked_up:
            groups = groups.annotate(**{column: looked_up[column]})
        expression = F(column)
        found.append(
            expression.desc(nulls_last=True) if descends else expression.asc(nulls_last=True)
        )
    return groups.order_by(*found, "key", "condition")


def places_of(
    rows: QuerySet[Any], groups: Iterable[Mapping[str, Any]]
) -> dict[tuple[int, str], list[dict[str, Any]]]:
    """Return the rows of each group, at most 20, those with most pieces first."""
    groups = list(groups)
    lots = [group["key"] for group in groups if group["key"] > 0]
    alone = [-group["key"] for group in groups if group["key"] <= 0]
    found: defaultdict[tuple[int, str], list[dict[str, Any]]] = defaultdict(list)
    chosen = (
        rows.annotate(key=_KEY)
        .filter(Q(lot_id__in=lots) | Q(pk__in=alone))
        .order_by("-quantity", "pk")
    )
    for row in chosen.values(
        "id",
        "key",
        "condition",
        "sub_condition",
        "quantity",
        "price",
        "location_id",
        location_name=F("location__name"),
    ):
        places = found[row.pop("key"), row.pop("condition")]
        if len(places) < MOST_PLACES:
            places.append(row)
    return found
