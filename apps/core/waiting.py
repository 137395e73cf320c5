"""What waits for a person, as Home lists it. Each app registers its own lines in its
`services/waiting.py`."""

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Final, TypedDict, TypeVar

from django.db.models import QuerySet

from apps.core.money import Total

T = TypeVar("T")
#: How many lines an app shows of one kind, such as failed jobs.
MOST_OF_A_KIND: Final = 5
MOST_PICTURES: Final = 3


class Picture(TypedDict):
    """A lot to look at."""

    item_type: str
    item_name: str
    color_name: str
    color_html: str | None
    image_url: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """One thing that waits for the person, and the page of the app where it is settled."""

    id: str
    title: str
    note: str
    to: Annotated[str, "an address of the app, such as /app/inventory"]
    count: int
    money: Annotated[Total | None, "at stake, in the person's currency; null: unknown"] = None
    since: Annotated[dt.datetime | None, "when it began or, if `is_due`, is over"] = None
    is_due: Annotated[bool, "`since` is when it is over"] = False
    #: It comes before other lines without money.
    is_pressing: Annotated[bool, "it failed, or is overdue or nearly over"] = False
    #: Home fills it from the lots that `Asked.show` was given.
    pictures: Annotated[list[Picture], f"at most {MOST_PICTURES}, of what waits"] = field(
        default_factory=list
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """Whose lines are wanted. `once` keeps what several lines read.

    `shown` holds, by the id of a line, the query of the rows whose lots picture it.
    """

    owner: Any
    currency: str
    now: dt.datetime
    shown: dict[str, QuerySet[Any]] = field(default_factory=dict)
    _kept: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def days_ago(self, days: int) -> dt.datetime:
        """Return the instant so many days before `now`."""
        return self.now - dt.timedelta(days=days)

    def show(self, line: str, rows: QuerySet[Any]) -> str:
        """Picture a line by the newest of `rows` with a lot; return the line's id."""
        self.shown[line] = rows.filter(lot__isnull=False).order_by("-pk")
        return line

    def once(self, read: Callable[..., T]) -> T:
        """Return `read(owner=…)`, called once for all lines."""
        if read not in self._kept:
            self._kept[read] = read(owner=self.owner)
        kept: T = self._kept[read]
        return kept


Reader = Callable[[Asked], Iterable[Waiting]]
_readers: dict[str, Reader] = {}


def waits(name: str) -> Callable[[Reader], Reader]:
    """Register `reader(asked)`, which returns the lines of `name` (`<app>.<what>`)."""

    def register(reader: Reader) -> Reader:
        if name in _readers and _readers[name] is not reader:
            raise ValueError(f"two readers of what waits are called {name}")
        _readers[name] = reader
        return reader

    return register


def names() -> frozenset[str]:
    """Return the registered lines."""
    return frozenset(_readers)


def everything_waiting(asked: Asked) -> list[Waiting]:
    """Return all lines: most money first, then the urgent ones, then the others by name."""
    found = [line for name in sorted(_readers) for line in _readers[name](asked)]
    return sorted(found, key=lambda one: (-(one.money or Decimal(0)), not one.is_pressing))


def counted(count: int, one: str, many: str = "") -> str:
    """Return such as `1 lot` or `2,400 lots`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
