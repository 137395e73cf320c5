"""The error catalogue: every refusal of the API is one of these codes.

A fact that a service refuses for is a subclass of `DomainError` beside that
service; its class carries the code, the HTTP status and the sentence.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Final, Self


class ErrorCode(StrEnum):
    """The codes of `meta.error.code`, each with its HTTP statuses and what it means.

    `docs/build/errors.md` and the schema are generated from here (`make schema`).
    """

    #: The usual one first.
    statuses: tuple[int, ...]
    meaning: str

    def __new__(cls, code: str, statuses: tuple[int, ...], meaning: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.statuses = statuses
        member.meaning = meaning
        return member

    API_ERROR = (
        "API_ERROR",
        (400, 500),
        "The request failed, and no other code says why. With 500 the reason is in the server's log, not in the answer.",
    )
    VALIDATION_ERROR = (
        "VALIDATION_ERROR",
        (400,),
        "The request is malformed. `fields` holds what each field expected.",
    )
    UNKNOWN_REFERENCE = (
        "UNKNOWN_REFERENCE",
        (400,),
        "A field names something that does not exist, or belongs to somebody else.",
    )
    VALUE_REFUSED = (
        "VALUE_REFUSED",
        (400,),
        "A value is well formed, but what is stored does not allow it: a taken name, a wrong password.",
    )
    UNREADABLE_FILE = (
        "UNREADABLE_FILE",
        (400, 415),
        "The content of a file is not what its kind holds.",
    )
    NOT_AUTHENTICATED = (
        "NOT_AUTHENTICATED",
        (401,),
        "The request carries no valid credentials. Sign in.",
    )
    TOKEN_EXPIRED = (
        "TOKEN_EXPIRED",
        (401,),
        "The access token has expired. Ask for a new one with the refresh token.",
    )
    SECOND_FACTOR_REQUIRED = (
        "SECOND_FACTOR_REQUIRED",
        (401,),
        "The password is right, and the account has a second factor. `data` holds the `ticket` for `users/login/second-step`, and what can be answered with.",
    )
    PROOF_REQUIRED = (
        "PROOF_REQUIRED",
        (403,),
        "This asks who is there once more: `users/proof/ask` says how. The proof that `users/proof` answers goes into the header `X-Proof`, for five minutes.",
    )
    PERMISSION_DENIED = (
        "PERMISSION_DENIED",
        (403,),
        "The account may not do this.",
    )
    NOT_FOUND = (
        "NOT_FOUND",
        (404,),
        "There is no such row or page, or it belongs to somebody else.",
    )
    METHOD_NOT_ALLOWED = (
        "METHOD_NOT_ALLOWED",
        (405,),
        "The address does not take this method.",
    )
    NOT_ACCEPTABLE = (
        "NOT_ACCEPTABLE",
        (406,),
        "The API cannot answer in the format that the Accept header asks for.",
    )
    CONFLICT = (
        "CONFLICT",
        (409,),
        "The request contradicts what is stored. Where a row was changed elsewhere, `data` holds it as it is now.",
    )
    ALREADY_UNDONE = (
        "ALREADY_UNDONE",
        (409,),
        "The act was undone before, by another page or device.",
    )
    LOCATION_NOT_EMPTY = (
        "LOCATION_NOT_EMPTY",
        (409,),
        "The location still holds lots; `data` lists them.",
    )
    CAPACITY_EXCEEDED = (
        "CAPACITY_EXCEEDED",
        (409,),
        "The pieces do not fit into the location's limits. An `override_reason` stores them all the same.",
    )
    IDEMPOTENCY_KEY_REUSED = (
        "IDEMPOTENCY_KEY_REUSED",
        (422,),
        "The Idempotency-Key was used for a different request.",
    )
    PAYLOAD_TOO_LARGE = (
        "PAYLOAD_TOO_LARGE",
        (413,),
        "The request or one of its files is larger than the server takes.",
    )
    UNSUPPORTED_MEDIA_TYPE = (
        "UNSUPPORTED_MEDIA_TYPE",
        (415,),
        "The API does not read bodies of this Content-Type.",
    )
    RATE_LIMITED = (
        "RATE_LIMITED",
        (429,),
        "Too many requests or jobs. Try again after the seconds of Retry-After, where it is there.",
    )
    UPSTREAM_ERROR = (
        "UPSTREAM_ERROR",
        (502,),
        "A service outside could not be reached, or answered with an error.",
    )
    UPSTREAM_TIMEOUT = (
        "UPSTREAM_TIMEOUT",
        (504,),
        "A service outside did not answer in time.",
    )
    SERVICE_UNAVAILABLE = (
        "SERVICE_UNAVAILABLE",
        (503,),
        "The database, the file storage or a part of the server does not answer. Try again.",
    )


DEFAULT_MESSAGE = "API request failed"

Fields = Mapping[str, Any]


class DomainError(Exception):
    """A refusal with a name: code, status and sentence; nothing was changed, unless recorded.

    The status is the code's usual one, unless the class has its own.

    `message` is a template filled from the keyword arguments. `fields` maps a
    field (or a row) to what is wrong with it; `data` goes into the envelope's data.
    """

    code: ClassVar[ErrorCode] = ErrorCode.API_ERROR
    status: ClassVar[int] = 400
    message: ClassVar[str] = DEFAULT_MESSAGE

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "code" in cls.__dict__ and "status" not in cls.__dict__:
            cls.status = cls.code.statuses[0]

    #: What was written before it was raised is kept, also where the request had a key.
    is_recorded: ClassVar[bool] = False
    # Seconds after which it may be tried again, for the header of the answer.
    retry_after: int | None = None

    def __init__(
        self, *, fields: Fields | None = None, data: Sequence[Any] | None = None, **values: Any
    ) -> None:
        self.values = values
        self.fields: dict[str, Any] = dict(fields or {})
        self.data = list(data or [])
        super().__init__(self.message.format(**values))

    @property
    def text(self) -> str:
        """The filled sentence, for people."""
        return str(self.args[0])


class Invalid(DomainError):
    """Bad input, field by field: `Invalid(fields={"qty": ["must be at least 1"]})`."""

    code = ErrorCode.VALIDATION_ERROR
    message = "{summary}"

    def __init__(
        self,
        *,
        fields: Fields | None = None,
        data: Sequence[Any] | None = None,
        summary: str = "",
        **values: Any,
    ) -> None:
        super().__init__(
            fields=fields, data=data, summary=summary or summarise(fields or {}), **values
        )


#: Of a field that names a row by its id.
NO_SUCH_ROW: Final = "there is none with this id"


class UnknownReference(Invalid):
    """A field names a row, item or place that does not exist or belongs to another user."""

    code = ErrorCode.UNKNOWN_REFERENCE


class ValueRefused(Invalid):
    """A value is well formed, but what is stored does not allow it: a wrong password, say."""

    code = ErrorCode.VALUE_REFUSED


class FileUnreadable(Invalid):
    """The content of a file is not what its kind holds."""

    code = ErrorCode.UNREADABLE_FILE


class NotFound(DomainError):
    code = ErrorCode.NOT_FOUND
    message = "This does not exist. It may have been deleted."


class Conflict(DomainError):
    """The row changed since the caller read it; `data` holds it as it is now."""

    code = ErrorCode.CONFLICT
    message = "This was changed elsewhere since you opened it."

    @property
    def row_id(self) -> int | None:
        """Return the row, where one of many was changed: the API adds it as it is now."""
        return self.values.get("row_id")


class StateConflict(DomainError):
    """What is stored does not allow it now; subclasses say in their `message` why."""

    code = ErrorCode.CONFLICT


class UploadTooLarge(DomainError):
    code = ErrorCode.PAYLOAD_TOO_LARGE
    message = "The file is larger than {limit_mib} MiB."


class FilesBusy(DomainError):
    """What reads files is busy: with others, or with those of this person."""

    code = ErrorCode.RATE_LIMITED
    message = "Other files are being read just now. Try again in a moment."
    retry_after = 10


class RequestTooLarge(DomainError):
    code = ErrorCode.PAYLOAD_TOO_LARGE
    message = "The request is larger than {limit_mib} MiB."


def summarise(fields: Fields) -> str:
    """Return one sentence for `fields`: the first field and what is wrong with it."""
    for name, problems in fields.items():
        first: Any = problems
        while isinstance(first, list | tuple | Mapping) and first:
            first = next(iter(first.values() if isinstance(first, Mapping) else first))
        return f"{name}: {first}" if name != "non_field_errors" else str(first)
    return "The request is not valid."


ERROR_PAGE_HEAD: Final = (
    "# Error codes of the API",
    "",
    "A refused request is answered with the HTTP status below and, in the envelope,",
    "`meta.error` with `code`, `message` (a sentence for people) and, where fields are at fault,",
    "`fields`. Nothing was changed. `make schema` writes this page from `apps/core/errors.py`.",
    "",
    "| Code | HTTP status | Meaning |",
    "|---|---|---|",
)


def error_page() -> str:
    """Return the documentation of all codes, in Markdown."""
    rows = [
        f"| `{code}` | {', '.join(map(str, code.statuses))} | {code.meaning} |"
        for code in ErrorCode
    ]
    return "\n".join([*ERROR_PAGE_HEAD, *rows, ""])
