"""`/api/batches`: batches, operations on their items, and the import of a file as one."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.batches.api.act_views import BatchActs
from apps.batches.api.chart_views import BatchCharts
from apps.batches.api.filters import BatchFilter
from apps.batches.api.item_serializers import BatchItemRow
from apps.batches.api.label_views import BatchLabels
from apps.batches.api.operation_serializers import (
    ImportWrite,
    MarkListedWrite,
    OperatedRow,
    OperationRow,
    RemoveWrite,
    StowWrite,
    operated_row,
)
from apps.batches.api.part_out_views import PartOuts
from apps.batches.api.serializers import (
    MAX_NESTED_ITEMS,
    BatchDetail,
    BatchRow,
    BatchWrite,
    complete,
)
from apps.batches.api.skip_views import SkippedPieces
from apps.batches.api.won_views import WonAuctions
from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.rules.states import Figures
from apps.batches.selectors import activity_of, figures_of
from apps.batches.services import batches, bsx_import, stowing
from apps.batches.services.items import StockToo
from apps.batches.services.operations import OperationResult
from apps.core.api.rendering import failure
from apps.core.api.schema import ASKS_OUTSIDE
from apps.core.api.views import UNFILTERED
from apps.core.clock import now
from apps.core.idempotency.once import RecordedRefusal
from apps.core.jobs.api import JobRow, accepted
from apps.core.natural import NaturalOrder


class BatchViewSet(BatchActs, BatchCharts, BatchLabels, PartOuts, SkippedPieces, WonAuctions):
    """The caller's batches, newest first; archived ones only where they are asked for."""

    queryset = Batch.objects.ready().alias(name_order=NaturalOrder("name"))
    row_serializer = BatchRow
    write_serializer = BatchWrite
    filterset_class = BatchFilter
    ordered_by = "name=name_order createdAt created_at updatedAt cost_total"
    ordering = "-createdAt"

    # -- reading -----------------------------------------------------------------------

    @extend_schema(responses=BatchDetail)
    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return a batch with its first 500 items; `batchItems?batch=` pages through all."""
        pk = int(kwargs["pk"])
        row = self.row(pk)
        items = BatchItemRow.select(BatchItem.objects.filter(batch_id=pk).order_by("pk"))
        row["batch_items"] = BatchItemRow(items[:MAX_NESTED_ITEMS], many=True).data
        return Response(row)

    def complete(self, rows: list[dict[str, Any]]) -> None:
        ids = [row["id"] for row in rows]
        figures = figures_of(ids)
        flags = activity_of(owner=store_of(self.request), batch_ids=ids)
        for row in rows:
            complete(row, figures.get(row["id"], Figures()), flags.get(row["id"], {}))

    # -- writing -----------------------------------------------------------------------

    def create_row(self, data: dict[str, Any]) -> Batch:
        return batches.create_batch(owner=store_of(self.request), **data)

    def update_row(self, row: Batch, data: dict[str, Any]) -> None:
        batches.edit_batch(batch=row, changes=data)

    @extend_schema(
        parameters=[OpenApiParameter("name", str, description="typed, of a batch with items")]
    )
    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Delete an empty batch, or with its `name` typed, one with items."""
        return super().destroy(request, *args, **kwargs)

    def delete_row(self, row: Batch) -> None:
        """Delete an empty batch, or with `?name=` typed as it is called, one with items."""
        batches.delete_batch(batch=row, typed_name=self.request.query_params.get("name", ""))

    @extend_schema(request=None, responses=BatchRow)
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: str) -> Response:
        """Make the batch read-only and take it off the default list."""
        batches.archive_batch(batch=self.get_owned(pk), now=now())
        return Response(self.row(int(pk)))

    @extend_schema(request=None, responses=BatchRow)
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, pk: str) -> Response:
        """Bring an archived batch back."""
        batches.restore_batch(batch=self.get_owned(pk), now=now())
        return Response(self.row(int(pk)))

    # -- operations --------------------------------------------------------------------

    @extend_schema(
        request=StowWrite,
        responses={200: OperatedRow, 202: OperatedRow},
        extensions={ASKS_OUTSIDE: True},
    )
    @action(detail=True, methods=["post"])
    def stow(self, request: Request, pk: str) -> Response:
        """Stow items: into one location, or each where it is planned, else recommended.

        What does not fit is listed in `failed` and the rest is stowed; naming one location
        for all is all or nothing (`atomic` says otherwise). Nothing stowed answers 409.
        More than 1,000 items answer 202 with a job. `list` lists the stowed items.
        """
        return self._operate(
            pk, StowWrite, lambda data: {"options": data["options"]}, stowing.stow_items
        )

    @extend_schema(request=RemoveWrite, responses={200: OperatedRow, 202: OperatedRow})
    @action(detail=True, methods=["post"])
    def remove(self, request: Request, pk: str) -> Response:
        """Take stowed items out of stock, so that they are new again; delete new ones.

        `act_id` (of a job: `act_ids` in its result) takes it back by `undo`.
        """
        return self._operate(
            pk,
            RemoveWrite,
            lambda data: {"stock": StockToo(data.get("stock", ""))},
            stowing.remove_items,
        )

    @extend_schema(request=MarkListedWrite, responses={200: OperatedRow, 202: OperatedRow})
    @action(detail=True, methods=["post"], url_path="markListed")
    def mark_listed(self, request: Request, pk: str) -> Response:
        """Record that stowed items are for sale, without calling a marketplace."""
        return self._operate(
            pk, MarkListedWrite, lambda data: {"listed": data["listed"]}, stowing.mark_listed
        )

    def _operate(
        self,
        pk: str,
        kind: type[Any],
        how: Callable[[dict[str, Any]], dict[str, Any]],
        operation: Callable[..., OperationResult],
    ) -> Response:
        batch = self.get_owned(pk)
        data = self.validated(kind, self.request.data)
        return answer_to(
            operation(
                batch=batch,
                chosen=data["chosen"],
                by=caller_of(self.request),
                now=now(),
                **how(data),
            )
        )

    @extend_schema(responses=OperationRow(many=True))
    @action(detail=True, methods=["get"], **UNFILTERED)
    def operations(self, request: Request, pk: str) -> Response:
        """The operations on the batch, newest first."""
        batch = self.get_owned(pk)
        rows: QuerySet[Any] = BatchOperation.objects.filter(batch=batch)
        page = self.paginate_queryset(OperationRow.select(rows.order_by("-created_at", "-pk")))
        return self.get_paginated_response(OperationRow(page, many=True).data)

    @extend_schema(request={"multipart/form-data": ImportWrite}, responses={202: JobRow})
    @action(detail=False, methods=["post"], url_path="importBsx", parser_classes=[MultiPartParser])
    def import_bsx(self, request: Request) -> Response:
        """Make a batch of a file of lots, or let its lots join one (`into`). Follow the job.

        The batch appears when it is whole. A file with a question, such as one in another currency
        than the store's, waits: the job's result names its preview (`sync_id`) and no `batch_id`.
        """
        data = self.validated(ImportWrite, request.data)
        file, options = data["file"], data["options"]
        if "into" in data:
            options = replace(options, into=self.get_owned(data["into"]))
        sync = bsx_import.start_import(
            owner=store_of(request),
            file=file,
            file_name=file.name,
            options=options,
            by=caller_of(request),
        )
        assert sync.job is not None
        return accepted(sync.job)


def answer_to(operated: OperationResult) -> Response:
    """Return 202 for a job, 409 if everything was refused, else 200 with the results."""
    row = operated_row(operated)
    if operated.job is not None:
        return Response(row, status=status.HTTP_202_ACCEPTED)
    results = operated.results
    if results is None or results.done or not results.failed:
        return Response(row)
    # An answer, not an exception: the log keeps that it was tried and why it failed.
    envelope = failure(
        status=status.HTTP_409_CONFLICT,
        code=results.code,
        message=results.failed[0]["reason"],
        fields={str(one["id"]): [one["reason"]] for one in results.failed},
        data=[row],
    )
    return RecordedRefusal(envelope, status=status.HTTP_409_CONFLICT)
