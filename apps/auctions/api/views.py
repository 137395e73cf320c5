"""`/api/auctionListings`, `/api/auctionSearches` and `/api/auctionSite`."""

from typing import Any

from django.conf import settings
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.auctions.api.filters import ListingFilter
from apps.auctions.api.serializers import (
    AuctionSiteRow,
    AuctionSiteWrite,
    LinkWrite,
    ListingRow,
    ListingWrite,
    RefreshListingsWrite,
    SearchRow,
    SearchWrite,
)
from apps.auctions.models import AuctionListing, AuctionSearch
from apps.auctions.services import listings, searches, site
from apps.auctions.services.site import SITE_NAME
from apps.core.api.views import ApiView, OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.api import JobRow, accepted


class AuctionListingViewSet(OwnedViewSet):
    """Listings that the caller looks at, the soonest end first."""

    row_serializer = ListingRow
    write_serializer = ListingWrite
    filterset_class = ListingFilter
    ordered_by = "end_time current_price landed_cost landed_per_kg bid_count created_at=id"
    ordering = "end_time"

    def rows(self) -> Any:
        return self.get_queryset().with_batch()

    def create_row(self, data: dict[str, Any]) -> AuctionListing:
        return listings.enter_listing(owner=store_of(self.request), fields=data)

    def update_row(self, row: AuctionListing, data: dict[str, Any]) -> None:
        listings.edit_listing(listing=row, changes=data)

    def delete_row(self, row: AuctionListing) -> None:
        row.delete()


class AuctionSearchViewSet(OwnedViewSet):
    """Words that the site is asked for with each refresh."""

    row_serializer = SearchRow
    write_serializer = SearchWrite
    ordered_by = "text createdAt=id"
    ordering = "text"

    def create_row(self, data: dict[str, Any]) -> AuctionSearch:
        return searches.save_search(owner=store_of(self.request), fields=data)

    def update_row(self, row: AuctionSearch, data: dict[str, Any]) -> None:
        searches.edit_search(search=row, changes=data)

    def delete_row(self, row: AuctionSearch) -> None:
        row.delete()


class _QuestionView(ApiView):
    """Asks the site about one listing. Asking twice does no harm, and holds no transaction."""

    asks_outside = True
    applies_once = False

    def listing(self, pk: int) -> AuctionListing:
        rows = AuctionListing.objects.owned_by(self.request.user).select_related("owner")
        found = rows.filter(pk=pk).first()
        if found is None:
            raise Http404
        return found

    def row(self, pk: int) -> Response:
        rows = AuctionListing.objects.owned_by(self.request.user).filter(pk=pk)
        found = ListingRow.select(rows.with_batch()).first()
        if found is None:
            raise Http404
        return Response(ListingRow(found).data)


class ListingRefreshView(_QuestionView):
    @extend_schema(request=None, responses=ListingRow, operation_id="auctionListings_refresh")
    def post(self, request: Request, pk: int) -> Response:
        """Refresh this listing from the site; on 502 it keeps its values."""
        return self.row(listings.refresh_listing(listing=self.listing(pk), clock=now).pk)


class ListingShippingView(_QuestionView):
    @extend_schema(request=None, responses=ListingRow, operation_id="auctionListings_shipping")
    def post(self, request: Request, pk: int) -> Response:
        """Calculate shipping to the caller's ZIP code; unreadable stays unknown (409)."""
        return self.row(listings.calculate_shipping(listing=self.listing(pk), clock=now).pk)


class ListingByLinkView(_QuestionView):
    @extend_schema(
        request=LinkWrite,
        responses={200: ListingRow, 201: ListingRow},
        operation_id="auctionListings_byLink",
    )
    def post(self, request: Request) -> Response:
        """Fetch a listing by its link or number; 200 where it is there, and renewed."""
        link = self.validated(LinkWrite, request.data)["link"]
        listing, is_new = listings.add_by_link(owner=store_of(request), link=link, clock=now)
        answer = self.row(listing.pk)
        answer.status_code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return answer


class RefreshAllView(ApiView):
    @extend_schema(
        request=RefreshListingsWrite,
        responses={202: JobRow},
        operation_id="auctionListings_refreshAll",
    )
    def post(self, request: Request) -> Response:
        """Start a job that runs the saved searches and refreshes listings watched or in view."""
        shown = self.validated(RefreshListingsWrite, request.data).get("shown", [])
        job = searches.start_refresh(owner=store_of(request), now=now(), shown=shown)
        return accepted(job)


class SiteView(ApiView):
    """The auction site of this installation."""

    @extend_schema(responses=AuctionSiteRow, operation_id="auctionSite_retrieve")
    def get(self, request: Request) -> Response:
        """Return whether the site may be called, and the caller's costs and proceeds."""
        until, because = site.halt(now=now())
        options = listings.buyer_options_of(store_of(request))
        return Response(
            {
                "name": SITE_NAME,
                "is_on": site.is_on(),
                "is_demo": settings.AUCTIONS_IS_DEMO,
                "haltedUntil": until,
                "halted_because": because,
                "tax_percent": options.tax_percent,
                "fee_percent": options.fee_percent,
                "hourly_rate": options.hourly_rate,
            }
        )

    @extend_schema(
        request=AuctionSiteWrite, responses=AuctionSiteRow, operation_id="auctionSite_update"
    )
    def patch(self, request: Request) -> Response:
        """Change the tax (the landed cost of each listing follows), the fees or the hourly rate."""
        options = self.validated(AuctionSiteWrite, request.data)
        listings.set_buyer_options(owner=store_of(request), options=options)
        return self.get(request)
