"""`/api/marketplace/listings`: list items at the store, and the listings sent."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.batches.models import Batch
from apps.core.api.bulk import chosen_ids
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.inventory.api.filters import ItemFilter
from apps.inventory.models import InventoryItem
from apps.listings.api.serializers import (
    ACT_OF_KIND,
    ListingRunRow,
    ListingRunsQuery,
    MarketListingRow,
    MarketListingStarted,
    MarketListingWrite,
    StockListingWrite,
    UnlistWrite,
)
from apps.listings.services import listing


class ListingViewSet(OwnedViewSet):
    """The caller's listings, newest first."""

    asks_outside = True  # in the demo, a store for who has none
    row_serializer = MarketListingRow
    write_serializer = MarketListingWrite
    filterset_fields = ("state", "kind")
    ordered_by = "createdAt"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "head"]

    @extend_schema(request=MarketListingWrite, responses={202: MarketListingStarted})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List stowed items of a batch: new lots, or on top of a lot that agrees. Follow the job.

        Nothing is sent twice: what became of a call without an answer is read in the store.
        """
        data = self.validated(MarketListingWrite, request.data)
        started = listing.start_listing(
            batch=data["batch_id"],
            chosen=data["chosen"],
            stockroom=data["stockroom"],
            now=now(),
        )
        return _accepted(started.job, started.count)

    @extend_schema(request=StockListingWrite, responses={202: MarketListingStarted})
    @action(detail=False, methods=["post"])
    def stock(self, request: Request) -> Response:
        """List rows of stock: what of them is not for sale yet. Follow the job.

        Items of batches that wait in a row go along. What is for sale already is told and not
        sent; a lot that is in a stockroom comes out of it where `stockroom` is "".
        """
        data = self.validated(StockListingWrite, request.data)
        started = listing.start_stock_listing(
            owner=store_of(request),
            row_ids=_rows_of(request),
            stockroom=data["stockroom"],
            now=now(),
        )
        return _accepted(started.job, started.count)

    @extend_schema(request=UnlistWrite, responses={202: MarketListingStarted})
    @action(detail=False, methods=["post"])
    def unlist(self, request: Request) -> Response:
        """Take rows of stock off sale: their lots go into a stockroom. Follow the job.

        Nothing is deleted in the store; listing a row brings its lot back.
        """
        data = self.validated(UnlistWrite, request.data)
        started = listing.start_unlisting(
            owner=store_of(request),
            row_ids=_rows_of(request),
            stockroom=data["stockroom"],
            now=now(),
        )
        return _accepted(started.job, started.count)

    @extend_schema(parameters=[ListingRunsQuery], responses=ListingRunRow(many=True))
    @action(detail=False, methods=["get"], filterset_fields=None, ordering_fields={})
    def runs(self, request: Request) -> Response:
        """Each act of listing, newest first: its progress or result."""
        only = self.validated(ListingRunsQuery, request.query_params)
        jobs = Job.objects.owned_by(request.user).filter(kind__in=list(ACT_OF_KIND), **only)
        page = self.paginate_queryset(ListingRunRow.select(jobs.order_by("-created_at", "-pk")))
        rows = ListingRunRow(page, many=True).data
        batches = Batch.objects.owned_by(request.user).filter(
            pk__in={row["batch_id"] for row in rows}
        )
        names = dict(batches.values_list("pk", "name"))
        for row in rows:
            row["batch_name"] = names.get(row["batch_id"])
        return self.get_paginated_response(rows)


def _rows_of(request: Request) -> list[int]:
    """Return the rows of the caller's stock that the request names, or that match its filter."""
    mine = InventoryItem.objects.owned_by(request.user)
    return chosen_ids(request, filters=ItemFilter, rows=mine)


def _accepted(job: Job, count: int) -> Response:
    row = {"job_id": job.pk, "item_count": count}
    return Response(row, status=status.HTTP_202_ACCEPTED)
