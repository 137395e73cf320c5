"""Texts on their way into XML: escaped, and rid of what XML 1.0 cannot hold."""

from __future__ import annotations

import re
from typing import Final

# Measured: with the usual three escapes a carriage return comes back as a line feed.
_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"}
_IN_ATTRIBUTES: Final = {**_ESCAPES, "\n": "&#10;", "\t": "&#9;"}
_SPECIAL: Final = re.compile('[&<>"\r]')
_SPECIAL_IN_ATTRIBUTES: Final = re.compile('[&<>"\r\n\t]')
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def escaped(text: str) -> str:
    """Escape the text of an element."""
    return _SPECIAL.sub(lambda match: _ESCAPES[match[0]], text)


def escaped_attribute(text: str) -> str:
    """Escape the value of an attribute, which is written between double quotes."""
    return _SPECIAL_IN_ATTRIBUTES.sub(lambda match: _IN_ATTRIBUTES[match[0]], text)


def legal(text: str) -> str:
    """Drop control characters and lone surrogates, which no XML file can hold."""
    return _ILLEGAL.sub("", text)


def is_legal(text: str) -> bool:
    """Whether XML can hold every character of the text."""
    return _ILLEGAL.search(text) is None
