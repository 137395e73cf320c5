"""The error catalogue: which exception is answered how, and that its table is complete."""

import ast
import logging
import re
from collections.abc import Iterator

import pytest
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousFileOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.core.exceptions import ValidationError as ModelInvalid
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.db.models.deletion import ProtectedError, RestrictedError
from django.http import Http404
from django.http.request import UnreadablePostError
from rest_framework import exceptions
from rest_framework_simplejwt.exceptions import InvalidToken

from apps.accounts.api.authentication import AccessTokenExpired
from apps.accounts.services.password_reset import ResetRefused
from apps.accounts.services.tokens import RefreshRefused
from apps.accounts.services.users import DemoIsShared, WrongCredentials
from apps.core.api.failures import describe, envelope_exception_handler
from apps.core.api.fields import REFUSED, UNKNOWN
from apps.core.errors import (
    Conflict,
    DomainError,
    ErrorCode,
    FileUnreadable,
    Invalid,
    NotFound,
    RequestTooLarge,
    UnknownReference,
    UploadTooLarge,
    error_page,
    summarise,
)
from apps.core.idempotency.once import KeyReused
from apps.core.jobs.dispatch import JobFinished, JobNotStopped
from apps.core.jobs.run import JobFailed
from tests.guards.conftest import ROOT
from tests.guards.source import Module, modules

SERVER = "Something went wrong on the server. It has been recorded."
DATABASE = "The database does not answer. Please try again."
UNREADABLE = "The request could not be read."
TOO_LARGE = "The request is too large."
RANGE = "A value is out of the range that can be stored."

