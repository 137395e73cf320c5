"""`/api/inventoryItems/lots`: the stock by lot and condition, with its places."""

import datetime as dt
from collections.abc import Collection
from typing import Annotated

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.catalog.models.choices import ITEM_TYPES
from apps.core.api.ordering import schema_of
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import OwnedViewSet
from apps.core.errors import Invalid
from apps.core.money import Money, Total, money_text
from apps.inventory.api.serializers import InventoryItemRow
from apps.inventory.models import InventoryItem
from apps.inventory.selectors.by_lot import ORDERS, ordered_groups, places_of, stock_by_lot
from apps.lots.models import LotCondition


class PlaceRow(AnswerSerializer):
    """One row of the lot: its pieces and its bin."""

    id: int
    location_id: int | None
    location_name: str | None
    quantity: int
    price: Money | None
    sub_condition: str


class LotRow(AnswerSerializer):
    """What there is of a lot in one condition; `id` is its oldest row's."""

    id: int
    lot_id: int | None
    item_number: str
    item_type = serializers.ChoiceField(choices=ITEM_TYPES)
    part_name: str
    image_url: str
    color_id: int | None
    color_name: str
    color_html: str
    is_known: bool
    condition: LotCondition
    quantity: int
    row_count: int
    location_count: int
    price_min: Annotated[Money | None, "null: no row has a price"]
    price_max: Money | None
    value: Total
    lots_without_price: Annotated[int, "rows that are not in the value"]
    updatedAt: dt.datetime
    places: Annotated[list[PlaceRow], "at most 20, most pieces first"]


SHOWN = (
    "lot_id",
    "item_number",
    "item_type",
    "part_name",
    "image_url",
    "color_id",
    "color_name",
    "color_html",
    "is_known",
)


class StockByLot(OwnedViewSet):
    """The stock by lot and condition."""

    @extend_schema(
        responses=LotRow(many=True),
        parameters=[
            OpenApiParameter(
                "ordering",
                schema_of(ORDERS),
                description="Comma-separated; a minus reverses. One of: " + ", ".join(ORDERS),
            )
        ],
    )
    @action(detail=False, methods=["get"], ordering_fields={})
    def lots(self, request: Request) -> Response:
        """What there is of each lot in each condition, and where; filters as the list's."""
        rows = self.filter_queryset(self.get_queryset())
        text = request.query_params.get("ordering", "") or "item_number"
        groups = ordered_groups(stock_by_lot(rows), ordering_terms(text, ORDERS))
        page = self.paginate_queryset(groups) or []
        shown = InventoryItemRow.select(
            InventoryItem.objects.filter(pk__in=[group["first_id"] for group in page])
        )
        firsts = {row["id"]: row for row in InventoryItemRow(shown, many=True).data}
        places = places_of(rows, page)
        return self.get_paginated_response(
            [
                {
                    "id": group["first_id"],
                    **{name: firsts[group["first_id"]][name] for name in SHOWN},
                    "condition": group["condition"],
                    "quantity": group["pieces"],
                    "row_count": group["row_count"],
                    "location_count": group["location_count"],
                    "price_min": money_text(group["lowest"]),
                    "price_max": money_text(group["highest"]),
                    "value": money_text(group["worth"]),
                    "lots_without_price": group["unpriced"],
                    "updatedAt": group["changed_at"],
                    "places": places[group["key"], group["condition"]],
                }
                for group in page
                if group["first_id"] in firsts
            ]
        )


def ordering_terms(text: str, orders: Collection[str]) -> list[tuple[str, bool]]:
    """Return (wire name, descends) of an `ordering` by groups. Raises Invalid."""
    found: dict[str, bool] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name = part.removeprefix("-")
        if name not in orders:
            raise Invalid(
                fields={"ordering": [f"'{name}' is none of: {', '.join(sorted(orders))}"]}
            )
        found.setdefault(name, part.startswith("-"))
    return list(found.items())
