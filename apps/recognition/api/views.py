"""`/api/recognition` and the stopwatch of the station, `/api/stationSittings`."""

from typing import Any, ClassVar

from django.http import HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.downloads import download_in_parts
from apps.core.api.printing import pdf_answer
from apps.core.api.serializers import serializer_of
from apps.core.api.views import ApiView, OwnedViewSet
from apps.core.clock import now
from apps.core.throttling import PictureThrottle, WindowThrottle
from apps.recognition.api.serializers import (
    CandidateRow,
    CaptureRow,
    CaptureWrite,
    CardsWrite,
    MouldRow,
    PictureWrite,
    SittingRow,
    SittingWrite,
    WrongMatchRow,
    WrongMatchWrite,
)
from apps.recognition.models import Capture, StationSitting, WrongMatch
from apps.recognition.rules.lookup import Lookup
from apps.recognition.selectors.moulds import mould_figures
from apps.recognition.services.captures import export_captures, forget_capture, keep_capture
from apps.recognition.services.cards import marker_card_pdf, print_station_cards
from apps.recognition.services.eyes import Asked
from apps.recognition.services.identify import RecognitionState, recognition_state, see
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
        """Identify the parts in a picture: candidates, best first, an empty list for no match.

        JPEG, PNG or WebP of at most 20 MB; 415 for anything else, with any name.
        """
        data = self.validated(PictureWrite, request.data)
        pictures = [data[name].read() for name in ("file", "second") if name in data]
        beside = Asked(
            every_piece=data["every_piece"], among=data.get("item_ids", ()), grams=data.get("grams")
        )
        return Response(
            see(
                pictures=pictures,
                lookup=Lookup(data["lookup_type"]),
                whom=data["recogniser"],
                asked=beside,
                now=now(),
                person=store_of(request),
            )
        )


class RecognitionStateView(ApiView):
    @extend_schema(responses=serializer_of(RecognitionState))
    def get(self, request: Request) -> Response:
        """Which recogniser is asked, whether it is the simulator, and whether it answers."""
        return Response(recognition_state())


class MouldsView(ApiView):
    @extend_schema(responses=MouldRow(many=True))
    def get(self, request: Request) -> Response:
        """How often each part was recognised rightly, by the caller's answers, most wrong first."""
        return Response(mould_figures(owner=store_of(request)))


class MarkerCardView(ApiView):
    """Prints the card that a part is laid on. Doing it twice does no harm."""

    applies_once: ClassVar[bool] = False

    @extend_schema(request=None, responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    def post(self, request: Request) -> HttpResponse:
        """Print the marker card as PDF, A5 on a sheet of A4: millimetres, a white and a grey."""
        return pdf_answer(marker_card_pdf(), name="marker-card.pdf")


class StationCardsView(ApiView):
    """Prints the cards of the station. Doing it twice does no harm."""

    applies_once: ClassVar[bool] = False

    @extend_schema(request=CardsWrite, responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    def post(self, request: Request) -> HttpResponse:
        """Print command cards and tray cards as PDF, and one for the batch that is named."""
        data = self.validated(CardsWrite, request.data)
        named = "batch_code" in data and "batch_name" in data
        batch = (data["batch_code"], data["batch_name"]) if named else None
        cards = print_station_cards(layout=data["layout"], batch=batch)
        return pdf_answer(cards, name="station-cards.pdf")


class StationSittingViewSet(OwnedViewSet):
    """The caller's sittings at the station: pieces, worth and time, newest first."""

    row_serializer = SittingRow
    write_serializer = SittingWrite
    ordered_by = "started_at"
    ordering = "-started_at"
    http_method_names = ["get", "post", "head"]

    def create_row(self, data: dict[str, Any]) -> StationSitting:
        """Keep the sums so far; the same `key` again replaces them."""
        key = data.pop("key")
        return record_sitting(owner=store_of(self.request), key=key, figures=data)


class WrongMatchViewSet(OwnedViewSet):
    """The wrong matches that the caller reported, newest first."""

    row_serializer = WrongMatchRow
    write_serializer = WrongMatchWrite
    ordered_by = "createdAt=id"
    ordering = "-createdAt"
    http_method_names = ["get", "post", "delete", "head"]

    def create_row(self, data: dict[str, Any]) -> WrongMatch:
        """Report a match as wrong; the picture is not kept."""
        return report_wrong_match(owner=store_of(self.request), said=data)

    def delete_row(self, row: WrongMatch) -> None:
        """Take a report back."""
        take_back_report(report=row)


class CapturesThrottle(WindowThrottle):
    """A file of all captures reads up to 100 MB."""

    scope = "captures"
    limit = 6


class CapturesFileView(ApiView):
    throttle_classes = [CapturesThrottle]

    @extend_schema(
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
        operation_id="recognition_captures_file_retrieve",
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """The caller's captures as a zip: pictures, and captures.csv with what each one shows."""
        return download_in_parts(
            export_captures(owner=store_of(request)),
            name="captures.zip",
            content_type="application/zip",
        )


class CaptureViewSet(OwnedViewSet):
    """The caller's confirmed pictures, newest first; they help to recognise his parts."""

    queryset = Capture.objects.select_related("item")
    row_serializer = CaptureRow
    write_serializer = CaptureWrite
    ordered_by = "created_at=id"
    ordering = "-created_at"
    http_method_names = ["get", "post", "delete", "head"]

    def create_row(self, data: dict[str, Any]) -> Capture:
        """Store a picture with its confirmed item."""
        return keep_capture(
            owner=store_of(self.request),
            capture=data["capture"],
            item_id=data["item_id"],
            color_id=data.get("color_id"),
            seen_number=data.get("seen_number", ""),
        )

    def delete_row(self, row: Capture) -> None:
        """Forget it."""
        forget_capture(capture=row)
