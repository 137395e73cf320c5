"""`/api/pickWalks`: several orders in one walk past the bins."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.filters import BooleanFilter, FilterSet
from apps.core.api.views import UNPAGED, OwnedViewSet
from apps.core.clock import now
from apps.orders.api.serializers import (
    CountRow,
    PickedRow,
    PickWrite,
    StopRow,
    UndoPickWrite,
    WalkOrderRow,
    WalkRow,
    WalkWrite,
)
from apps.orders.models import PickWalk, WalkOrder
from apps.orders.selectors.walks import stops_of
from apps.orders.services import picking


class WalkFilter(FilterSet):
    is_open = BooleanFilter(field_name="ended_at", lookup_expr="isnull")

    class Meta:
        model = PickWalk
        fields: tuple[str, ...] = ()


class PickWalkViewSet(OwnedViewSet):
    """The caller's walks, the newest first. Several people may share one."""

    row_serializer = WalkRow
    write_serializer = WalkWrite
    filterset_class = WalkFilter
    ordered_by = "createdAt=id"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "head"]

    def create_row(self, data: dict[str, Any]) -> PickWalk:
        return picking.start_walk(
            owner=store_of(self.request), order_ids=data.get("order_ids"), now=now()
        )

    @extend_schema(responses=StopRow(many=True))
    @action(detail=True, methods=["get"], **UNPAGED)
    def stops(self, request: Request, pk: str) -> Response:
        """The stops that are left, by bin in natural order."""
        return Response(stops_of(walk=self.get_owned(pk)))

    @extend_schema(responses=WalkOrderRow(many=True))
    @action(detail=True, methods=["get"], **UNPAGED)
    def orders(self, request: Request, pk: str) -> Response:
        """Its orders by tray."""
        rows = WalkOrder.objects.filter(walk=self.get_owned(pk)).order_by("pk")
        return Response(WalkOrderRow(WalkOrderRow.select(rows), many=True).data)

    @extend_schema(request=PickWrite, responses=PickedRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def pick(self, request: Request, pk: str) -> Response:
        """Take the pieces of a stop. Those taken by another picker are reported."""
        walk = self.get_owned(pk)
        data = self.validated(PickWrite, request.data)
        picked: dict[int, int] = {}
        for line in data["lines"]:
            picked[line["line_id"]] = picked.get(line["line_id"], 0) + line["quantity"]
        done = picking.pick_stop(
            walk=walk,
            item_id=data["item_id"],
            picked=picked,
            reason=data.get("reason", ""),
            left=data.get("left"),
            by=caller_of(request),
            now=now(),
        )
        return Response(
            [
                {
                    "taken": sum(done.taken.values()),
                    "already": sum(done.already.values()),
                    "elsewhere": sum(done.elsewhere.values()),
                    "short": sum(done.short.values()),
                    "movement_ids": done.movement_ids,
                    "uncounted": [asdict(one) for one in done.uncounted],
                    "dropped": [asdict(one) for one in done.dropped],
                    "short_lines": [{"line_id": pk, "quantity": n} for pk, n in done.short.items()],
                    "count_location_id": done.count_location_id,
                    "is_over": done.is_over,
                }
            ]
        )

    @extend_schema(request=UndoPickWrite, responses=CountRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def undo(self, request: Request, pk: str) -> Response:
        """Put the pieces of a stop back; they are to be picked again."""
        walk = self.get_owned(pk)
        data = self.validated(UndoPickWrite, request.data)
        count = picking.undo_stop(
            walk=walk,
            movement_ids=data["movement_ids"],
            uncounted=[picking.Uncounted(**one) for one in data.get("uncounted", ())],
            dropped=[picking.Uncounted(**one) for one in data.get("dropped", ())],
            short=[picking.ShortLine(**one) for one in data.get("short_lines", ())],
            by=caller_of(request),
            now=now(),
        )
        return Response([{"count": count}])

    @extend_schema(request=None, responses=WalkRow)
    @action(detail=True, methods=["post"], **UNPAGED)
    def end(self, request: Request, pk: str) -> Response:
        """End it before everything is picked; the other pieces wait for another walk."""
        picking.end_walk(walk=self.get_owned(pk), now=now())
        return Response(self.row(int(pk)))
