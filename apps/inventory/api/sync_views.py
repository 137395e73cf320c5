"""`/api/inventorySyncs`: BSX files over the stock: preview, apply, undo."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of
from apps.core.api.pagination import PagePagination
from apps.core.api.rendering import success
from apps.core.api.views import OwnedViewSet
from apps.inventory.api.sync_serializers import (
    SYNC_ROWS,
    ApplyWrite,
    BinGroupRow,
    NewLocationRow,
    PreviewWrite,
    RowsQuery,
    SyncRow,
    UndoWrite,
)
from apps.inventory.models import InventorySync
from apps.inventory.selectors.syncs import sync_rows
from apps.inventory.services import bsx_sync


class InventorySyncViewSet(OwnedViewSet):
    """The caller's imports of files, newest first. They begin at `inventoryItems/sync` and
    `batches/importBsx`.
    """

    queryset = InventorySync.objects.defer("told")  # as long as the store, and not shown
    row_serializer = SyncRow
    write_serializer = PreviewWrite
    filterset_fields = ("state", "target")
    ordered_by = "createdAt=id updatedAt"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "head"]

    @extend_schema(exclude=True)
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        raise MethodNotAllowed("POST")

    @extend_schema(parameters=[RowsQuery], responses=SYNC_ROWS)
    @action(
        detail=True, methods=["get"], url_path="rows", filterset_fields=None, ordering_fields={}
    )
    def lots(self, request: Request, pk: str) -> Response:
        """The lots of one kind, in the order of the file; `changed_since` before an undo."""
        sync = self.get_owned(pk)
        kind = self.validated(RowsQuery, request.query_params)["kind"]
        page, size = self._page()
        found = sync_rows(sync=sync, kind=kind, offset=(page - 1) * size, limit=size)
        return paged(found.rows, page=page, size=size, total=found.total)

    @extend_schema(responses=NewLocationRow(many=True))
    @action(
        detail=True,
        methods=["get"],
        url_path="newLocations",
        filterset_fields=None,
        ordering_fields={},
    )
    def new_locations(self, request: Request, pk: str) -> Response:
        """The locations that Remarks name and that are not there yet."""
        names = self.get_owned(pk).new_locations
        page, size = self._page()
        rows = [{"name": name} for name in names[(page - 1) * size : page * size]]
        return paged(rows, page=page, size=size, total=len(names))

    @extend_schema(responses=BinGroupRow(many=True), filters=False)
    @action(
        detail=True,
        methods=["get"],
        url_path="binGroups",
        filterset_fields=None,
        ordering_fields={},
        pagination_class=None,
    )
    def bin_groups(self, request: Request, pk: str) -> Response:
        """The names in Remarks that are no locations yet, by pattern; the doubtful ones last."""
        return Response(self.get_owned(pk).bin_groups)

    @extend_schema(request=PreviewWrite, responses={200: SyncRow, 202: SyncRow})
    @action(detail=True, methods=["post"])
    def preview(self, request: Request, pk: str) -> Response:
        """Preview the file again, with other options or after changes of the stock.

        Options that are not sent are the defaults; of a batch they stay as they are.
        """
        sync = self.get_owned(pk)
        options = self.validated(PreviewWrite, request.data)["options"]
        bsx_sync.start_preview(sync=sync, options=options, by=caller_of(request), sent=request.data)
        return Response(self.row(sync.pk), status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=ApplyWrite, responses={202: SyncRow})
    @action(detail=True, methods=["post"])
    def apply(self, request: Request, pk: str) -> Response:
        """Apply the preview, or continue a cancelled one. Follow the job.

        409 where more than a tenth would fall to 0 and `confirm_zeroed` is not their number,
        where the currency is not decided, or where the stock changed since the preview.
        """
        sync = self.get_owned(pk)
        data = self.validated(ApplyWrite, request.data)
        bsx_sync.start_apply(
            sync=sync, confirm_zeroed=data.get("confirm_zeroed"), by=caller_of(request)
        )
        return Response(self.row(sync.pk), status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=UndoWrite, responses={202: SyncRow})
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: str) -> Response:
        """Put the stock back as it was before the import. Follow the job.

        409 lists rows that were changed since, until `rows_changed_since` or `rows` decide:
        mine keeps them as they are, theirs puts them back too.
        """
        sync = self.get_owned(pk)
        data = self.validated(UndoWrite, request.data)
        bsx_sync.start_undo(
            sync=sync,
            rows_changed_since=data["rows_changed_since"],
            rows=data.get("rows"),
            by=caller_of(request),
        )
        return Response(self.row(sync.pk), status=status.HTTP_202_ACCEPTED)

    def _page(self) -> tuple[int, int]:
        """Return page and size as every list reads them. Raises ValidationError."""
        pages = PagePagination()
        pages.paginate_queryset([], self.request)
        return pages.number, pages.get_page_size(self.request)


def paged(rows: list[dict[str, Any]], *, page: int, size: int, total: int) -> Response:
    """Return a page that no queryset made."""
    return Response(
        success(
            rows,
            pagination={
                "page": page,
                "page_size": size,
                "total_items": total,
                "total_pages": max(-(-total // size), 1),
            },
        )
    )
