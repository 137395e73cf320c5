"""`/api/marketplace/syncs` and `pulls`: what differs between stock and store, shown first."""

from typing import Any, cast

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.selectors import caller_of, store_of
from apps.batches.models import Batch
from apps.core.api.serializers import serializer_of
from apps.core.api.views import ApiView, OwnedViewSet
from apps.core.clock import now
from apps.inventory.models import InventoryItem
from apps.listings.api.serializers import (
    ApplySyncWrite,
    DifferencesQuery,
    PullStarted,
    StoreSyncRowOut,
    StoreSyncWrite,
    SyncDifference,
    SyncNowWrite,
    removals_of,
)
from apps.listings.models import StoreSyncRow, SyncWay
from apps.listings.rules.cycle import suspicion
from apps.listings.services import store_pull, store_sync
from apps.listings.services.lot_in_channels import LotInChannel, lot_in_channels
from apps.marketplace.api.parameters import OF_MARKETPLACE, marketplace_of


class StorePullView(ApiView):
    """`/api/marketplace/pulls`: the whole store into the preview of an import."""

    asks_outside = True  # in the demo, a store for who has none

    @extend_schema(parameters=OF_MARKETPLACE, request=None, responses={202: PullStarted})
    def post(self, request: Request) -> Response:
        """Read all lots of the store and show what would change here. Nothing changes yet.

        The answer is the import that begins; follow its job, then `inventorySyncs/{id}`.
        409 while another import runs.
        """
        sync = store_pull.start_pull(
            owner=store_of(request),
            by=caller_of(request),
            now=now(),
            marketplace=marketplace_of(request),
        )
        return Response(PullStarted(sync).data, status=status.HTTP_202_ACCEPTED)


class LotInChannelsView(ApiView):
    """`/api/marketplace/channelLots/{id}`: the lot of a row of stock at each of the stores."""

    @extend_schema(
        responses=serializer_of(LotInChannel)(many=True), operation_id="channelLots_list"
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return what each connected store has of the lot of a row of stock."""
        item = InventoryItem.objects.owned_by(request.user).filter(pk=pk).first()
        if item is None:
            raise Http404
        return Response(lot_in_channels(item))


class StoreSyncViewSet(OwnedViewSet):
    """The caller's syncs with the store, newest first."""

    asks_outside = True  # in the demo, a store for who has none
    row_serializer = StoreSyncRowOut
    write_serializer = StoreSyncWrite
    filterset_fields = ("state",)
    ordered_by = "createdAt"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "head"]

    def complete(self, rows: list[dict[str, Any]]) -> None:
        ids = {row["batch_id"] for row in rows if row["batch_id"]}
        names = dict(
            Batch.objects.owned_by(self.request.user).filter(pk__in=ids).values_list("pk", "name")
        )
        for row in rows:
            row["batch_name"] = names.get(row["batch_id"])
            is_compared = row["way"] == SyncWay.COMPARE
            row["removals"] = removals_of(row["counts"]) if is_compared else 0
            if not is_compared:
                row["removals"] = row["counts"].get("to_confirm", 0)
            row["suspicion"] = suspicion(row["counts"])

    @extend_schema(request=StoreSyncWrite, responses={202: StoreSyncRowOut})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Plan a sync of the stock, or of what one batch stowed, with the store: nothing changes yet.

        409 while another is planned or applied just now, or an import runs.
        """
        data = self.validated(StoreSyncWrite, request.data)
        sync = store_sync.start_plan(owner=store_of(request), batch=data.get("batch_id"), now=now())
        return Response(self.row(sync.pk), status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=SyncNowWrite, responses={202: StoreSyncRowOut})
    @action(detail=False, methods=["post"], url_path="now")
    def now(self, request: Request) -> Response:
        """Bring stock and store in step: orders, what changed there, then ours as deltas.

        What it changes here is an import that can be undone. 409 while a sync or an import runs, or
        before the store was pulled once. A sync that would take many lots off sale stops and
        wants `confirm_removals`.
        """
        data = self.validated(SyncNowWrite, request.data)
        sync = store_sync.start_cycle(
            owner=cast("User", request.user),
            now=now(),
            confirm_removals=data.get("confirm_removals"),
        )
        return Response(self.row(sync.pk), status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=ApplySyncWrite, responses={202: StoreSyncRowOut})
    @action(detail=True, methods=["post"])
    def apply(self, request: Request, pk: str) -> Response:
        """Apply the plan: what changed in the store comes in, the store gets our changes.

        What it changes here is an import that can be undone. A row that is no longer as it was
        planned is skipped. Lots that vanish, here or there, want their number typed.
        """
        sync = self.get_owned(pk)
        data = self.validated(ApplySyncWrite, request.data)
        store_sync.start_apply(
            sync=sync,
            confirm_removals=data.get("confirm_removals"),
            leave_out=data.get("leave_out", []),
            only=data.get("only"),
        )
        return Response(self.row(sync.pk), status=status.HTTP_202_ACCEPTED)

    @extend_schema(parameters=[DifferencesQuery], responses=SyncDifference(many=True))
    @action(
        detail=True, methods=["get"], url_path="rows", filterset_fields=None, ordering_fields={}
    )
    def differences(self, request: Request, pk: str) -> Response:
        """The lots that differ, and what became of each."""
        only = self.validated(DifferencesQuery, request.query_params)
        rows = StoreSyncRow.objects.filter(sync=self.get_owned(pk), **only).order_by("pk")
        page = self.paginate_queryset(SyncDifference.select(rows))
        return self.get_paginated_response(SyncDifference(page, many=True).data)
