"""`/api/batches/{id}/…`: acts on many items at once, each shown before and taken back after."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of
from apps.batches.api.act_serializers import (
    ActedRow,
    BatchActRow,
    ConsolidateBatchWrite,
    MergeBatchWrite,
    MoveItemsWrite,
    RecommendWrite,
    RepriceWrite,
    SplitBatchWrite,
    SpreadWrite,
    UndoActWrite,
    acted_row,
)
from apps.batches.api.operation_serializers import ChoiceWrite
from apps.batches.rules.cost import SpreadBy
from apps.batches.services import acts, arranging, prices
from apps.core.api.hidden import own_only
from apps.core.api.schema import ASKS_OUTSIDE
from apps.core.api.views import UNFILTERED, OwnedViewSet
from apps.core.clock import now
from apps.core.errors import NotFound
from apps.lots.models import KeptAct
from apps.marketplace.api.wanting import WantedPricesRow, wanted_row


class BatchActs(OwnedViewSet):
    """The acts. With `dry_run` each returns a preview only."""

    @extend_schema(request=RepriceWrite, responses=ActedRow)
    @action(detail=True, methods=["post"])
    def reprice(self, request: Request, pk: str) -> Response:
        """Set one price, change prices by a percentage, or use the price rule."""
        return self._act(pk, RepriceWrite, lambda data: {"how": data["how"]}, prices.reprice_items)

    @extend_schema(
        request=ChoiceWrite, responses={202: WantedPricesRow}, extensions={ASKS_OUTSIDE: True}
    )
    @action(detail=True, methods=["post"], url_path="getPrices")
    def get_prices(self, request: Request, pk: str) -> Response:
        """Get the market's figures of items; stored ones cost no call."""
        batch = self.get_owned(pk)
        data = self.validated(ChoiceWrite, request.data)
        asked = prices.want_batch_prices(batch=batch, chosen=data["chosen"], now=now())
        return Response(wanted_row(asked, batch.owner), status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=SpreadWrite, responses=ActedRow)
    @action(detail=True, methods=["post"], url_path="spreadCost")
    def spread_cost(self, request: Request, pk: str) -> Response:
        """Spread the batch's cost over its items, to the last cent."""
        return self._act(
            pk,
            SpreadWrite,
            lambda data: {"spread_by": SpreadBy(data["by"]), "total": data.get("total")},
            prices.spread_batch_cost,
        )

    @extend_schema(request=RecommendWrite, responses=ActedRow)
    @action(detail=True, methods=["post"], url_path="recommendLocations")
    def recommend_locations(self, request: Request, pk: str) -> Response:
        """Plan for each new item the location that is recommended, all seeing each other's room."""
        return self._act(
            pk,
            RecommendWrite,
            lambda data: {"replace": data["replace"]},
            arranging.recommend_locations,
        )

    @extend_schema(request=ConsolidateBatchWrite, responses=ActedRow)
    @action(detail=True, methods=["post"])
    def consolidate(self, request: Request, pk: str) -> Response:
        """Make one of new items of the same lot, condition and completeness."""
        return self._act(
            pk,
            ConsolidateBatchWrite,
            lambda data: {"how": data["how"]},
            arranging.consolidate_batch,
        )

    @extend_schema(request=SplitBatchWrite, responses=ActedRow)
    @action(detail=True, methods=["post"])
    def split(self, request: Request, pk: str) -> Response:
        """Carry the items of each location to a batch of their own."""
        return self._act(
            pk,
            SplitBatchWrite,
            lambda data: {"by_aisle": data["by"] == "aisle"},
            arranging.split_by_location,
        )

    @extend_schema(request=MoveItemsWrite, responses=ActedRow)
    @action(detail=True, methods=["post"], url_path="moveItems")
    def move_items(self, request: Request, pk: str) -> Response:
        """Carry items to another batch, or copy them there."""
        return self._act(
            pk,
            MoveItemsWrite,
            lambda data: {"to": data["to_batch_id"], "copy": data["copy"]},
            arranging.move_to_batch,
        )

    @extend_schema(request=MergeBatchWrite, responses=ActedRow)
    @action(detail=True, methods=["post"])
    def merge(self, request: Request, pk: str) -> Response:
        """Carry all of the batch, its cost included, to another and archive it."""
        batch = self.get_owned(pk)
        data = self.validated(MergeBatchWrite, request.data)
        acted = arranging.merge_batch(
            batch=batch,
            to=data["to_batch_id"],
            dry_run=data["dry_run"],
            by=caller_of(request),
            now=now(),
        )
        return Response(acted_row(acted))

    @extend_schema(responses=BatchActRow(many=True))
    @action(detail=True, methods=["get"], **UNFILTERED)
    def acts(self, request: Request, pk: str) -> Response:
        """The acts on many of its items at once, newest first."""
        rows = own_only(KeptAct.objects.filter(batch=self.get_owned(pk)), request)
        rows = rows.order_by("-created_at", "-pk")
        page = self.paginate_queryset(BatchActRow.select(rows))
        return self.get_paginated_response(BatchActRow(page, many=True).data)

    @extend_schema(request=UndoActWrite, responses=BatchActRow)
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: str) -> Response:
        """Take an act back. 409 names the items that were changed since."""
        batch = self.get_owned(pk)
        data = self.validated(UndoActWrite, request.data)
        act = own_only(acts.acts_named(batch.pk, [data["act_id"]]), request).first()
        if act is None:
            raise NotFound
        acts.undo_act(act=act, by=caller_of(request), now=now())
        row = BatchActRow.select(KeptAct.objects.filter(pk=act.pk)).get()
        return Response(BatchActRow(row).data)

    def _act(self, pk: str, write: Any, options: Any, service: Any) -> Response:
        batch = self.get_owned(pk)
        data = self.validated(write, self.request.data)
        acted = service(
            batch=batch,
            chosen=data["chosen"],
            dry_run=data["dry_run"],
            by=caller_of(self.request),
            now=now(),
            **options(data),
        )
        return Response(acted_row(acted))
