"""What never reaches a DRF view under /api still answers with the envelope."""

import logging
from collections.abc import Callable

from django.core.exceptions import BadRequest, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from apps.core.api.failures import describe
from apps.core.api.rendering import failure, to_json
from apps.core.errors import ErrorCode

logger = logging.getLogger(__name__)

PREFIX = "/api/"
CODES = {
    400: ErrorCode.VALIDATION_ERROR,
    403: ErrorCode.PERMISSION_DENIED,
    404: ErrorCode.NOT_FOUND,
    405: ErrorCode.METHOD_NOT_ALLOWED,
    413: ErrorCode.PAYLOAD_TOO_LARGE,
}
MESSAGES = {
    400: "The request could not be read.",
    403: "You may not do this.",
    404: "There is nothing at this address.",
    405: "This method is not allowed here.",
    413: "The request is too large.",
}


class ApiEnvelopeMiddleware:
    """Turn Django's own error pages under /api into envelopes and forbid caching there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not (request.path.startswith(PREFIX) or request.path == "/api"):
            return response
        response.headers.setdefault("Cache-Control", "no-store")
        if response.status_code >= 400 and not _is_json(response):
            return _envelope(response.status_code)
        return response

    def process_exception(self, request: HttpRequest, exc: Exception) -> HttpResponse | None:
        if not request.path.startswith(PREFIX):
            return None
        if isinstance(exc, BadRequest):
            return _envelope(400)
        if isinstance(exc, RequestDataTooBig):
            return _envelope(413)
        envelope, headers = describe(exc)
        status = envelope["meta"]["http_status_code"]
        if status >= 500:
            logger.error("Unhandled error in %s %s", request.method, request.path, exc_info=exc)
        return HttpResponse(
            to_json(envelope), content_type="application/json", status=status, headers=headers
        )


def _is_json(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("application/json")


def _envelope(status: int) -> HttpResponse:
    envelope = failure(
        status=status,
        code=CODES.get(status, ErrorCode.API_ERROR),
        message=MESSAGES.get(status, "Something went wrong on the server. It has been recorded."),
    )
    return HttpResponse(
        to_json(envelope),
        content_type="application/json",
        status=status,
        headers={"Cache-Control": "no-store"},
    )
