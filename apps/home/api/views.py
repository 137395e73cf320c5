"""`/api/home`, `/api/find`, `/api/reports` and `/api/auctionWorth`."""

import re
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.catalog.rules.search_words import MAX_QUERY_LENGTH
from apps.core.api.filters import TIME_ZONE, ZONE_HELP, zone_asked
from apps.core.api.hidden import hides_buyers
from apps.core.api.serializers import serializer_of
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.core.errors import Invalid
from apps.home.selectors.files import REPORTS, report_file
from apps.home.selectors.find import FindRow, find
from apps.home.selectors.home import HomeRow, home
from apps.home.selectors.reports import ReportsRow, reports
from apps.home.selectors.worth import AuctionWorthRow, auction_worth

MOST_IDS: Final = 100
NUMBER: Final = re.compile(r"[0-9]{1,15}")
IDS = OpenApiParameter(
    "ids",
    {
        "type": "string",
        "pattern": rf"^([0-9]{{1,15}}(,[0-9]{{1,15}}){{0,{MOST_IDS - 1}}})?$",
    },
    description=f"of listings, with commas, at most {MOST_IDS}",
)

ZONE = OpenApiParameter("time_zone", dict(TIME_ZONE), description=ZONE_HELP)


def ids_in(request: Request) -> list[int]:
    """Return the ids that the query names, if any. Raises Invalid for others than 100 numbers."""
    asked = request.query_params.get("ids", "")
    ids = asked.split(",") if asked else []
    if len(ids) > MOST_IDS or not all(NUMBER.fullmatch(text) for text in ids):
        raise Invalid(fields={"ids": [f"at most {MOST_IDS} ids of listings, with commas"]})
    return [int(text) for text in ids]


class HomeView(ApiView):
    @extend_schema(
        responses=serializer_of(HomeRow), parameters=[ZONE], operation_id="home_retrieve"
    )
    def get(self, request: Request) -> Response:
        """The whole home page: figures, the worklist, and failures."""
        user: Any = request.user
        return Response(home(user=user, now=now(), zone=zone_asked(request)))


class FindView(ApiView):
    @extend_schema(
        responses=serializer_of(FindRow),
        parameters=[
            OpenApiParameter(
                "search",
                {"type": "string", "pattern": r"^[^\x00]*$"},  # blank, too
                description="a number, words, a colour, or the name of a bin, batch, set or source",
            )
        ],
        operation_id="find_retrieve",
    )
    def get(self, request: Request) -> Response:
        """The parts, bins, batches, sets and sources that match a text, best first."""
        user: Any = request.user
        text = request.query_params.get("search", "")[:MAX_QUERY_LENGTH]
        return Response(find(user=user, text=text, hides_buyers=hides_buyers(request)))


class AuctionWorthView(ApiView):
    @extend_schema(
        responses=serializer_of(AuctionWorthRow),
        parameters=[IDS],
        operation_id="auctionWorth_retrieve",
    )
    def get(self, request: Request) -> Response:
        """Up to where a bid on each listing makes sense, by what one's own batches brought."""
        user: Any = request.user
        return Response(auction_worth(user=user, ids=ids_in(request)))


class ReportsView(ApiView):
    @extend_schema(
        responses=serializer_of(ReportsRow), parameters=[ZONE], operation_id="reports_retrieve"
    )
    def get(self, request: Request) -> Response:
        """What to buy next: returns, pace, stock by age and value, sell-through."""
        user: Any = request.user
        return Response(reports(user=user, zone=zone_asked(request), now=now()))


class ReportFileView(ApiView):
    @extend_schema(
        responses={(200, "text/csv"): OpenApiTypes.BINARY},
        parameters=[ZONE],
        operation_id="reports_file_retrieve",
    )
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """Download a report as a spreadsheet (CSV), with all its rows."""
        user: Any = request.user
        if name not in REPORTS:
            raise Http404
        instant = now()
        content = report_file(user=user, name=name, zone=zone_asked(request), now=instant)
        answer = HttpResponse(content, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{name}-{instant:%Y-%m-%d}.csv"'
        return answer