CATALOGUE = [
    # Ours
    (Invalid(fields={"qty": ["too small"]}), 400, "VALIDATION_ERROR", "qty: too small"),
    (Invalid(), 400, "VALIDATION_ERROR", "The request is not valid."),
    (Invalid(summary="{braces}"), 400, "VALIDATION_ERROR", "{braces}"),
    (UnknownReference(fields={"to": ["none"]}), 400, "UNKNOWN_REFERENCE", "to: none"),
    (FileUnreadable(fields={"file": ["no"]}), 400, "UNREADABLE_FILE", "file: no"),
    (NotFound(), 404, "NOT_FOUND", "This does not exist. It may have been deleted."),
    (Conflict(), 409, "CONFLICT", "This was changed elsewhere since you opened it."),
    (
        UploadTooLarge(limit_mib=64),
        413,
        "PAYLOAD_TOO_LARGE",
        "The file is larger than 64 MiB.",
    ),
    (
        RequestTooLarge(limit_mib=4),
        413,
        "PAYLOAD_TOO_LARGE",
        "The request is larger than 4 MiB.",
    ),
    (
        KeyReused(),
        422,
        "IDEMPOTENCY_KEY_REUSED",
        "This Idempotency-Key was used for a different request.",
    ),
    (
        JobFinished(state="succeeded"),
        409,
        "CONFLICT",
        "This job has already ended (succeeded).",
    ),
    (
        JobNotStopped(state="running"),
        409,
        "CONFLICT",
        "Only a failed or cancelled job can be tried again; this one is running.",
    ),
    (JobFailed(reason="No file."), 400, "API_ERROR", "No file."),
    (WrongCredentials(), 401, "NOT_AUTHENTICATED", "Wrong e-mail address or password."),
    (RefreshRefused(), 401, "NOT_AUTHENTICATED", "Token refresh failed"),
    (AccessTokenExpired(), 401, "TOKEN_EXPIRED", "Access token expired"),
    (
        DemoIsShared(),
        403,
        "PERMISSION_DENIED",
        "Everybody shares the demo account: for this, use an account of your own.",
    ),
    (
        ResetRefused(),
        400,
        "VALUE_REFUSED",
        "This link is no longer good. Please ask for a new one.",
    ),
    # Django REST framework's
    (exceptions.ValidationError("no"), 400, "VALIDATION_ERROR", "no"),
    (exceptions.ValidationError(["no", "never"]), 400, "VALIDATION_ERROR", "no"),
    (exceptions.ValidationError({"a": ["no"]}), 400, "VALIDATION_ERROR", "a: no"),
    (exceptions.ValidationError({"a": {"b": ["no"]}}), 400, "VALIDATION_ERROR", "a.b: no"),
    (exceptions.ValidationError({"a": ["no"]}, UNKNOWN), 400, "UNKNOWN_REFERENCE", "a: no"),
    (exceptions.ValidationError({"a": ["no"]}, REFUSED), 400, "VALUE_REFUSED", "a: no"),
    # Malformed in one field, it is malformed.
    (
        exceptions.ValidationError(
            {"a": [exceptions.ErrorDetail("no", UNKNOWN)], "b": [exceptions.ErrorDetail("bad")]}
        ),
        400,
        "VALIDATION_ERROR",
        "a: no",
    ),
    (exceptions.ParseError("Cut off."), 400, "VALIDATION_ERROR", "Cut off."),
    (
        exceptions.NotAuthenticated(),
        401,
        "NOT_AUTHENTICATED",
        "Authentication credentials were not provided.",
    ),
    (exceptions.AuthenticationFailed("Who?"), 401, "NOT_AUTHENTICATED", "Who?"),
    (InvalidToken(), 401, "NOT_AUTHENTICATED", "Token is invalid or expired"),
    (exceptions.PermissionDenied("No."), 403, "PERMISSION_DENIED", "No."),
    (exceptions.NotFound("Gone."), 404, "NOT_FOUND", "Gone."),
    (exceptions.MethodNotAllowed("PUT"), 405, "METHOD_NOT_ALLOWED", 'Method "PUT" not allowed.'),
    (
        exceptions.NotAcceptable(),
        406,
        "NOT_ACCEPTABLE",
        "Could not satisfy the request Accept header.",
    ),
    (
        exceptions.UnsupportedMediaType("text/csv"),
        415,
        "UNSUPPORTED_MEDIA_TYPE",
        'Unsupported media type "text/csv" in request.',
    ),
    (
        exceptions.Throttled(wait=41),
        429,
        "RATE_LIMITED",
        "Too many requests. Please try again in 41 seconds.",
    ),
    (exceptions.APIException("Odd."), 500, "API_ERROR", "Odd."),
    # Django's
    (Http404(), 404, "NOT_FOUND", "This does not exist. It may have been deleted."),
    (PermissionDenied(), 403, "PERMISSION_DENIED", "You may not do this."),
    (ModelInvalid({"name": ["too long"]}), 400, "VALIDATION_ERROR", "name: too long"),
    (RequestDataTooBig(), 413, "PAYLOAD_TOO_LARGE", TOO_LARGE),
    (TooManyFieldsSent(), 413, "PAYLOAD_TOO_LARGE", TOO_LARGE),
    (TooManyFilesSent(), 413, "PAYLOAD_TOO_LARGE", TOO_LARGE),
    (BadRequest(), 400, "VALIDATION_ERROR", UNREADABLE),
    (SuspiciousFileOperation(), 400, "VALIDATION_ERROR", UNREADABLE),
    (UnreadablePostError(), 400, "VALIDATION_ERROR", UNREADABLE),
    # The database's
    (DataError("bigint out of range"), 400, "VALIDATION_ERROR", RANGE),
    (OverflowError("Python int too large"), 400, "VALIDATION_ERROR", RANGE),
    (
        IntegrityError("UNIQUE constraint failed"),
        409,
        "CONFLICT",
        "The change contradicts what is stored.",
    ),
    (ProtectedError("x", set()), 409, "CONFLICT", "This is still used by other rows."),
    (RestrictedError("x", set()), 409, "CONFLICT", "This is still used by other rows."),
    (OperationalError("locked"), 503, "SERVICE_UNAVAILABLE", DATABASE),
    (InterfaceError("closed"), 503, "SERVICE_UNAVAILABLE", DATABASE),
    # Anything else: nothing of it gets out
    (ZeroDivisionError("secret"), 500, "API_ERROR", SERVER),
    (KeyError("secret"), 500, "API_ERROR", SERVER),
]


def named(case: object) -> str | None:
    return type(case).__name__ if isinstance(case, Exception) else None


class TestDescribe:
    @pytest.mark.parametrize(("raised", "status", "code", "message"), CATALOGUE, ids=named)
    def test_answers_as_the_catalogue_says(self, raised, status, code, message):
        envelope, _ = describe(raised)

        assert envelope["success"] is False
        assert envelope["message"] == message
        assert envelope["error"] == {"code": code, "message": message}
        assert envelope["meta"]["http_status_code"] == status
        assert envelope["meta"]["error"]["code"] == code
        assert envelope["meta"]["error"]["message"] == message

    def test_uses_each_code_that_the_catalogue_has(self):
        elsewhere = {  # raised by the apps that own these facts
            ErrorCode.SECOND_FACTOR_REQUIRED,
            ErrorCode.PROOF_REQUIRED,
            ErrorCode.ALREADY_UNDONE,
            ErrorCode.LOCATION_NOT_EMPTY,
            ErrorCode.CAPACITY_EXCEEDED,
            ErrorCode.UPSTREAM_ERROR,
            ErrorCode.UPSTREAM_TIMEOUT,
        }

        assert {code for _, _, code, _ in CATALOGUE} == {str(c) for c in set(ErrorCode) - elsewhere}

    def test_tells_what_is_wrong_field_by_field(self):
        envelope, _ = describe(Invalid(fields={"qty": ["too small"], "rows": {"3": {"a": ["b"]}}}))

        assert envelope["meta"]["error"]["fields"] == {
            "qty": ["too small"],
            "rows": {"3": {"a": ["b"]}},
        }

    def test_carries_the_data_of_a_refusal(self):
        envelope, _ = describe(Conflict(data=[{"id": 7}]))

        assert envelope["data"] == [{"id": 7}]

    @pytest.mark.parametrize(
        ("raised", "headers"),
        [
            (exceptions.Throttled(wait=41), {"Retry-After": "41"}),
            (OperationalError(), {"Retry-After": "5"}),
            (Http404(), {}),
        ],
    )
    def test_tells_when_to_come_back(self, raised, headers):
        assert describe(raised)[1] == headers


