"""Turns every exception of a view into the envelope."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.core.exceptions import ValidationError as ModelInvalid
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.db.models.deletion import ProtectedError, RestrictedError
from django.http import Http404
from django.http.request import UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from apps.core.api.fields import REFUSED, UNKNOWN
from apps.core.api.rendering import Envelope, failure
from apps.core.errors import DomainError, ErrorCode, NotFound, summarise
from apps.core.storage import storage_problem

logger = logging.getLogger(__name__)

DRF_CODES: tuple[tuple[type[exceptions.APIException], ErrorCode], ...] = (
    (exceptions.ValidationError, ErrorCode.VALIDATION_ERROR),
    (exceptions.ParseError, ErrorCode.VALIDATION_ERROR),
    (exceptions.NotAuthenticated, ErrorCode.NOT_AUTHENTICATED),
    (exceptions.AuthenticationFailed, ErrorCode.NOT_AUTHENTICATED),
    (exceptions.PermissionDenied, ErrorCode.PERMISSION_DENIED),
    (exceptions.NotFound, ErrorCode.NOT_FOUND),
    (exceptions.MethodNotAllowed, ErrorCode.METHOD_NOT_ALLOWED),
    (exceptions.NotAcceptable, ErrorCode.NOT_ACCEPTABLE),
    (exceptions.UnsupportedMediaType, ErrorCode.UNSUPPORTED_MEDIA_TYPE),
    (exceptions.Throttled, ErrorCode.RATE_LIMITED),
)

#: What is answered with one sentence, whatever the details; the first kind that matches.
WITHOUT_DETAIL: Final[
    tuple[tuple[type[Exception] | tuple[type[Exception], ...], int, ErrorCode, str], ...]
] = (
    (
        (RequestDataTooBig, TooManyFilesSent, TooManyFieldsSent),
        413,
        ErrorCode.PAYLOAD_TOO_LARGE,
        "The request is too large.",
    ),
    (
        (BadRequest, SuspiciousOperation, UnreadablePostError),
        400,
        ErrorCode.VALIDATION_ERROR,
        "The request could not be read.",
    ),
    # SQLite's driver raises OverflowError for what PostgreSQL calls a DataError.
    (
        (DataError, OverflowError),
        400,
        ErrorCode.VALIDATION_ERROR,
        "A value is out of the range that can be stored.",
    ),
    (
        (ProtectedError, RestrictedError),
        409,
        ErrorCode.CONFLICT,
        "This is still used by other rows.",
    ),
    (IntegrityError, 409, ErrorCode.CONFLICT, "The change contradicts what is stored."),
)

#: A service outside did not do its part: not our fault, so that no trace is logged.
OUTSIDE: Final = {ErrorCode.UPSTREAM_ERROR, ErrorCode.UPSTREAM_TIMEOUT}
#: The codes of field errors that a schema cannot express.
FIELD_CODES: Final = {
    "does_not_exist": ErrorCode.UNKNOWN_REFERENCE,
    UNKNOWN: ErrorCode.UNKNOWN_REFERENCE,
    REFUSED: ErrorCode.VALUE_REFUSED,
}


def envelope_exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Return the envelope for `exc`; an unexpected one is logged with its trace, and answered with
    500."""
    set_rollback()
    envelope, headers = describe(exc)
    status = envelope["meta"]["http_status_code"]
    if status >= 500:
        request = context.get("request")
        where = getattr(request, "method", "?"), getattr(request, "path", "?")
        if isinstance(exc, DomainError) and exc.code in OUTSIDE:
            cause = type(exc.__cause__).__name__
            logger.warning("%s %s: %s (%s)", *where, exc, cause)
        else:
            logger.error("Unhandled error in %s %s", *where, exc_info=exc)
    return Response(envelope, status=status, headers=headers)


