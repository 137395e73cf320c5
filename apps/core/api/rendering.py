"""The envelope: `{success, data, meta, error?, message?}` around every answer."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer
from rest_framework.utils.serializer_helpers import ReturnDict, ReturnList

from apps.core.api.hidden import NOTHING, hidden_from, without_hidden
from apps.core.errors import DEFAULT_MESSAGE, ErrorCode

FIRST_ERROR_STATUS = 400


class EnvelopeRenderer(BaseRenderer):
    """Render with orjson; views give plain data, this adds the envelope once."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: object,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        response = (renderer_context or {}).get("response")
        status = response.status_code if response is not None else 200
        if status == 204:
            return b""
        envelope = data if isinstance(data, Envelope) else success(data, status=status)
        hidden = hidden_from((renderer_context or {}).get("request"))
        return to_json(envelope if hidden is NOTHING else without_hidden(envelope, hidden))


class Envelope(dict[str, Any]):
    """A finished envelope: rendered as it is."""


def success(
    data: object, *, status: int = 200, message: str | None = None, **meta: Any
) -> Envelope:
    """Return the envelope of an answer; `data` becomes an array of one unless it is a list."""
    rows = [] if data is None else data if isinstance(data, list) else [data]
    envelope = Envelope(success=True, data=rows, meta={"http_status_code": status, **meta})
    if message is not None:
        envelope["message"] = message
    return envelope


def failure(
    *,
    status: int,
    code: str = ErrorCode.API_ERROR,
    message: str = DEFAULT_MESSAGE,
    fields: Mapping[str, Any] | None = None,
    data: list[Any] | None = None,
) -> Envelope:
    """Return the envelope of a refusal."""
    error: dict[str, Any] = {"code": str(code), "message": message}
    if fields:
        error["fields"] = dict(fields)
    return Envelope(
        success=False,
        data=data or [],
        message=message,
        error={"code": str(code), "message": message},
        meta={"http_status_code": status, "error": error},
    )


def to_json(value: object) -> bytes:
    """Return JSON; instants in UTC as ISO 8601 with Z, decimals as text."""
    return orjson.dumps(
        value,
        default=_plain,
        option=orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS | orjson.OPT_NAIVE_UTC,
    )


def _plain(value: object) -> Any:
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, ReturnDict):
        return dict(value)
    if isinstance(value, ReturnList | tuple | set):
        return list(value)
    return str(value)
