"""The wire format: the envelope, and refusals in the words of the real API."""

from typing import Any

from flask import Response

from simulators.serving import answer

MESSAGES = {
    200: "OK",
    201: "OK_CREATED",
    204: "OK_NO_CONTENT",
    400: "PARAMETER_MISSING_OR_INVALID",
    401: "BAD_OAUTH_REQUEST",
    403: "PERMISSION_DENIED",
    404: "RESOURCE_NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    415: "UNSUPPORTED_MEDIA_TYPE",
    422: "RESOURCE_UPDATE_NOT_ALLOWED",
    429: "TOO_MANY_REQUESTS",
    500: "INTERNAL_SERVER_ERROR",
}


class Refusal(Exception):
    """The request is refused, with the `code` and `description` of the envelope."""

    def __init__(self, code: int, description: str, *, message: str = "") -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.message = message or MESSAGES[code]


def envelope(
    code: int, *, data: Any = None, description: str = "", message: str = "", status: int = 0
) -> Response:
    """Return the answer with `meta.code`; the HTTP status is the same unless given."""
    meta = {
        "description": description or MESSAGES[code],
        "message": message or MESSAGES[code],
        "code": code,
    }
    body: dict[str, Any] = {"meta": meta}
    if data is not None:
        body["data"] = data
    # The real one sends no body with a status of 204, and its envelope with 200.
    status = status or (200 if code == 204 else code)
    return answer(body, status, kind="application/json;charset=UTF-8")


def refused(refusal: Refusal) -> Response:
    """Return the envelope of a refusal."""
    return envelope(refusal.code, description=refusal.description, message=refusal.message)
