"""What waits for a person, as Home lists it. Each app registers its own lines in its
`services/waiting.py`."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Final, NamedTuple, TypedDict, TypeVar

from django.db.models import Expression, ExpressionWrapper, F, QuerySet, Value
from django.db.models.functions import Cast

from apps.core.money import Total
from apps.core.prepared import INSTANT, TEXT, WHOLE, AnyField, Prepared, Slot
from apps.core.worth import WORTH

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


@dataclass(frozen=True, slots=True)
class Fact:
    """A row behind the lines: each app writes into it what its own lines need."""

    line: str
    id: int
    name: str
    text: str
    count: int
    lots: int
    money: Decimal | None
    at: Any  # an instant, or None


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """Whose facts are wanted, in a query that is compiled once."""

    owner: Slot
    currency: Slot
    now: Slot

    def days_ago(self, days: int) -> Slot:
        """Return the instant so many days before `now`."""
        return self.now.before(dt.timedelta(days=days))


#: The columns of a fact: their kinds, and what stands in those that its app does not need.
_COLUMNS: Final[dict[str, tuple[AnyField, int | str | None]]] = {
    "id": (WHOLE, 0),
    "name": (TEXT, ""),
    "text": (TEXT, ""),
    "count": (WHOLE, 1),
    "lots": (WHOLE, 0),
    "money": (WORTH, None),
    "at": (INSTANT, None),
}


def facts_of(line: str, rows: QuerySet[Any], **columns: Expression | F) -> QuerySet[Any, Any]:
    """Return a fact of each row, as all facts are read: in one union."""
    return (rows if rows.query.is_sliced else rows.order_by()).values_list(
        Value(line, TEXT),
        *(_column(columns.get(name, value), kind) for name, (kind, value) in _COLUMNS.items()),
    )


def sums_of(line: str, rows: QuerySet[Any], **sums: Expression) -> QuerySet[Any, Any]:
    """Return one fact about all rows of an owner together, none without any."""
    grouped = rows.order_by().values("owner_id")
    grouped = grouped.annotate(**{f"of_{name}": figure for name, figure in sums.items()})
    return facts_of(line, grouped, **{name: F(f"of_{name}") for name in sums})


def _column(value: Expression | F | int | str | None, kind: AnyField) -> Expression:
    """Return a column of the union: each part has the same kinds."""
    if value is None:
        return Cast(Value(None), kind)
    if isinstance(value, int | str):
        return Value(value, kind)
    return ExpressionWrapper(value, output_field=kind)


Rows = Callable[..., QuerySet[Any]]


class Shown(NamedTuple):
    """Rows of which some are pictured: a query by its owner and ids, and by its kinds."""

    rows: Rows
    kinds: tuple[Hashable, ...]
    ids: Iterable[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Whose lines are wanted. `once` keeps what several lines read.

    `shown` holds, by the id of a line, the rows whose lots picture it.
    """

    owner: Any
    currency: str
    now: dt.datetime
    shown: dict[str, Shown] = field(default_factory=dict)
    _kept: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def days_ago(self, days: int) -> dt.datetime:
        """Return the instant so many days before `now`."""
        return self.now - dt.timedelta(days=days)

    def facts(self, line: str) -> Sequence[Fact]:
        """Return the facts of a line; those of all lines are read at once."""
        if _all_facts not in self._kept:
            self._kept[_all_facts] = found = defaultdict(list)
            values = {"owner": self.owner.pk, "currency": self.currency, "now": self.now}
            for row in _FACTS.rows(frozenset(_sources), **values):
                found[row[0]].append(Fact(*row))
        of_line: Sequence[Fact] = self._kept[_all_facts].get(line, ())
        return of_line

    def show(self, line: str, rows: Rows, *kinds: Hashable, ids: Iterable[int] = ()) -> str:
        """Picture a line by the newest of `rows(owner, ids, *kinds)` with a lot; return its id."""
        self.shown[line] = Shown(rows, kinds, ids)
        return line

    def once(self, read: Callable[..., T]) -> T:
        """Return `read(owner=…)`, called once for all lines."""
        if read not in self._kept:
            self._kept[read] = read(owner=self.owner)
        kept: T = self._kept[read]
        return kept


Reader = Callable[[Asked], Iterable[Waiting]]
Source = Callable[[Question], Iterable[QuerySet[Any, Any]]]
_readers: dict[str, Reader] = {}
_sources: dict[str, Source] = {}


def finds(name: str) -> Callable[[Source], Source]:
    """Register `source(question)`, which returns the queries of some facts (`<app>.<what>`)."""

    def register(source: Source) -> Source:
        _sources[name] = source
        return source

    return register


def waits(name: str) -> Callable[[Reader], Reader]:
    """Register `reader(asked)`, which returns the lines of `name` (`<app>.<what>`)."""

    def register(reader: Reader) -> Reader:
        if name in _readers and _readers[name] is not reader:
            raise ValueError(f"two readers of what waits are called {name}")
        _readers[name] = reader
        return reader

    return register


def _all_facts(names: Iterable[str], **slots: Slot) -> list[QuerySet[Any, Any]]:
    question = Question(**slots)
    return [rows for name in sorted(names) for rows in _sources[name](question)]


_FACTS: Final = Prepared(_all_facts, owner=WHOLE, currency=TEXT, now=INSTANT)


def everything_waiting(asked: Asked) -> list[Waiting]:
    """Return all lines: most money first, then the urgent ones, then the others by name."""
    found = [line for name in sorted(_readers) for line in _readers[name](asked)]
    return sorted(found, key=lambda one: (-(one.money or Decimal(0)), not one.is_pressing))


def counted(count: int, one: str, many: str = "") -> str:
    """Return such as `1 lot` or `2,400 lots`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
