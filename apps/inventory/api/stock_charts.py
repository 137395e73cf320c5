"""`/api/inventoryItems/charts` and `/viewCounts`: the stock, or some rows, summed up."""

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.bulk import ListFilters, matching
from apps.core.api.fields import ListOf
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import UNPAGED, OwnedViewSet
from apps.core.clock import now
from apps.core.money import Total
from apps.inventory.api.filters import ItemFilter
from apps.inventory.models import InventoryItem
from apps.inventory.selectors.charts import stock_charts


class SumsRow(AnswerSerializer):
    rows: int
    pieces: int
    value: Total
    lots_without_price: Annotated[int, "rows that are not in the value"]


class TypeSums(SumsRow):
    item_type: Annotated[str, "empty: the file named none"]


class PlaceSums(SumsRow):
    """A location's; none's; or (`locations` above 1) those of all that are not named."""

    location_id: int | None
    location_name: str | None
    locations: int


class AgeSums(SumsRow):
    age: str


class CurvePoint(AnswerSerializer):
    rows: Annotated[int, "so many of the dearest rows"]
    value: Annotated[Total, "are worth so much together"]


class StockChartsRow(AnswerSerializer):
    by_type: list[TypeSums]
    by_location: Annotated[list[PlaceSums], "the twelve of most value, then the rest"]
    by_age: list[AgeSums]
    curve: Annotated[list[CurvePoint], "dearest first, at most 51 points"]


class ViewsWrite(serializers.Serializer[Any]):
    filters = ListOf(
        child=ListFilters(ItemFilter), min_length=1, max_length=40, help_text="one for each count"
    )


class ViewCountRow(AnswerSerializer):
    rows: int


class StockCharts(OwnedViewSet):
    """The stock, summed up for charts."""

    @extend_schema(responses=StockChartsRow, filters=False)
    @action(detail=False, methods=["get"], **UNPAGED)
    def charts(self, request: Request) -> Response:
        """The worth of the stock by type, location and age, and the rows that make most of it."""
        return Response(stock_charts(owner=store_of(request), now=now()))

    @extend_schema(request=ViewsWrite, responses=ViewCountRow(many=True), filters=False)
    @action(
        detail=False,
        methods=["post"],
        url_path="viewCounts",
        applies_once=False,  # it reads; its filters are too long for an address
        **UNPAGED,
    )
    def view_counts(self, request: Request) -> Response:
        """How many rows the list has with each of several filters, in their order."""
        wanted = self.validated(ViewsWrite, request.data)["filters"]
        mine = InventoryItem.objects.owned_by(request.user)
        found = (matching(one, filters=ItemFilter, rows=mine, request=request) for one in wanted)
        return Response([{"rows": rows.order_by().count()} for rows in found])
