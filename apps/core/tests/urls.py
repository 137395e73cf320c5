"""Routes of these tests only: views that count their effects, refuse, and break."""

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.parsing import DepthLimitedJSONParser
from apps.core.api.views import ApiView
from apps.core.errors import Conflict, DomainError, ErrorCode
from apps.core.idempotency.once import RecordedRefusal
from apps.core.throttling import RateWindow, WindowThrottle
from bricks.urls import urlpatterns as real_urls

BOTH = [DepthLimitedJSONParser, MultiPartParser]


def leave_an_effect(name: str = "effect") -> int:
    """Write one more row; return how many there are."""
    count = RateWindow.objects.filter(key=name).count()
    RateWindow.objects.create(key=name, started=count, count=1)
    return count + 1


class EffectView(ApiView):
    """Each call that gets through leaves one row and tells how many there are."""

    parser_classes = BOTH

    @extend_schema(parameters=[OpenApiParameter("x", str)])
    def post(self, request: Request) -> Response:
        return Response({"effects": leave_an_effect()}, status=201)

    patch = post


class RefusingView(ApiView):
    """Leaves an effect and then refuses, by an exception or by its answer."""

    parser_classes = BOTH

    def post(self, request: Request) -> Response:
        leave_an_effect()
        if request.data.get("by") == "record":
            return RecordedRefusal({"rows": "bad"}, status=409)
        if request.data.get("by") == "answer":
            return Response({"rows": "bad"}, status=400)
        raise Conflict(data=[{"id": 7}])


class RecordingView(ApiView):
    """Refuses, and leaves a record that it did."""

    def post(self, request: Request) -> Response:
        leave_an_effect("record")
        return RecordedRefusal({"rows": "bad"}, status=409)


class BrokenView(ApiView):
    permission_classes = [AllowAny]

    def get(self, request: Request) -> Response:
        raise ZeroDivisionError("a secret detail")


class ServiceAway(DomainError):
    code = ErrorCode.UPSTREAM_ERROR
    message = "The store does not answer."


class AwayView(ApiView):
    permission_classes = [AllowAny]

    def get(self, request: Request) -> Response:
        raise ServiceAway


class UnrenderableView(ApiView):
    permission_classes = [AllowAny]

    def get(self, request: Request) -> Response:
        return Response({"text": "\ud800"})


class BusyThrottle(WindowThrottle):
    scope = "test"
    limit = 3


class BusyView(ApiView):
    permission_classes = [AllowAny]
    throttle_classes = [BusyThrottle]

    def get(self, request: Request) -> Response:
        return Response(None)


def plain_broken(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError("a secret detail")


def plain_busy(request: HttpRequest) -> HttpResponse:
    raise OperationalError("the database is gone")


urlpatterns = [
    path("api/test/effect", EffectView.as_view()),
    path("api/test/refusing", RefusingView.as_view()),
    path("api/test/recording", RecordingView.as_view()),
    path("api/test/broken", BrokenView.as_view()),
    path("api/test/away", AwayView.as_view()),
    path("api/test/unrenderable", UnrenderableView.as_view()),
    path("api/test/busy", BusyView.as_view()),
    path("api/test/plain-broken", plain_broken),
    path("api/test/plain-busy", plain_busy),
    *real_urls,
]
