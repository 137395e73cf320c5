"""The wire format: the envelope, and refusals in the words of the real API."""

import json
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, body and content type as they are sent."""

    status: int
    body: bytes
    content_type: str = "application/json;charset=UTF-8"
    claims: int = 0  # the Content-Length that is sent, if it is not the body's

    def half(self, *, unsaid: bool) -> "Answer":
        """Return the first half of the answer, with the full Content-Length unless `unsaid`."""
        body = self.body[: len(self.body) // 2]
        return Answer(self.status, body, self.content_type, 0 if unsaid else len(self.body))


def envelope(
    code: int, *, data: Any = None, description: str = "", message: str = "", status: int = 0
) -> Answer:
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
    return Answer(status or (200 if code == 204 else code), json.dumps(body).encode())


def refused(refusal: Refusal) -> Answer:
    """Return the envelope of a refusal."""
    return envelope(refusal.code, description=refusal.description, message=refusal.message)


def html(status: int, title: str) -> Answer:
    """Return a page for people, as a gateway sends it."""
    page = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{title}</body></html>"
    return Answer(status, page.encode(), "text/html;charset=UTF-8")
