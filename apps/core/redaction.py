"""Keeps tokens and passwords out of the log, wherever they come from."""

import re
from collections.abc import MutableMapping
from typing import Any

HIDDEN = "[hidden]"

# A JSON Web Token is known by its first letters: base64 of {" .
_TOKEN = re.compile(r"(?<![A-Za-z0-9])eyJ[\w-]{5,2000}+\.[\w-]++(?:\.[\w-]*+)?")
# A match keeps its first group; the rest is hidden.
_VALUES = (
    re.compile(
        # Without backtracking (`*+`): a text of nothing but such words would take its square.
        r"(?i)((?:password|secret|token|reset)\w*+[\"']?\s*+[=:]\s*+)"
        r"(?:\"[^\"]*\"|'[^']*'|[^\s\"'&,}]+)"
    ),
    re.compile(r"(?i)(bearer\s+)[^\s\"']+"),
    # An address that a service outside calls is its secret.
    re.compile(r"(/hooks/\w++/)[\w-]+"),
    re.compile(r"(://[^/\s:@]*:)[^/\s@]+(?=@)"),
)


def redacted(text: str) -> str:
    """Return `text` with what looks like a secret replaced."""
    hidden = _TOKEN.sub(HIDDEN, text)
    for pattern in _VALUES:
        hidden = pattern.sub(rf"\1{HIDDEN}", hidden)
    return hidden


def redact(
    logger: object, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Redact every text of a log entry (a structlog processor)."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = redacted(value)
    return event
