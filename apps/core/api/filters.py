"""Filters that several lists share. A value that cannot be read is refused, never ignored."""

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import QuerySet
from django_filters.fields import ChoiceField, IsoDateTimeField
from drf_spectacular.drainage import set_override
from rest_framework.request import Request
from rest_framework.utils.field_mapping import ClassLookupDict

from apps.core.api.serializers import named_columns
from apps.core.clock import in_utc, is_time_zone, zone_of
from apps.core.errors import Invalid
from apps.core.ownership import person_of

NONE: Final = "none"
ANY: Final = "any"
LARGEST_ID: Final = 2**63 - 1
LARGEST_COUNT: Final = 2**31 - 1
LARGEST_AMOUNT: Final = 99_999_999
ZONE_HELP: Final = "whose days are meant where the profile names none, such as Europe/Berlin"
NO_ZONE: Final = "is not a time zone, such as Europe/Berlin"
#: Which names there are changes with the years, so that no list of them is in the schema.
TIME_ZONE: Final = {"type": "string", "format": "time-zone", "maxLength": 64}
ROW_ID: Final = {"type": "integer", "minimum": 1, "maximum": LARGEST_ID}
_ID: Final = re.compile(r"[1-9][0-9]{0,17}")
_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_AMOUNT: Final = re.compile(r"[0-9]{1,8}(\.[0-9]{1,8})?")
_YES_OR_NO: Final = {"": None, "true": True, "false": False}


class FilterSet(django_filters.FilterSet):  # noqa: TID251
    """The filters of a list. Those that a request leaves out are not made for it.

    A list has up to 60, and to copy them and their fields costs 5 ms.
    """

    #: Stored fields of the rows, as `named_columns` reads them. Each is a filter for rows with
    #: exactly this value, unless a filter of the same name is declared.
    own_fields: ClassVar[str] = ""
    base_filters: dict[str, Any]

    @classmethod
    def get_filters(cls) -> dict[str, Any]:
        found: dict[str, Any] = super().get_filters()
        if cls._meta.model is None:
            return found
        return _filters_of(cls._meta.model, named_columns(cls.own_fields)) | found

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        queryset: QuerySet[Any] | None = None,
        *,
        request: object = None,
        prefix: str | None = None,
    ) -> None:
        given = data or {}
        self.base_filters = {
            name: made
            for name, made in self.base_filters.items()
            if name in given or made.extra["required"]
        }
        super().__init__(data, queryset, request=request, prefix=prefix)


class _YesOrNoField(forms.NullBooleanField):
    """Django reads an unknown value as "not given"; this field refuses it."""

    widget = forms.TextInput  # hands the text on as it came

    def to_python(self, value: object) -> bool | None:  # type: ignore[override]
        if value is None or isinstance(value, bool):
            return value
        try:
            return _YES_OR_NO[str(value).strip().lower()]
        except KeyError:
            raise ValidationError("must be true or false") from None


class BooleanFilter(django_filters.BooleanFilter):
    """`true` or `false`; anything else is refused."""

    field_class = _YesOrNoField


class _WholeField(forms.IntegerField):
    """Django reads 1.0, 1_0 and the digits of any script as whole numbers, too."""

    def to_python(self, value: object) -> int | None:
        text = str(value or "").strip()
        if text and not _WHOLE.fullmatch(text):
            raise ValidationError("must be a whole number")
        return super().to_python(value)


class WholeFilter(django_filters.NumberFilter):
    """A whole number within bounds."""

    field_class = _WholeField

    def __init__(
        self, *args: Any, min_value: int = 0, max_value: int = LARGEST_COUNT, **kwargs: Any
    ) -> None:
        super().__init__(*args, min_value=min_value, max_value=max_value, **kwargs)
        _declare(self, {"type": "integer", "minimum": min_value, "maximum": max_value})

    def get_max_validator(self) -> None:
        """Return none: `max_value` is one already."""


class IdFilter(WholeFilter):
    """The id of a row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_value=1, max_value=LARGEST_ID, **kwargs)


class AmountFilter(django_filters.NumberFilter):
    """An amount of money."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_value=0, max_value=LARGEST_AMOUNT, **kwargs)
        _declare(self, {"type": "number", "minimum": 0, "maximum": LARGEST_AMOUNT})


class _AmountOrWordField(ChoiceField):
    def valid_value(self, value: object) -> bool:
        return bool(super().valid_value(value) or _AMOUNT.fullmatch(str(value)))


class AmountOrWordFilter(django_filters.ChoiceFilter):
    """An amount of money, or one of the words in `choices`."""

    field_class = _AmountOrWordField

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, choices=choices, **kwargs)
        words = "|".join(word for word, _ in choices)
        _declare(self, {"type": "string", "pattern": f"^({words}|{_AMOUNT.pattern})$"})


class IdsFilter(django_filters.BaseInFilter, IdFilter):
    """Several ids, separated by commas."""


def may_be_blank(made: object) -> bool:
    """Return whether a blank value has a meaning: any text, or no ids."""
    if isinstance(made, django_filters.CharFilter):
        return not isinstance(made, IdOrNoneFilter | TextFilter | TimeZoneFilter)
    return isinstance(made, IdsFilter)


def needs_text(made: object) -> bool:
    """Return whether a body must give the value as text: no number, true or false."""
    others = (django_filters.NumberFilter, django_filters.BooleanFilter, IdOrNoneFilter)
    return not isinstance(made, others)


def _declare(made: Any, schema: dict[str, Any]) -> None:
    if text := made.extra.get("help_text"):
        schema["description"] = text
    set_override(made, "field", schema)