def describe(exc: Exception) -> tuple[Envelope, dict[str, str]]:
    """Return the envelope and the headers that answer `exc`."""
    if isinstance(exc, DomainError):
        return (
            failure(
                status=exc.status,
                code=exc.code,
                message=exc.text,
                fields=exc.fields,
                data=exc.data,
            ),
            {} if exc.retry_after is None else {"Retry-After": str(exc.retry_after)},
        )
    if isinstance(exc, exceptions.APIException):
        return _describe_drf(exc)
    if isinstance(exc, Http404):
        return failure(status=404, code=ErrorCode.NOT_FOUND, message=NotFound.message), {}
    if isinstance(exc, PermissionDenied):
        return _permission_denied(), {}
    if isinstance(exc, ModelInvalid):
        fields = exc.message_dict if hasattr(exc, "error_dict") else {"": exc.messages}
        return _invalid(fields), {}
    if isinstance(exc, DataError | OverflowError):
        logger.warning("a value that cannot be stored: %s", exc)
    for kinds, status, code, message in WITHOUT_DETAIL:
        if isinstance(exc, kinds):
            return failure(status=status, code=code, message=message), {}
    if (told := storage_problem(exc)) is not None:
        return describe(told)
    if isinstance(exc, OperationalError | InterfaceError):
        return (
            failure(
                status=503,
                code=ErrorCode.SERVICE_UNAVAILABLE,
                message="The database does not answer. Please try again.",
            ),
            {"Retry-After": "5"},
        )
    return (
        failure(
            status=500,
            code=ErrorCode.API_ERROR,
            message="Something went wrong on the server. It has been recorded.",
        ),
        {},
    )


def _describe_drf(exc: exceptions.APIException) -> tuple[Envelope, dict[str, str]]:
    headers = {}
    if header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if (wait := getattr(exc, "wait", None)) is not None:
        headers["Retry-After"] = str(int(wait))
    code = getattr(exc, "envelope_code", None) or next(
        (code for kind, code in DRF_CODES if isinstance(exc, kind)), ErrorCode.API_ERROR
    )
    if isinstance(exc, exceptions.ValidationError):
        fields = exc.detail if isinstance(exc.detail, dict) else {"non_field_errors": exc.detail}
        return _invalid(fields, code=code_of(exc)), headers
    message = _sentence(exc.detail)
    if isinstance(exc, exceptions.Throttled):
        message = _wait_sentence(None if wait is None else int(wait))
    return failure(status=exc.status_code, code=code, message=message), headers


def _wait_sentence(seconds: int | None) -> str:
    if seconds is None:
        return "Too many requests. Please wait a minute and try again."
    unit = "second" if seconds == 1 else "seconds"
    return f"Too many requests. Please try again in {seconds} {unit}."


def _invalid(fields: Mapping[str, Any], code: ErrorCode = ErrorCode.VALIDATION_ERROR) -> Envelope:
    fields = flat_fields(fields)
    return failure(status=400, code=code, message=summarise(fields), fields=fields)


def code_of(problem: exceptions.ValidationError) -> ErrorCode:
    """Return the code of a refused request: of one that is malformed in any field, that."""
    codes = {
        FIELD_CODES.get(one, ErrorCode.VALIDATION_ERROR) for one in _leaves(problem.get_codes())
    }
    return codes.pop() if len(codes) == 1 else ErrorCode.VALIDATION_ERROR


def _leaves(codes: Any) -> Iterator[str]:
    if codes is None or isinstance(codes, str):
        yield codes or ""
        return
    for one in codes.values() if isinstance(codes, dict) else codes:
        yield from _leaves(one)


def flat_fields(fields: Any, under: str = "") -> dict[str, list[Any]]:
    """Return field -> messages, those of nested fields by their path: 'options.columns.1'."""
    nested = fields.items() if isinstance(fields, dict) else enumerate(fields)
    found: dict[str, list[Any]] = {}
    for name, messages in nested:
        path = under[:-1] if under and name == "non_field_errors" else f"{under}{name}"
        if isinstance(messages, dict) or any(isinstance(one, dict | list) for one in messages):
            found |= flat_fields(messages, f"{path}.")
        elif messages:
            found[path] = messages
    return found


def _permission_denied() -> Envelope:
    return failure(status=403, code=ErrorCode.PERMISSION_DENIED, message="You may not do this.")


def _sentence(detail: object) -> str:
    """simplejwt gives a dict, validation a list: find the sentence in it."""
    if isinstance(detail, dict):
        return _sentence(detail.get("detail") or next(iter(detail.values()), ""))
    if isinstance(detail, list):
        return _sentence(detail[0]) if detail else ""
    return str(detail)
