"""`POST /api/logs`: what went wrong in a browser, throttled and cut."""

import logging

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.fields import AnyText, ListOf, WholeNumber
from apps.core.api.parsing import DepthLimitedJSONParser
from apps.core.api.views import ApiView
from apps.core.ownership import person_of
from apps.core.throttling import WindowThrottle

logger = logging.getLogger("brickstow.client")

MAX_MESSAGE = 1_000
MAX_ENTRIES = 50
LEVELS = {"debug": 10, "info": 20, "warn": 30, "error": 40}


class LogParser(DepthLimitedJSONParser):
    """Allows four bytes for each character, and room for the JSON around them."""

    limit = 256 * 1024


class LogEntry(serializers.Serializer[None]):
    level = serializers.ChoiceField(choices=list(LEVELS))
    message = AnyText(max_length=MAX_MESSAGE)
    count = WholeNumber(min_value=1, max_value=1_000_000, default=1)
    page = AnyText(max_length=200, required=False, allow_blank=True, default="")


class LogBatch(serializers.Serializer[None]):
    entries = ListOf(child=LogEntry(), min_length=1, max_length=MAX_ENTRIES)


class LogThrottle(WindowThrottle):
    scope = "logs"
    limit = 30
    seconds = 60


class LogView(ApiView):
    """Take a batch of client log entries into the server's log."""

    permission_classes = [AllowAny]
    throttle_classes = [LogThrottle]
    parser_classes = [LogParser]
    applies_once = False

    @extend_schema(request=LogBatch, responses={202: None})
    def post(self, request: Request) -> Response:
        entries = self.validated(LogBatch, request.data)["entries"]
        user = person_of(request).pk if request.user.is_authenticated else None
        for entry in entries:
            logger.log(
                LEVELS[entry["level"]],
                "%s",
                entry["message"],
                extra={"count": entry["count"], "page": entry["page"], "user": user},
            )
        return Response(None, status=status.HTTP_202_ACCEPTED)
