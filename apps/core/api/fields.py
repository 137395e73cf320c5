"""Fields of requests, stricter than those of Django REST framework."""

import datetime as dt
import re
from decimal import Decimal
from typing import Any, Final

from rest_framework import serializers
from rest_framework.fields import empty
from rest_framework.utils import html

from apps.core.errors import NO_SUCH_ROW
from apps.core.texts import NOT_IN_ANY_FILE

#: The id of a job in an address.
UUID_PATTERN: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# Within these years a time can be shown in every time zone and on both databases.
EARLIEST: Final = dt.date(1900, 1, 1)
LATEST: Final = dt.date(2199, 12, 31)
ID: Final[dict[str, Any]] = {"min_value": 1, "max_value": 2**63 - 1}
_OUT_OF_RANGE: Final[dict[str, Any]] = {"range": f"Expected a date from {EARLIEST} to {LATEST}."}
_WHOLE = re.compile(r"\s*[+-]?\d{1,19}\s*")
_SMALL = re.compile(r"-?[0-9](\.[0-9]+)?e-[0-9]{1,3}")
_ADDRESS: Final = r"https?://[A-Za-z0-9._-]+(:[0-9]{1,5})?([/?#][^\u0000-\u0020<>\"\\\u007f]*)?"
_OUR_FILE: Final = r"/static/[A-Za-z0-9_./-]+"


class ListOf(serializers.ListField):
    """A list whose length is checked before its values are."""

    def to_internal_value(self, data: Any) -> Any:
        if self.max_length is not None and isinstance(data, list) and len(data) > self.max_length:
            raise serializers.ValidationError(
                self.error_messages["max_length"].format(max_length=self.max_length),
                code="max_length",
            )
        return super().to_internal_value(data)


#: Codes of field errors that depend on what is stored, for `serializers.ValidationError(…, code)`.
UNKNOWN: Final = "unknown_reference"
REFUSED: Final = "value_refused"


def is_form(field: serializers.Field[Any, Any, Any, Any]) -> bool:
    """Return whether the field reads a form or an address, where every value is text."""
    root = field.root
    data = getattr(root, "initial_data", None)
    return root is field or html.is_html_input(data)


class WholeNumber(serializers.IntegerField):
    """A whole number: 1.5, "1,234", true and, in JSON, "1" are refused."""

    default_error_messages = {"invalid": "A whole number is required."}

    def to_internal_value(self, data: Any) -> int:
        whole = (
            (isinstance(data, int) and not isinstance(data, bool))
            or (isinstance(data, float) and data.is_integer())
            or (isinstance(data, str) and is_form(self) and _WHOLE.fullmatch(data) is not None)
        )
        if not whole:
            self.fail("invalid")
        return int(super().to_internal_value(int(data)))


class Measure(serializers.FloatField):
    """A number that may have a fraction: true and, in JSON, "1.5" are refused."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or (isinstance(data, str) and not is_form(self)):
            self.fail("invalid")
        return float(super().to_internal_value(data))


class YesOrNo(serializers.BooleanField):
    """true or false: DRF also reads "yes", "on", "t" and 1."""

    default_error_messages = {"invalid": "Must be true or false."}

    def to_internal_value(self, data: Any) -> Any:
        # As text, in addresses and forms.
        if not isinstance(data, bool) and str(data).lower() not in ("true", "false"):
            self.fail("invalid")
        return super().to_internal_value(data)


class Amount(serializers.DecimalField):
    """A decimal as text ("1.25") or a number of no more places than it has: 0.1 + 0.2, which
    arrives as 0.30000000000000004, is refused."""

    default_error_messages = {"invalid": 'Expected a number, as text such as "1.25".'}

    def to_internal_value(self, data: object) -> Decimal:
        if isinstance(data, float) and data.is_integer():
            data = int(data)
        text = str(data)
        # So Python and JavaScript write small numbers; in forms each number is text.
        if _SMALL.fullmatch(text) and (isinstance(data, float) or is_form(self)):
            text = format(Decimal(text), "f")
        if isinstance(data, bool) or not re.fullmatch(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", text):
            self.fail("invalid")
        if text.startswith("-") and self.min_value is not None and self.min_value >= 0:
            self.fail("min_value", min_value=self.min_value)
        if len(text.lstrip("-").partition(".")[0]) > self._whole_digits():
            self.fail("max_whole_digits", max_whole_digits=self._whole_digits())
        return Decimal(super().to_internal_value(text)) + 0  # -0.00 is 0.00

    def _whole_digits(self) -> int:
        return int(self.max_digits or 0) - int(self.decimal_places or 0)


class AnyText(serializers.CharField):
    """Text with any characters except the null character. Numbers are refused."""

    default_error_messages = {"unprintable": "Control characters cannot be kept."}
    #: The inside of a class of characters that it must not have.
    excluded = r"\u0000"

    def run_validation(self, data: object = empty) -> Any:
        # Before blanks are taken off, as some control characters count as such.
        if isinstance(data, str):
            if re.search(f"[{self.excluded}]", data):
                self.fail("unprintable")
            if self.max_length is not None and len(data) > self.max_length:
                self.fail("max_length", max_length=self.max_length)
        return super().run_validation(data)

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class Text(AnyText):
    """Text without the control characters that no XML file can hold."""

    excluded = NOT_IN_ANY_FILE


class Matching(Text):
    """Text of a pattern, which the schema shows."""

    default_error_messages = {"invalid": "This value does not match the required pattern."}

    def __init__(self, pattern: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.pattern = pattern

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data)
        if not re.fullmatch(self.pattern, text):
            self.fail("invalid")
        return text


class Secret(AnyText):
    """A password: blanks are part of it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)


class Instant(serializers.DateTimeField):
    """A time between EARLIEST and LATEST."""

    default_error_messages = _OUT_OF_RANGE

    def to_internal_value(self, value: Any) -> Any:
        if isinstance(value, str) and "W" in value:
            self.fail("invalid", format="ISO 8601")  # a week is no day
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


class WebAddress(Matching):
    """An address of a page or picture: http or https, so that following it runs nothing."""

    default_error_messages = {
        "invalid": "Expected an address that begins with https:// or http://."
    }
    shapes: tuple[str, ...] = (_ADDRESS,)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("|".join(self.shapes), **kwargs)


class PictureAddress(WebAddress):
    """An address of a picture; the demo's are files of our own."""

    shapes = (_ADDRESS, _OUR_FILE)


class RowId(WholeNumber):
    """The id of a row of any model."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**ID, **kwargs)


class OwnedRow(serializers.PrimaryKeyRelatedField):
    """A row of the caller, by its id. Rows of other users do not exist for the caller."""

    default_error_messages = {"does_not_exist": NO_SUCH_ROW}

    def get_queryset(self) -> Any:
        rows: Any = super().get_queryset()
        return rows.owned_by(self.context["request"].user)

    def to_internal_value(self, data: object) -> Any:
        number: Any = WholeNumber(**ID)
        number.parent = self  # which tells JSON from a form
        return super().to_internal_value(number.run_validation(data))
