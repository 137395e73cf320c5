"""JSON in: orjson refuses deep nesting, where the default parser crashes on it."""

from collections.abc import Mapping
from typing import IO, Any, Final

import orjson
from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from apps.core.errors import RequestTooLarge

MIB = 1024 * 1024
# orjson reads 1,024 levels but writes 254, and the databases' JSON stops in between.
MAX_DEPTH = 100

#: What JSON takes for blank; `bytes.strip` alone removes more.
BLANK: Final = b" \t\r\n"


class DepthLimitedJSONParser(BaseParser):
    """Parse JSON objects of at most `DATA_UPLOAD_MAX_MEMORY_SIZE` bytes."""

    media_type = "application/json"
    #: At most so many bytes; None for `DATA_UPLOAD_MAX_MEMORY_SIZE`.
    limit: int | None = None
    #: The allowed types of the outermost value.
    takes: tuple[type, ...] = (dict,)

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        limit = self.limit or settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        text = stream.read(limit + 1)
        if len(text) > limit:
            raise RequestTooLarge(limit_mib=f"{limit / MIB:g}")
        if not text.strip(BLANK):
            return {}
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as problem:
            raise ParseError(f"The body is not valid JSON: {problem}") from problem
        if not isinstance(value, self.takes):
            raise ParseError("The body must be a JSON object.")
        # The cheap bound first: so few brackets cannot nest too deeply.
        if text.count(b"[") + text.count(b"{") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
            raise ParseError(f"The body is nested more than {MAX_DEPTH} levels deep.")
        return value


def _is_deeper(value: Any, limit: int) -> bool:
    """Return whether lists and objects nest more than `limit` deep, without recursion."""
    level = [value]
    for _ in range(limit):
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True
