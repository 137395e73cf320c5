"""`/api/recognition` and the stopwatch of the station, `/api/stationSittings`."""

from dataclasses import asdict
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.views import ApiView, OwnedViewSet
from apps.core.clock import now
from apps.core.throttling import PictureThrottle
from apps.recognition.api.serializers import (
    CandidateRow,
    CardsWrite,
    PictureWrite,
    RecognitionStateRow,
    SittingRow,
    SittingWrite,
    WrongMatchRow,
    WrongMatchWrite,
)
from apps.recognition.models import StationSitting, WrongMatch
from apps.recognition.rules.lookup import Lookup
from apps.recognition.services.cards import print_station_cards
from apps.recognition.services.identify import identify, recognition_state
from apps.recognition.services.sittings import record_sitting
from apps.recognition.services.wrong_matches import report_wrong_match, take_back_report


class IdentifyView(ApiView):
    """From a picture to candidates."""

    asks_outside = True
    parser_classes = [MultiPartParser]
    throttle_classes = [PictureThrottle]
    # Nothing is written, and no transaction may stay open while the recogniser thinks.
    applies_once: ClassVar[bool] = False

    @extend_schema(request={"multipart/form-data": PictureWrite}, responses=CandidateRow(many=True))
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Identify what a picture shows: candidates, best first, an empty list for no match.

        JPEG, PNG or WebP of at most 20 MB; 415 for anything else, whatever its name says.
        """
        asked = PictureWrite(data=request.data)
        asked.is_valid(raise_exception=True)
        return Response(
            identify(
                picture=asked.validated_data["file"].read(),
                lookup=Lookup(asked.validated_data["lookup_type"]),
                now=now(),
                person=request.user,
            )
        )


class RecognitionStateView(ApiView):
    @extend_schema(responses=RecognitionStateRow)
    def get(self, request: Request) -> Response:
        """Which recogniser is asked, whether it is the simulator, and whether it answers."""
        return Response(asdict(recognition_state()))


class StationCardsView(ApiView):
    """Prints the cards of the station. Doing it twice does no harm."""

    applies_once: ClassVar[bool] = False

    @extend_schema(request=CardsWrite, responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    def post(self, request: Request) -> HttpResponse:
        """Print command cards and tray cards as PDF, and one for the batch that is named."""
        asked = CardsWrite(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        named = "batch_code" in data and "batch_name" in data
        batch = (data["batch_code"], data["batch_name"]) if named else None
        return HttpResponse(
            print_station_cards(layout=data["layout"], batch=batch),
            content_type="application/pdf",
            headers={
                "Content-Disposition": 'attachment; filename="station-cards.pdf"',
                "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            },
        )


class StationSittingViewSet(OwnedViewSet):
    """What the caller's sittings at the station brought and cost, newest first."""

    queryset = StationSitting.objects.all()
    row_serializer = SittingRow
    write_serializer = SittingWrite
    ordering_fields = {"started_at": "started_at"}
    ordering = "-started_at"
    http_method_names = ["get", "post", "head", "options"]

    def create_row(self, data: dict[str, Any]) -> StationSitting:
        """Keep the sums so far; the same `key` again replaces them."""
        key = data.pop("key")
        return record_sitting(owner=self.request.user, key=key, figures=data)


class WrongMatchViewSet(OwnedViewSet):
    """What the caller reported as recognised wrongly, newest first."""

    queryset = WrongMatch.objects.all()
    row_serializer = WrongMatchRow
    write_serializer = WrongMatchWrite
    ordering_fields = {"createdAt": "id"}
    ordering = "-createdAt"
    http_method_names = ["get", "post", "delete", "head", "options"]

    def create_row(self, data: dict[str, Any]) -> WrongMatch:
        """Report a match as wrong; the picture is not kept."""
        return report_wrong_match(owner=self.request.user, said=data)

    def delete_row(self, row: WrongMatch) -> None:
        """Take a report back."""
        take_back_report(report=row)
