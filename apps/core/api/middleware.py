"""What holds for every request: skipped, refused or put into the envelope outside DRF's views."""

import logging
import select
import socket
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from apps.core.api.failures import describe
from apps.core.api.rendering import failure, to_json
from apps.core.errors import ErrorCode, RequestTooLarge

logger = logging.getLogger(__name__)

PREFIX = "/api/"
CODES = {
    400: ErrorCode.VALIDATION_ERROR,
    403: ErrorCode.PERMISSION_DENIED,
    404: ErrorCode.NOT_FOUND,
    405: ErrorCode.METHOD_NOT_ALLOWED,
    406: ErrorCode.NOT_ACCEPTABLE,
    413: ErrorCode.PAYLOAD_TOO_LARGE,
    414: ErrorCode.VALIDATION_ERROR,
    415: ErrorCode.UNSUPPORTED_MEDIA_TYPE,
}
MESSAGES = {
    400: "The request could not be read.",
    403: "You may not do this.",
    404: "There is nothing at this address.",
    405: "This method is not allowed here.",
    406: "Only JSON is served here.",
    413: RequestTooLarge.message,
    414: "The address of this request is too long.",
    415: "This media type is not understood here.",
}
# What speaks of the page that an envelope replaces.
OF_THE_PAGE = {"content-type", "content-length", "content-encoding", "etag", "last-modified"}
# A form's fields and boundaries beside its file.
FORM_ROOM = 1024 * 1024
DRAIN_CHUNK = 256 * 1024
# A body larger than this many times the limit is not read: the connection is closed.
DRAIN_FACTOR = 8

# The status that nginx gives these requests. Nobody receives it.
CLOSED = 499


class ClosedConnectionMiddleware:
    """Skip a GET whose caller closed the connection before its turn.

    Scrolling fast through a long list asks for many chunks and drops most of them again. Without
    this, the server would work through them all before the one that is waited for.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "GET" and _is_closed(request.META.get("gunicorn.socket")):
            return HttpResponse(status=CLOSED)
        return self.get_response(request)


class HeadMiddleware:
    """Send no body in an answer to HEAD: the web server sends whatever it is given."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response: Any = self.get_response(request)
        if request.method != "HEAD":
            return response
        if response.streaming:
            response.streaming_content = ()
        else:
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


class ApiEnvelopeMiddleware:
    """Turn Django's own error pages under /api into envelopes and forbid caching there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code >= 400:
            _drain(request)
        if not _is_api(request):
            return response
        response.headers.setdefault("Cache-Control", "no-store")
        if response.status_code >= 400 and not _is_json(response):
            return _envelope(response.status_code, like=response)
        return response

    def process_exception(self, request: HttpRequest, exc: Exception) -> HttpResponse | None:
        if not request.path.startswith(PREFIX):
            return None
        envelope, headers = describe(exc)
        status = envelope["meta"]["http_status_code"]
        if status >= 500:
            logger.error("Unhandled error in %s %s", request.method, request.path, exc_info=exc)
        return HttpResponse(
            to_json(envelope), content_type="application/json", status=status, headers=headers
        )


class BodyLimitMiddleware:
    """Refuse a body above the upload limit under /api before it is stored."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        limit = settings.MAX_UPLOAD_BYTES + FORM_ROOM
        if _is_api(request) and _declared_length(request) > limit:
            return _envelope(413)
        return self.get_response(request)


class PermissionsPolicyMiddleware:
    """Send the Permissions-Policy header: only our own pages may use the camera."""

    POLICY = "camera=(self), " + ", ".join(
        f"{name}=()"
        for name in (
            *("accelerometer", "display-capture", "geolocation", "gyroscope", "hid"),
            *("magnetometer", "microphone", "midi", "payment", "serial", "usb"),
        )
    )

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", self.POLICY)
        return response


def _is_closed(connection: socket.socket | None) -> bool:
    """Return whether the caller closed the connection. One that only ended its sending counts too."""
    if connection is None:
        return False
    waiting = select.poll()
    waiting.register(connection, select.POLLIN)
    if not waiting.poll(0):
        return False
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except ConnectionError:
        return True
    except ValueError:  # TLS does not let us look
        return False


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith(PREFIX) or request.path == "/api"


def _is_json(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("application/json")


def _declared_length(request: HttpRequest) -> int:
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isdecimal() and len(text) < 16 else 0


def _drain(request: HttpRequest) -> None:
    """Read the rest of the body and forget it.

    A server that closes while the other side still sends breaks its pipe, and the answer is lost.
    """
    source: Any = request
    if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
        source = request.META["wsgi.input"]  # Django takes a body without its length as empty
    left = DRAIN_FACTOR * settings.MAX_UPLOAD_BYTES
    try:
        while left > 0 and (piece := source.read(DRAIN_CHUNK)):
            left -= len(piece)
    except (OSError, ValueError):
        return


def _envelope(status: int, *, like: HttpResponseBase | None = None) -> HttpResponse:
    message = MESSAGES.get(status, "Something went wrong on the server. It has been recorded.")
    envelope = failure(
        status=status,
        code=CODES.get(status, ErrorCode.API_ERROR),
        message=message.format(limit_mib=settings.MAX_UPLOAD_BYTES // (1024 * 1024)),
    )
    # Security, CORS and Allow headers stay those of the answer that it replaces.
    kept = {
        name: value
        for name, value in (like.headers.items() if like is not None else ())
        if name.lower() not in OF_THE_PAGE
    }
    return HttpResponse(
        to_json(envelope),
        status=status,
        headers={
            **kept,
            "Content-Type": "application/json",
            "Cache-Control": "no-store",
        },
    )