class TestEnvelopeExceptionHandler:
    def test_records_what_it_hides(self, caplog):
        with caplog.at_level(logging.ERROR):
            response = envelope_exception_handler(ZeroDivisionError("a detail"), {})

        assert response is not None
        assert response.status_code == 500
        assert "a detail" in caplog.text
        assert "a detail" not in str(response.data)

    def test_does_not_record_refusals(self, caplog):
        with caplog.at_level(logging.ERROR):
            envelope_exception_handler(NotFound(), {})

        assert caplog.text == ""


class TestSummarise:
    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({}, "The request is not valid."),
            ({"a": []}, "a: []"),
            ({"a": ["x"], "b": ["y"]}, "a: x"),
            ({"non_field_errors": ["x"]}, "x"),
            ({"3": {"qty": ["x"]}}, "3: x"),
        ],
    )
    def test_tells_the_first_problem(self, fields, sentence):
        assert summarise(fields) == sentence


class TestDomainError:
    def test_fills_its_sentence(self):
        class LocationFull(DomainError):
            code = ErrorCode.CAPACITY_EXCEEDED
            status = 409
            message = "{name} takes {room} more, not {wanted}."

        refusal = LocationFull(name="A-1", room=2, wanted=5)

        assert refusal.text == "A-1 takes 2 more, not 5."
        assert refusal.values == {"name": "A-1", "room": 2, "wanted": 5}


def every_refusal(kind: type[DomainError] = DomainError) -> list[type[DomainError]]:
    found = [kind]
    for subclass in kind.__subclasses__():
        found += every_refusal(subclass)
    return [refusal for refusal in found if refusal.__module__.startswith("apps.")]


class TestEveryRefusal:
    @pytest.mark.parametrize("refusal", every_refusal(), ids=lambda kind: kind.__name__)
    def test_has_a_status_of_its_code(self, refusal):
        assert refusal.status in refusal.code.statuses


def named_codes(module: Module) -> Iterator[str]:
    """Yield the codes that a module raises: members of the table, and codes written as text."""
    if not re.search(r"ErrorCode\.|\bcode=|[\"']code[\"']", module.path.read_text()):
        return  # parsing is slow
    for node in module.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="ErrorCode"), attr=name):
                yield name
            case ast.keyword(arg="code", value=value):
                yield from _texts(value)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == "code":
                        yield from _texts(value)


def _texts(value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        match node:
            case ast.Constant(value=str(text)) if re.fullmatch(r"[A-Z]+(_[A-Z]+)+", text):
                yield text


class TestTable:
    """Every code that is raised stands in the table, and none that nothing raises."""

    def test_holds_what_the_code_raises_and_no_more(self):
        raised = {
            code
            for module in modules(ROOT, "apps", "bricks")
            if not module.is_test
            for code in named_codes(module)
        }

        assert raised == {code.name for code in ErrorCode}

    @pytest.mark.parametrize(
        "line",
        [
            "code = ErrorCode.NOT_THERE",
            'failure(status=400, code="NOT_THERE")',
            'error = {"code": "API_ERROR" if bad else "NOT_THERE"}',
        ],
    )
    def test_would_miss_a_code_that_is_not_in_it(self, tmp_path, line):
        path = tmp_path / "planted.py"
        path.write_text(line)

        assert "NOT_THERE" in set(named_codes(Module("apps.core.planted", path)))

    def test_is_the_page_of_the_documentation(self):
        assert (ROOT / "docs/build/errors.md").read_text() == error_page(), "run `make schema`"

    def test_says_what_each_code_means(self):
        for code in ErrorCode:
            assert code.value == code.name
            assert code.meaning.endswith(".")
            assert all(400 <= status < 600 for status in code.statuses)
