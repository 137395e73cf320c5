"""What is not sent to who acts: taken out of every answer, in one place.

`request.auth` of a member whose role does not see everything has `hidden`. A field that is hidden
cannot be asked for, sorted by or written either.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet
from rest_framework.exceptions import PermissionDenied, UnsupportedMediaType
from rest_framework.request import Request

from apps.core.ownership import person_of


@dataclass(frozen=True, slots=True)
class Hidden:
    """Names of fields on the wire."""

    always: frozenset[str] = frozenset()
    #: Of rows whose `state` is none of these.
    of_past: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()
    #: Of lines of the ledger that an order caused.
    of_orders: frozenset[str] = frozenset()
    #: Acts and jobs of others, too.
    only_own: bool = False


NOTHING: Final = Hidden()


def hidden_from(request: object) -> Hidden:
    """Return what is not sent to who acts in a request."""
    return getattr(getattr(request, "auth", None), "hidden", NOTHING)


def hides_buyers(request: Request) -> bool:
    """Return whether buyers of orders that are no longer in hand are hidden."""
    return bool(hidden_from(request).of_past)


def own_only(rows: QuerySet[Any], request: Request) -> Any:
    """Return the rows that who acts has begun, where those of others are hidden from him."""
    return rows.filter(by=person_of(request)) if hidden_from(request).only_own else rows


def without_hidden(value: object, hidden: Hidden) -> Any:
    """Return data of an answer without what is hidden: null, or empty."""
    if isinstance(value, Mapping):
        is_past = "state" in value and value["state"] not in hidden.present
        names = hidden.always | hidden.of_past if is_past else hidden.always
        if value.get("cause_kind") == "order":
            names |= hidden.of_orders
        return {
            name: _blank(one) if name in names else without_hidden(one, hidden)
            for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_hidden(one, hidden) for one in value]
    return value


def _blank(value: object) -> Any:
    return [] if isinstance(value, list) else "" if isinstance(value, str) else None


def refuse_hidden(request: Request) -> None:
    """Raise PermissionDenied where a request names what is hidden from who acts."""
    hidden = hidden_from(request)
    if hidden is NOTHING:
        return
    orders = set(_orders(request.query_params.getlist("ordering")))
    asked = {*request.query_params, *orders}
    if request.method not in ("GET", "HEAD"):
        with suppress(UnsupportedMediaType):  # which the view finds out itself
            asked |= set(_names(request.data))
    if named := sorted(asked & hidden.always | orders & hidden.of_past):
        raise PermissionDenied(f"Your role in this store does not see {named[0]}.")


def _orders(texts: Iterable[str]) -> Iterable[str]:
    return (word.strip().removeprefix("-") for text in texts for word in text.split(","))


def _names(value: object) -> Iterable[str]:
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield str(name)
            yield from _names(one)
    elif isinstance(value, list):
        for one in value:
            yield from _names(one)
