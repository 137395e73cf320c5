"""JSON in: orjson refuses deep nesting, where the default parser crashes on it."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from apps.core.errors import UploadTooLarge

MIB = 1024 * 1024


class DepthLimitedJSONParser(BaseParser):
    """Parse JSON objects and lists of at most `DATA_UPLOAD_MAX_MEMORY_SIZE` bytes."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        text = stream.read(limit + 1)
        if len(text) > limit:
            raise UploadTooLarge(limit_mib=limit // MIB)
        if not text.strip():
            return {}
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError as problem:
            raise ParseError(f"The body is not valid JSON: {problem}") from problem
        if not isinstance(value, dict | list):
            raise ParseError("The body must be a JSON object.")
        return value
