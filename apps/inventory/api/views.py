"""`/api/inventoryItems`: stock, its ledger, where to put more of it."""

from typing import Any, Final

from django.db.models import F, FilteredRelation, Q, Sum, Window
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.fields import Matching, WholeNumber, YesOrNo
from apps.core.api.filters import ROW_ID
from apps.core.api.views import UNFILTERED, UNPAGED
from apps.core.clock import now
from apps.inventory.api.by_lot import StockByLot
from apps.inventory.api.currency import ChangesCurrency
from apps.inventory.api.filters import ItemFilter
from apps.inventory.api.many import ManyItems
from apps.inventory.api.renumbering import RenumbersItems
from apps.inventory.api.repricing import RepriceItems
from apps.inventory.api.serializers import (
    ID,
    MAX_PIECES,
    DestinationRow,
    InventoryItemRow,
    InventoryItemWrite,
    MovementRow,
    MoveWrite,
    OwnedRow,
)
from apps.inventory.api.stock_charts import StockCharts
from apps.inventory.api.sync_serializers import SyncRow, SyncUpload
from apps.inventory.api.unknown_items import UnknownItems
from apps.inventory.models import VALUE, InventoryItem, InventorySync, Movement
from apps.inventory.selectors import owned_rows, recommend_destinations
from apps.inventory.services import items
from apps.inventory.services.bsx_sync import start_sync
from apps.inventory.services.moves import MoveLine, move_items
from apps.lots.api.sums import SumsLots
from apps.lots.models import Condition

#: How many lots are placed in one request.
MOST_LOTS: Final = 10


class DestinationQuery(serializers.Serializer[Any]):
    lot = WholeNumber(**ID)
    more_lots = Matching(
        f"[1-9][0-9]{{0,17}}(,[1-9][0-9]{{0,17}}){{0,{MOST_LOTS - 2}}}",
        required=False,
        help_text="ids of more lots, separated by commas; their rows follow",
    )
    condition = serializers.ChoiceField(choices=Condition.choices, default=Condition.USED)
    quantity = WholeNumber(min_value=1, max_value=MAX_PIECES, default=1)
    near = serializers.CharField(required=False, allow_blank=True, max_length=100, default="")
    allow_mixed = YesOrNo(default=False)
    limit = WholeNumber(min_value=1, max_value=50, default=10)


class OwnedQuery(serializers.Serializer[Any]):
    lot = WholeNumber(**ID, required=False)
    item = WholeNumber(**ID, required=False, help_text="an item, in every colour")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError({"lot": ["give either lot or item"]})
        return attrs


class InventoryItemViewSet(
    ManyItems,
    RepriceItems,
    ChangesCurrency,
    StockByLot,
    StockCharts,
    SumsLots,
    UnknownItems,
    RenumbersItems,
):
    """The caller's stock, last changed first; rows at 0 only where they are asked for."""

    row_serializer = InventoryItemRow
    write_serializer = InventoryItemWrite
    filterset_class = ItemFilter
    ordered_by = """
        updatedAt createdAt=id quantity price value=own_value
        item_number=lot__item__sort_key part_name=lot__item__name
        color_name=lot__color__name location_name=own_location__sort_key condition
    """
    ordering = "-updatedAt"
    reads_prepared = True

    def rows(self) -> Any:
        # The owner's locations only, or PostgreSQL reads everybody's to sort by their names.
        mine = FilteredRelation("location", condition=Q(location__owner=self.request.user))
        return super().rows().alias(own_value=VALUE).annotate(own_location=mine)

    # -- writing -----------------------------------------------------------------------

    def create_row(self, data: dict[str, Any]) -> InventoryItem:
        owner, by = store_of(self.request), caller_of(self.request)
        pk = self.bulk_engine.create_one(data, owner=owner, by=by, now=now())
        return InventoryItem(pk=pk)

    def delete_row(self, row: InventoryItem) -> None:
        """Delete a row with quantity 0; its ledger stays."""
        items.delete_item(item=row, by=caller_of(self.request), now=now())

    @extend_schema(request=MoveWrite, responses=InventoryItemRow)
    @action(detail=True, methods=["post"])
    def move(self, request: Request, pk: str) -> Response:
        """Carry pieces to another location; answers with the row where they are now."""
        item = self.get_owned(pk)
        data = self.validated(MoveWrite, request.data)
        result = move_items(
            owner=store_of(request),
            lines=[
                MoveLine(item_id=item.pk, to_location_id=data["to"], quantity=data.get("quantity"))
            ],
            by=caller_of(request),
            now=now(),
            override_reason=data["override_reason"],
        )
        return Response(self.row(result.moved[0].item_id))

    @extend_schema(request={"multipart/form-data": SyncUpload}, responses={202: SyncRow})
    @action(detail=False, methods=["post"], parser_classes=[MultiPartParser])
    def sync(self, request: Request) -> Response:
        """Put a BSX file over the stock: this makes the preview. Follow the job."""
        data = self.validated(SyncUpload, request.data)
        file = data["file"]
        sync = start_sync(
            owner=store_of(request),
            file=file,
            file_name=file.name,
            options=data["options"],
            by=caller_of(request),
        )
        row = SyncRow.select(InventorySync.objects.filter(pk=sync.pk)).get()
        return Response(SyncRow(row).data, status=status.HTTP_202_ACCEPTED)

    # -- reading -----------------------------------------------------------------------

    @extend_schema(responses=MovementRow(many=True))
    @action(detail=True, methods=["get"], **UNFILTERED)
    def movements(self, request: Request, pk: str) -> Response:
        """The row's ledger, newest first."""
        item = self.get_owned(pk)
        rows: Any = Movement.objects.filter(item=item).annotate(
            balance=Window(Sum("delta"), order_by=F("id").asc())
        )
        page = self.paginate_queryset(MovementRow.select(rows.order_by("-pk")))
        return self.get_paginated_response(MovementRow(page, many=True).data)

    @extend_schema(
        parameters=[DestinationQuery], responses=DestinationRow(many=True), filters=False
    )
    @action(detail=False, methods=["get"], **UNPAGED)
    def destinations(self, request: Request) -> Response:
        """Where to put a lot, best first, each with its reason; then where to put `more_lots`."""
        asked = self.validated(DestinationQuery, request.query_params)
        found = recommend_destinations(
            owner=store_of(request),
            lot_ids=[asked["lot"], *map(int, filter(None, asked.get("more_lots", "").split(",")))],
            condition=asked["condition"],
            quantity=asked["quantity"],
            near=asked["near"],
            allow_mixed=asked["allow_mixed"],
            limit=asked["limit"],
            now=now(),
        )
        return Response([one._asdict() for one in found])

    @extend_schema(
        parameters=[
            OpenApiParameter("lot", ROW_ID, required=False),
            OpenApiParameter("item", ROW_ID, required=False),
        ],
        responses=OwnedRow(many=True),
        filters=False,
    )
    @action(detail=False, methods=["get"], **UNPAGED)
    def owned(self, request: Request) -> Response:
        """The caller's rows of a lot, or of an item in every colour, most pieces first."""
        asked = self.validated(OwnedQuery, request.query_params)
        return Response(
            owned_rows(owner=store_of(request), lot_id=asked.get("lot"), item_id=asked.get("item"))
        )
