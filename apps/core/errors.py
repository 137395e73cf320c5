"""The error catalogue: every refusal of the API is one of these codes.

A fact that a service refuses for is a subclass of `DomainError` beside that
service; its class carries the code, the HTTP status and the sentence.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Final


class ErrorCode(StrEnum):
    """The codes of `meta.error.code`; the docs page lists them from here."""

    API_ERROR = "API_ERROR"
    VALIDATION_ERROR = "VALIDATION_ERROR"
    UNKNOWN_REFERENCE = "UNKNOWN_REFERENCE"
    VALUE_REFUSED = "VALUE_REFUSED"
    UNREADABLE_FILE = "UNREADABLE_FILE"
    NOT_AUTHENTICATED = "NOT_AUTHENTICATED"
    TOKEN_EXPIRED = "TOKEN_EXPIRED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    NOT_FOUND = "NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    NOT_ACCEPTABLE = "NOT_ACCEPTABLE"
    CONFLICT = "CONFLICT"
    LOCATION_NOT_EMPTY = "LOCATION_NOT_EMPTY"
    CAPACITY_EXCEEDED = "CAPACITY_EXCEEDED"
    IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    RATE_LIMITED = "RATE_LIMITED"
    UPSTREAM_ERROR = "UPSTREAM_ERROR"
    UPSTREAM_TIMEOUT = "UPSTREAM_TIMEOUT"
    SERVICE_UNAVAILABLE = "SERVICE_UNAVAILABLE"


DEFAULT_MESSAGE = "API request failed"

Fields = Mapping[str, Any]


class DomainError(Exception):
    """A refusal with a name: code, status and sentence; nothing was changed.

    `message` is a template filled from the keyword arguments. `fields` maps a
    field (or a row) to what is wrong with it; `data` goes into the envelope's data.
    """

    code: ClassVar[ErrorCode] = ErrorCode.API_ERROR
    status: ClassVar[int] = 400
    message: ClassVar[str] = DEFAULT_MESSAGE

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


class UnknownReference(Invalid):
    """A field names a row, an item or a place that does not exist, or is somebody else's."""

    code = ErrorCode.UNKNOWN_REFERENCE


class ValueRefused(Invalid):
    """A value is well formed, but what is stored does not allow it: a wrong password, say."""

    code = ErrorCode.VALUE_REFUSED


class FileUnreadable(Invalid):
    """The content of a file is not what its kind holds."""

    code = ErrorCode.UNREADABLE_FILE


#: What the schema cannot say: the same request may be accepted when other rows are stored.
DEPENDS_ON_DATA: Final = frozenset(
    {ErrorCode.UNKNOWN_REFERENCE, ErrorCode.VALUE_REFUSED, ErrorCode.UNREADABLE_FILE}
)


class NotFound(DomainError):
    code = ErrorCode.NOT_FOUND
    status = 404
    message = "Not found."


class Conflict(DomainError):
    """The row changed since the caller read it; `data` holds it as it is now."""

    code = ErrorCode.CONFLICT
    status = 409
    message = "This was changed elsewhere since you opened it."

    @property
    def row_id(self) -> int | None:
        """Return the row, where one of many was changed: the API adds it as it is now."""
        return self.values.get("row_id")


class UploadTooLarge(DomainError):
    code = ErrorCode.PAYLOAD_TOO_LARGE
    status = 413
    message = "The file is larger than {limit_mib} MiB."


def summarise(fields: Fields) -> str:
    """Return one sentence for `fields`: the first field and what is wrong with it."""
    for name, problems in fields.items():
        first: Any = problems
        while isinstance(first, list | tuple | Mapping) and first:
            first = next(iter(first.values() if isinstance(first, Mapping) else first))
        return f"{name}: {first}" if name != "non_field_errors" else str(first)
    return "The request is not valid."
