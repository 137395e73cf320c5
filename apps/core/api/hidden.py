"""What is not sent to who acts: taken out of every answer, in one place.

`request.auth` of a member whose role does not see everything has `hidden`. A field that is hidden
cannot be asked for, sorted by or written either.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from rest_framework.exceptions import PermissionDenied, UnsupportedMediaType
from rest_framework.request import Request

from apps.core.ownership import person_of

#: The states of an order in hand: its buyer is named on the parcel.
IN_HAND: Final = ("paid", "picked", "packed")


@dataclass(frozen=True, slots=True)
class Hidden:
    """Names of fields on the wire."""

    always: frozenset[str] = frozenset()
    #: In orders that are not in hand.
    of_orders: frozenset[str] = frozenset()
    #: Acts and jobs of others, too.
    only_own: bool = False


NOTHING: Final = Hidden()


def hidden_from(request: Any) -> Hidden:
    """Return what is not sent to who acts in a request."""
    return getattr(getattr(request, "auth", None), "hidden", NOTHING)


def own_only(rows: Any, request: Any) -> Any:
    """Return the rows that who acts has begun, where those of others are hidden from him."""
    return rows.filter(by=person_of(request)) if hidden_from(request).only_own else rows


def without_hidden(value: Any, hidden: Hidden) -> Any:
    """Return data of an answer without what is hidden: null, or empty."""
    if isinstance(value, Mapping):
        is_over = "state" in value and value["state"] not in IN_HAND
        names = hidden.always | hidden.of_orders if is_over else hidden.always
        return {
            name: _blank(one) if name in names else without_hidden(one, hidden)
            for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_hidden(one, hidden) for one in value]
    return value


def _blank(value: Any) -> Any:
    return [] if isinstance(value, list) else "" if isinstance(value, str) else None


def refuse_hidden(request: Request) -> None:
    """Raise PermissionDenied where a request names what is hidden from who acts."""
    names = hidden_from(request).always
    if not names:
        return
    asked = {*request.query_params, *_orders(request.query_params.getlist("ordering"))}
    if request.method not in ("GET", "HEAD"):
        with suppress(UnsupportedMediaType):  # which the view finds out itself
            asked |= set(_names(request.data))
    for name in sorted(asked):
        bare = name.removesuffix("_min").removesuffix("_max")
        if bare in names:
            raise PermissionDenied(f"Your role in this store does not see {bare}.")


def _orders(texts: Iterable[str]) -> Iterable[str]:
    return (word.strip().removeprefix("-") for text in texts for word in text.split(","))


def _names(value: Any) -> Iterable[str]:
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield str(name)
            yield from _names(one)
    elif isinstance(value, list):
        for one in value:
            yield from _names(one)
