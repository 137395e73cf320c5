"""Keeps tokens and passwords out of the log, wherever they come from."""

import re
from collections.abc import MutableMapping
from typing import Any

HIDDEN = "[hidden]"

_PATTERNS = (
    # A JSON Web Token is known by its first letters: base64 of {" .
    re.compile(r"eyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?"),
    re.compile(
        r"(?i)(?<=[\"'?&\s{])"
        r"(\w*(?:password|secret|token|refreshtoken|accesstoken|reset)\w*[\"']?\s*[=:]\s*)"
        r"(?:\"[^\"]*\"|'[^']*'|[^\s\"'&,}]+)"
    ),
    re.compile(r"(?i)(bearer\s+|://[^/\s:@]+:)[^\s@\"']+"),
)


def redacted(text: str) -> str:
    """Return `text` with what looks like a secret replaced."""
    hidden = _PATTERNS[0].sub(HIDDEN, text)
    for pattern in _PATTERNS[1:]:
        hidden = pattern.sub(rf"\1{HIDDEN}", hidden)
    return hidden


def redact(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Redact every text of a log entry (a structlog processor)."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = redacted(value)
    return event
