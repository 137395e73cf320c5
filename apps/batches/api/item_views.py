"""`/api/batchItems`: the items of batches."""

from typing import Any

from django.db.models import FilteredRelation, Q, QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.batches.api.bulk import BESIDE, BULK_SCHEMA, read_removal
from apps.batches.api.filters import ItemFilter
from apps.batches.api.item_serializers import (
    BatchItemRow,
    BatchItemWrite,
    LastAdded,
    PiecesWrite,
)
from apps.batches.models import BatchItem
from apps.batches.selectors import last_added, pieces_of_batch
from apps.batches.services.bulk import ITEMS, add_item, count_item
from apps.core.clock import now
from apps.inventory.api.naming import NamesUnknown
from apps.lots.api.bulk import BulkLots
from apps.lots.api.sums import SumsLots


class AddedBatchItemRow(BatchItemRow):
    """The item with the fields that the browser stores of the last one added."""

    is_topped_up: bool
    last_added: LastAdded
    computed: tuple[str, ...] = (*BatchItemRow.computed, "is_topped_up", "last_added")
    also_select = (*BatchItemRow.also_select, "batch__name", "pieces_of_batch")

    @classmethod
    def select(cls, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().select(queryset.annotate(pieces_of_batch=pieces_of_batch()))


@extend_schema_view(bulk=BULK_SCHEMA)
class BatchItemViewSet(NamesUnknown, SumsLots, BulkLots):
    """Items of the caller's batches. Those of one batch: `?batch=`."""

    queryset = BatchItem.objects.visible()
    row_serializer = BatchItemRow
    write_serializer = BatchItemWrite
    filterset_class = ItemFilter
    ordered_by = """
        id createdAt updatedAt stowedAt qty=quantity price condition
        item_number=lot__item__sort_key item_name=lot__item__name
        item_type=lot__item__item_type color_name=lot__color__name
        user_inventory_item_location_name=own_location__sort_key
    """
    ordering = "id"
    reads_prepared = True
    bulk_engine = ITEMS
    beside = BESIDE
    read_removal = staticmethod(read_removal)

    def rows(self) -> Any:
        # The owner's locations only, or PostgreSQL reads everybody's to sort by their names.
        mine = FilteredRelation("location", condition=Q(location__owner=self.request.user))
        return super().rows().annotate(own_location=mine)

    @extend_schema(request=BatchItemWrite, responses={201: AddedBatchItemRow})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Add an item to a batch; with `top_up`, onto a new row of the same lot, condition, price."""
        data = self.validated(BatchItemWrite, request.data)
        added = add_item(owner=store_of(request), draft=data, now=now())
        row = self.row(added.item_id, shape=AddedBatchItemRow)
        row["is_topped_up"] = added.is_topped_up
        row["last_added"] = last_added(row=row, quantity=added.quantity, at=now())
        return Response(row, status=status.HTTP_201_CREATED)

    @extend_schema(request=PiecesWrite, responses=BatchItemRow(many=True))
    @action(detail=True, methods=["post"], url_path="count")
    def count_pieces(self, request: Request, pk: str) -> Response:
        """Put `change` pieces onto the item, or take them off, whatever it holds by now.

        The last piece takes the item along, and out of stock: the answer has no row then.
        """
        self.get_owned(pk)
        data = self.validated(PiecesWrite, request.data)
        left = count_item(owner=store_of(request), item_id=int(pk), now=now(), **data)
        return Response([self.row(int(pk))] if left else [])

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "stock",
                str,
                enum=["out", "keep"],
                description="of a stowed item: take its pieces out of stock, or keep them there",
            )
        ]
    )
    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Delete an item. 409 asks whether the stock of a stowed one goes too."""
        return super().destroy(request, *args, **kwargs)

    def delete_row(self, row: BatchItem) -> None:
        word = self.request.query_params.get("stock", "")
        owner, by = store_of(self.request), caller_of(self.request)
        removal = read_removal({"id": row.pk, "stock": word})
        self.bulk_engine.delete_one(removal, owner=owner, by=by, now=now())
