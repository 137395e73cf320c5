"""`/api/stocktakes`: locations counted by hand, and the differences booked."""

from dataclasses import asdict
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.fields import Text, WholeNumber
from apps.core.api.filters import FilterSet, IdFilter
from apps.core.api.serializers import DataSerializer, RelatedFields, RowSerializer
from apps.core.api.views import UNFILTERED, UNPAGED, OwnedViewSet
from apps.core.clock import now
from apps.inventory.api.serializers import ID, MAX_PIECES, InventoryItemRow
from apps.inventory.models import Stocktake, StocktakeCount
from apps.inventory.selectors.stocktakes import Tally, counted_rows, found_lots, tally_of
from apps.inventory.services import stocktakes
from apps.locations.models import Location
from apps.locations.services.errors import LocationGone
from apps.lots.models import Condition


class StocktakeRow(RowSerializer):
    """One stocktake of one location."""

    model = Stocktake
    columns = "id location_id location_name=location.name state note createdAt updatedAt appliedAt"

    act_id: Annotated[int | None, "takes it back"]


class StocktakeWrite(serializers.Serializer[Any]):
    location_id = WholeNumber(**ID)


class TallyRow(DataSerializer):
    """What applying a stocktake would book."""

    shape = Tally


class CountedRow(InventoryItemRow):
    """A row of the location and its count; null: not counted yet."""

    counted: int | None
    seen: Annotated[int | None, "there when it was counted"]


class FoundRow(RowSerializer):
    """A lot that was found without a row."""

    model = StocktakeCount
    columns = "id condition counted"

    lot_id: int
    item_number = serializers.CharField(source="lot.item.number")
    part_name = serializers.CharField(source="lot.item.name")
    item_type = serializers.CharField(source="lot.item.item_type")
    color_name = serializers.CharField(source="lot.color.name")


class CountWrite(RelatedFields):
    """The count of a row, or of a lot without one; null removes a count."""

    item_id = WholeNumber(**ID, required=False)
    lot_id = WholeNumber(**ID, required=False)
    condition = serializers.ChoiceField(choices=Condition.choices, default=Condition.USED)
    counted = WholeNumber(min_value=0, max_value=MAX_PIECES, allow_null=True)

    exactly_one = ("item_id", "lot_id")


class CountsWrite(serializers.Serializer[Any]):
    counts = CountWrite(  # type: ignore[call-arg]
        many=True, allow_empty=False, max_length=stocktakes.AT_ONCE
    )


class ApplyStocktake(serializers.Serializer[Any]):
    uncounted = serializers.ChoiceField(
        choices=[("keep", "keep"), ("missing", "missing")],
        default="keep",
        help_text="rows that nobody counted stay, or are missing",
    )
    note = Text(max_length=500, allow_blank=True, required=False, default="")


class StocktakeFilter(FilterSet):
    location = IdFilter(field_name="location_id")

    class Meta:
        model = Stocktake
        fields = ("state",)


class StocktakeViewSet(OwnedViewSet):
    """The caller's stocktakes, newest first. Posting begins one, or gives the open one back."""

    row_serializer = StocktakeRow
    write_serializer = StocktakeWrite
    filterset_class = StocktakeFilter
    ordered_by = "createdAt=id"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "head"]

    def create_row(self, data: dict[str, Any]) -> Stocktake:
        owner = store_of(self.request)
        location = Location.objects.owned_by(owner).filter(pk=data["location_id"]).first()
        if location is None:
            raise LocationGone
        return stocktakes.start_stocktake(owner=owner, location=location)

    @extend_schema(responses=CountedRow(many=True), filters=False)
    @action(detail=True, methods=["get"], url_path="rows", **UNFILTERED)
    def lots(self, request: Request, pk: str) -> Response:
        """The location's rows in the order of their numbers, with their counts."""
        rows = counted_rows(stocktake=self.get_owned(pk)).order_by(
            "lot__item__sort_key", "lot__color__name", "pk"
        )
        page = self.paginate_queryset(CountedRow.select(rows))
        return self.get_paginated_response(CountedRow(page, many=True).data)

    @extend_schema(responses=FoundRow(many=True), filters=False)
    @action(detail=True, methods=["get"], **UNFILTERED)
    def found(self, request: Request, pk: str) -> Response:
        """The counted lots without a row."""
        page = self.paginate_queryset(FoundRow.select(found_lots(stocktake=self.get_owned(pk))))
        return self.get_paginated_response(FoundRow(page, many=True).data)

    @extend_schema(responses=TallyRow, filters=False)
    @action(detail=True, methods=["get"], **UNPAGED)
    def tally(self, request: Request, pk: str) -> Response:
        """What applying it would book."""
        return Response([asdict(tally_of(stocktake=self.get_owned(pk)))])

    @extend_schema(request=CountsWrite, responses=TallyRow)
    @action(detail=True, methods=["post"])
    def counts(self, request: Request, pk: str) -> Response:
        """Write counts of rows and of lots found without one; nothing of the stock changes."""
        stocktake = self.get_owned(pk)
        data = self.validated(CountsWrite, request.data)
        counts = [stocktakes.Count(**one) for one in data["counts"]]
        stocktakes.record_counts(stocktake=stocktake, counts=counts, now=now())
        return Response([asdict(tally_of(stocktake=stocktake))])

    @extend_schema(request=ApplyStocktake, responses=StocktakeRow)
    @action(detail=True, methods=["post"])
    def apply(self, request: Request, pk: str) -> Response:
        """Book the differences; `act_id` of the answer takes them back."""
        stocktake = self.get_owned(pk)
        data = self.validated(ApplyStocktake, request.data)
        stocktakes.apply_stocktake(
            stocktake=stocktake,
            uncounted=data["uncounted"],
            note=data["note"],
            by=caller_of(request),
            now=now(),
        )
        return Response(self.row(stocktake.pk), status=status.HTTP_200_OK)

    @extend_schema(request=None, responses=StocktakeRow)
    @action(detail=True, methods=["post"])
    def discard(self, request: Request, pk: str) -> Response:
        """End it with nothing booked."""
        stocktake = self.get_owned(pk)
        stocktakes.discard_stocktake(stocktake=stocktake, now=now())
        return Response(self.row(stocktake.pk))
