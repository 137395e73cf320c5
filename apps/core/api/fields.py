"""Fields that several resources take in: whole numbers that stay whole, text that any file can hold,
times that every time zone can show, links that run nothing."""

import datetime as dt
import re
from typing import Any, Final

from django.core.validators import URLValidator
from rest_framework import serializers
from rest_framework.fields import empty

from apps.core.texts import is_unprintable

_OUR_FILE: Final = re.compile(r"/static/[\w./-]+")
# Within these years a time can be shown in every time zone and on both databases.
EARLIEST: Final = dt.date(1900, 1, 1)
LATEST: Final = dt.date(2199, 12, 31)
_OUT_OF_RANGE: Final[dict[str, Any]] = {"range": f"Expected a date from {EARLIEST} to {LATEST}."}
_WHOLE = re.compile(r"\s*[+-]?\d{1,19}\s*")


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


class YesOrNo(serializers.BooleanField):
    """true or false: DRF also reads "yes", "on", "t" and 1."""

    default_error_messages = {"invalid": "Must be true or false."}

    def to_internal_value(self, data: Any) -> Any:
        # As text, in addresses and forms.
        if not isinstance(data, bool) and str(data).lower() not in ("true", "false"):
            self.fail("invalid")
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """Text without the control characters that no XML file can hold."""

    default_error_messages = {"unprintable": "Control characters cannot be kept."}

    def to_internal_value(self, data: Any) -> str:
        text = str(super().to_internal_value(data))
        if is_unprintable(text):
            self.fail("unprintable")
        return text


class Instant(serializers.DateTimeField):
    """A time between EARLIEST and LATEST."""

    default_error_messages = _OUT_OF_RANGE

    def to_internal_value(self, value: Any) -> Any:
        instant = super().to_internal_value(value)
        if not EARLIEST <= instant.date() <= LATEST:
            self.fail("range")
        return instant


class Day(serializers.DateField):
    """A date between EARLIEST and LATEST."""

    default_error_messages = _OUT_OF_RANGE

    def to_internal_value(self, value: Any) -> Any:
        day = super().to_internal_value(value)
        if not EARLIEST <= day <= LATEST:
            self.fail("range")
        return day


class WebAddress(serializers.URLField):
    """An address of a page or picture: http or https, so that following it runs nothing."""

    default_error_messages = {
        "invalid": "Expected an address that begins with https:// or http://."
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        message = self.error_messages["invalid"]
        self.validators.append(URLValidator(schemes=["http", "https"], message=message))


class PictureAddress(WebAddress):
    """An address of a picture; the demo's are files of our own."""

    def run_validation(self, data: Any = empty) -> Any:
        if isinstance(data, str) and _OUR_FILE.fullmatch(data):
            return data
        return super().run_validation(data)
