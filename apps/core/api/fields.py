"""Fields that several resources take in: whole numbers that stay whole, text that any file can hold."""

import re
from typing import Any

from rest_framework import serializers

# XML 1.0 has no way to write these, so no export could.
_NOT_IN_ANY_FILE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_WHOLE = re.compile(r"\s*[+-]?\d{1,18}\s*")


class WholeNumber(serializers.IntegerField):
    """A whole number: 1.5, "1,234" and true are refused, not rounded or read as 1."""

    default_error_messages = {"invalid": "A whole number is required."}

    def to_internal_value(self, data: Any) -> int:
        whole = (
            (isinstance(data, int) and not isinstance(data, bool))
            or (isinstance(data, float) and data.is_integer())
            or (isinstance(data, str) and _WHOLE.fullmatch(data) is not None)
        )
        if not whole:
            self.fail("invalid")
        return int(super().to_internal_value(int(data)))


class Text(serializers.CharField):
    """Text without the control characters that no XML file can hold."""

    default_error_messages = {"unprintable": "Control characters cannot be kept."}

    def to_internal_value(self, data: Any) -> str:
        text = str(super().to_internal_value(data))
        if _NOT_IN_ANY_FILE.search(text):
            self.fail("unprintable")
        return text