class _IdOrWordField(forms.CharField):
    def __init__(self, *args: Any, words: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.words = words

    def clean(self, value: object) -> str:
        text = str(super().clean(value))
        if text in ("", *self.words):
            return text
        if not _ID.fullmatch(text):
            raise ValidationError(f"must be an id, or {' or '.join(self.words)}")
        return text


class IdOrNoneFilter(django_filters.CharFilter):
    """The id of a row, or `none` for rows without one; with `any`, also for rows with one."""

    field_class = _IdOrWordField

    def __init__(self, *args: Any, words: tuple[str, ...] = (NONE,), **kwargs: Any) -> None:
        kwargs.setdefault("help_text", f"an id, or {' or '.join(words)}")
        super().__init__(*args, words=words, **kwargs)
        _declare(self, {"type": "string", "pattern": f"^({'|'.join((*words, _ID.pattern))})$"})

    def filter(self, qs: QuerySet[Any], value: str) -> Any:
        if value == "":
            return qs
        if value == NONE:
            return qs.filter(**{f"{self.field_name}__isnull": True})
        if value == ANY:
            return qs.filter(**{f"{self.field_name}__isnull": False})
        return qs.filter(**{self.field_name: int(value)})


class TextFilter(django_filters.CharFilter):
    """A text of one pattern, which is no regular expression of more than letters and numbers."""

    def __init__(self, *args: Any, pattern: str, **kwargs: Any) -> None:
        self.pattern = re.compile(pattern)
        super().__init__(*args, validators=[self._check], **kwargs)
        _declare(self, {"type": "string", "pattern": f"^({pattern})$"})

    def _check(self, text: str) -> None:
        if not self.pattern.fullmatch(text):
            raise ValidationError(f"must be as {self.pattern.pattern}")


class DayFilter(django_filters.DateFilter):
    """A day in the person's time zone, which counts in: from its first instant or to its last."""

    def __init__(self, *args: Any, lookup_expr: str, **kwargs: Any) -> None:
        if lookup_expr not in ("from", "to"):
            raise ValueError(lookup_expr)
        kwargs.setdefault("help_text", "a day in your time zone, which counts in")
        super().__init__(*args, **kwargs)
        self.is_from = lookup_expr == "from"

    def filter(self, qs: QuerySet[Any], value: dt.date | None) -> QuerySet[Any]:
        if value is None:
            return qs
        zone = zone_of(
            person_of(self.parent.request), self.parent.form.cleaned_data.get("time_zone") or ""
        )
        if self.is_from:
            return qs.filter(**{f"{self.field_name}__gte": _first_instant(value, zone)})
        if value == dt.date.max:
            return qs
        after = _first_instant(value + dt.timedelta(days=1), zone)
        return qs.filter(**{f"{self.field_name}__lt": after})


class _InstantField(IsoDateTimeField):
    def to_python(self, value: object) -> dt.datetime | None:
        found = super().to_python(value)
        if found is None:
            return None
        if (instant := in_utc(found)) is None:
            raise ValidationError("must be an instant such as 2026-01-31T12:00:00Z")
        return instant


class InstantFilter(django_filters.IsoDateTimeFilter):
    """An ISO 8601 instant, of years that databases know in UTC."""

    field_class = _InstantField


def _whole(column: object, **options: Any) -> WholeFilter:
    if isinstance(column, models.BigIntegerField):
        return WholeFilter(max_value=LARGEST_ID, **options)
    is_signed = not isinstance(column, models.PositiveIntegerField)
    return WholeFilter(min_value=-LARGEST_COUNT if is_signed else 0, **options)


_OF_COLUMNS: Final[Any] = ClassLookupDict(
    {
        models.BooleanField: BooleanFilter,
        models.CharField: django_filters.CharFilter,
        models.TextField: django_filters.CharFilter,
        models.DecimalField: AmountFilter,
        models.DateField: django_filters.DateFilter,
        models.DateTimeField: InstantFilter,
        models.ForeignKey: IdFilter,
    }
)


def _filters_of(model: type[models.Model], columns: Mapping[str, str]) -> dict[str, Any]:
    """Return name -> the filter for rows with exactly this value in the column."""
    found: dict[str, Any] = {}
    for name, path in columns.items():
        column: Any = model._meta.get_field(path)
        if column.choices:
            choices = [(value, value) for value, _ in column.flatchoices if value != ""]
            found[name] = django_filters.ChoiceFilter(field_name=path, choices=choices)
        elif isinstance(column, models.IntegerField):
            found[name] = _whole(column, field_name=path)
        else:
            found[name] = _OF_COLUMNS[column](field_name=path)
    return found


class TimeZoneFilter(django_filters.CharFilter):
    """Narrows nothing: it names the zone of the list's days, where the profile has none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(
            *args,
            max_length=64,
            help_text=ZONE_HELP,
            validators=[_check_zone],
            **kwargs,
        )
        _declare(self, dict(TIME_ZONE))

    def filter(self, qs: QuerySet[Any], value: object) -> Any:
        return qs


def zone_asked(request: Request) -> ZoneInfo:
    """Return the zone of the caller's days: the profile's, or else the `time_zone` of the query.

    Raises Invalid.
    """
    named = request.query_params.get("time_zone", "")
    if named and not is_time_zone(named):
        raise Invalid(fields={"time_zone": [NO_ZONE]})
    return zone_of(person_of(request), named)


def _check_zone(name: str) -> None:
    if not is_time_zone(name):
        raise ValidationError(NO_ZONE)


def _first_instant(day: dt.date, zone: ZoneInfo) -> dt.datetime:
    """Return the first instant of a day, in UTC: midnight, or the time after a clock change."""
    midnight = dt.datetime.combine(day, dt.time.min, zone)
    try:
        return midnight.astimezone(dt.UTC)
    except OverflowError:  # the first and the last day that there are
        return midnight.replace(tzinfo=dt.UTC)
