"""`/api/marketplaceConnection` and `/api/marketplace/…`."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.accounts.selectors import store_of
from apps.core.api.bulk import chosen_ids
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.core.jobs.api import JobRow
from apps.core.jobs.models import Job
from apps.inventory.api.filters import ItemFilter
from apps.inventory.api.forms import NamedRow, named_answer
from apps.inventory.models import InventoryItem
from apps.marketplace.api.parameters import OF_MARKETPLACE, marketplace_of
from apps.marketplace.api.serializers import (
    ConnectionChange,
    ConnectionRow,
    DemoWrite,
    LookUpWrite,
    RefreshWrite,
    SecretsWrite,
    WantWrite,
)
from apps.marketplace.api.wanting import PriceRunRow, WantedPricesRow, wanted_row
from apps.marketplace.rules.wants import Wanted
from apps.marketplace.selectors import connection_row, price_run_row, stock_wanted
from apps.marketplace.services import connections, refreshes, wants
from apps.marketplace.services.look_ups import look_up_item


def _connection(request: Request, marketplace: str | None = None) -> Response:
    row = connection_row(owner=store_of(request), marketplace=marketplace, now=now())
    return Response(row)


class ConnectionView(ApiView):
    """The caller's store at the marketplace."""

    @extend_schema(
        parameters=OF_MARKETPLACE,
        responses=ConnectionRow,
        operation_id="marketplaceConnection_retrieve",
    )
    def get(self, request: Request) -> Response:
        """Return the connection, and the calls left today."""
        return _connection(request, marketplace_of(request))

    @extend_schema(request=SecretsWrite, responses=ConnectionRow)
    def put(self, request: Request) -> Response:
        """Store the secrets of a marketplace, in place of earlier ones. Test them afterwards.

        Other marketplaces stay connected. 409 while it is not known what became of a call.
        """
        told = SecretsWrite(data=request.data)
        told.is_valid(raise_exception=True)
        secrets = told.secrets()
        connections.connect_store(owner=store_of(request), secrets=secrets, now=now())
        return _connection(request, secrets.marketplace)

    @extend_schema(parameters=OF_MARKETPLACE, request=ConnectionChange, responses=ConnectionRow)
    def patch(self, request: Request) -> Response:
        """Pause the store or resume it; let *Get prices* use another share of the day's calls.

        A paused store is left out of syncs, and nothing is raised elsewhere of lots that it has.
        409 without a connection.
        """
        told = self.validated(ConnectionChange, request.data)
        owner, named = store_of(request), marketplace_of(request)
        if "is_paused" in told:
            connections.pause_store(
                owner=owner, is_paused=told["is_paused"], marketplace=named, now=now()
            )
        if "guide_share" in told:
            wants.change_guide_share(
                owner=owner, share=told["guide_share"], marketplace=named, now=now()
            )
        return _connection(request, named)

    @extend_schema(parameters=OF_MARKETPLACE, responses={200: ConnectionRow})
    def delete(self, request: Request) -> Response:
        """Forget the secrets. Prices that are known stay.

        409 while it is not known what became of a call, where the marketplace needs that.
        """
        connections.disconnect_store(owner=store_of(request), marketplace=marketplace_of(request))
        return _connection(request)


class ConnectionTestView(ApiView):
    """One call that shows whether the marketplace takes the secrets."""

    asks_outside = True
    applies_once = False  # the calls that it makes stay counted, whatever comes of them

    @extend_schema(parameters=OF_MARKETPLACE, request=None, responses=ConnectionRow)
    def post(self, request: Request) -> Response:
        """Make the call. `state` is its result; 502 or 504 if there was no answer."""
        named = marketplace_of(request)
        connections.try_connection(owner=store_of(request), marketplace=named, now=now())
        return _connection(request, named)


class DemoConnectionView(ApiView):
    """The demo store, for who has none."""

    asks_outside = True
    applies_once = False

    @extend_schema(request=DemoWrite, responses=ConnectionRow)
    def post(self, request: Request) -> Response:
        """Connect a demo store. 409 on a server that works with the real marketplace."""
        told = self.validated(DemoWrite, request.data)
        connections.connect_demo_store(owner=store_of(request), now=now(), **told)
        return _connection(request, told.get("marketplace"))


class ItemLookUpView(ApiView):
    """Look up an unknown number in the marketplace's catalogue."""

    asks_outside = True
    applies_once = False  # the call stays counted, whatever comes of it

    @extend_schema(request=LookUpWrite, responses={200: NamedRow, 202: JobRow})
    def post(self, request: Request) -> Response:
        """Look the number of an unknown row up, by one call, and name all its lots.

        The item is in everybody's catalogue from then on. 409 where the marketplace does not
        know it either, and without a connection.
        """
        told = self.validated(LookUpWrite, request.data)
        done = look_up_item(owner=cast("User", request.user), row_id=told["id"], now=now())
        return named_answer(done)


class PriceRefreshView(ApiView):
    """Jobs that get prices again."""

    asks_outside = True  # in the demo, a store for who has none

    @extend_schema(request=RefreshWrite, responses={202: JobRow})
    def post(self, request: Request) -> Response:
        """Start asking for the prices of these lots; follow the job.

        A lot that was asked for in the last 15 minutes, or is being asked for, is left out.
        """
        told = self.validated(RefreshWrite, request.data)
        job = refreshes.start_refresh(
            owner=cast("User", request.user), lot_ids=told["lot_ids"], now=now()
        )
        return Response(_job_row(job), status=status.HTTP_202_ACCEPTED)


class PriceRunView(ApiView):
    """The prices of many lots, got over days if need be."""

    asks_outside = True  # in the demo, a store for who has none

    @extend_schema(responses=PriceRunRow, operation_id="priceRun_retrieve")
    def get(self, request: Request) -> Response:
        """Return how many lots are done and left, and when all will be done."""
        return Response(price_run_row(owner=cast("User", request.user), now=now()))

    @extend_schema(request=WantWrite, responses={202: WantedPricesRow})
    def post(self, request: Request) -> Response:
        """Get the prices of these lots as the caller's price rule needs them.

        One call for a lot, two where nothing was sold; the most money at stake first; inside the
        caller's share of the day's calls. The remaining lots continue on the next day.
        """
        told = self.validated(WantWrite, request.data)
        owner = cast("User", request.user)
        if "lots" in told:
            wanted = [Wanted(**row, price=None) for row in told["lots"]]
        elif told:
            rows = InventoryItem.objects.owned_by(owner)
            wanted = stock_wanted(
                owner=owner, ids=chosen_ids(request, filters=ItemFilter, rows=rows)
            )
        else:
            wants.resume_prices(owner=owner, now=now())
            wanted = []
        asked = wants.want_prices(owner=owner, wanted=wanted, now=now())
        return Response(wanted_row(asked, owner), status=status.HTTP_202_ACCEPTED)

    @extend_schema(responses={200: PriceRunRow})
    def delete(self, request: Request) -> Response:
        """Stop waiting for prices. Received figures are kept."""
        owner = cast("User", request.user)
        wants.stop_prices(owner=owner)
        return Response(price_run_row(owner=owner, now=now()))


def _job_row(job: Job) -> Any:
    return JobRow(JobRow.select(Job.objects.filter(pk=job.pk)).get()).data
