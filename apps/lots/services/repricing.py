"""What re-pricing makes of rows of lots, in stock and in batches."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from heapq import nlargest
from operator import attrgetter
from typing import Any, Final, TypeVar

from apps.accounts.models import User
from apps.catalog.rules.pricing import Limit, PriceBy, Repricing, is_old
from apps.catalog.selectors.pricing import new_prices
from apps.catalog.services.prices import Used, refresh_before_use
from apps.core.errors import StateConflict
from apps.core.money import money_text
from apps.core.worth import Worth
from apps.lots.models import LotFields

MOST_SHOWN: Final = 200
LARGEST: Final = 10
_PERCENT: Final = Decimal("0.1")
Row = TypeVar("Row", bound=LotFields)
Done = TypeVar("Done")


class FiguresOnTheirWay(StateConflict):
    message = (
        "The market figures of {count} rows are older than six hours and are being fetched. "
        "Re-price again when they are there, or use the old ones."
    )
    is_recorded = True  # what fetches them


class FiguresTooOld(Exception):
    """An act was planned with old figures: newer ones are asked for first."""

    def __init__(self, found: "Repricings") -> None:
        super().__init__("old figures")
        self.found = found


def with_new_figures(
    act: Callable[[Repricing], Done], how: Repricing, *, owner: User, now: dt.datetime
) -> Done:
    """Return `act(how)`; old figures are used only where no newer ones can be had.

    Raises FiguresOnTheirWay.
    """
    try:
        return act(how)
    except FiguresTooOld as old:
        if old.found.refresh(how, owner=owner, now=now):
            raise FiguresOnTheirWay(count=len(old.found.old)) from None
    return act(replace(how, use_old_figures=True))


@dataclass(frozen=True, slots=True)
class PriceChange:
    """The new price of one row; `is_marked`: the market has no figure for it."""

    item_id: int
    before: Decimal | None
    after: Decimal | None
    found_by: str
    is_marked: bool
    told_at: dt.datetime | None = None
    limit: Limit = Limit.NONE
    quantity: int = 0
    is_left: bool = False  # the person leaves its price as it is

    @property
    def percent(self) -> Decimal | None:
        """How much more the price is, None where there is no price to compare."""
        if not self.before or self.after is None:
            return None
        return ((self.after / self.before - 1) * 100).quantize(_PERCENT)

    @property
    def change(self) -> Decimal:
        """How much more the row is worth."""
        return ((self.after or Decimal(0)) - (self.before or Decimal(0))) * self.quantity

    def as_dict(self) -> dict[str, Any]:
        """Return it under its wire names."""
        return {
            "before": money_text(self.before),
            "after": money_text(self.after),
            "percent": None if self.percent is None else f"{self.percent:f}",
            "found_by": self.found_by,
            "limited_by": self.limit.value,
            "is_marked": self.is_marked,
            "is_left": self.is_left,
            "quantity": self.quantity,
            "figureAt": self.told_at,
        }


def _sorted(rows: Iterable[PriceChange], by: str) -> list[PriceChange]:
    """Return rows by a figure, those without it last."""
    name, falls = by.lstrip("-"), by.startswith("-")
    known = [row for row in rows if getattr(row, name) is not None]
    known.sort(key=attrgetter(name), reverse=falls)
    return known + [row for row in rows if getattr(row, name) is None]


@dataclass(slots=True)
class Repricings:
    """The result of re-pricing or of its preview: counts, the rows' worth, the first rows."""

    row_count: int = 0
    changed: int = 0
    without_data: int = 0
    # By the price rule: rows without figures of the market, whatever the rule does then.
    without_figures: int = 0
    locked: int = 0
    # Those whose figures are too old to be used unless no newer ones can be had.
    old: list[Used] = field(default_factory=list)
    oldest_at: dt.datetime | None = None
    being_fetched: int = 0
    before: Worth = field(default_factory=Worth)
    after: Worth = field(default_factory=Worth)
    rows: list[PriceChange] = field(default_factory=list)

    def price(
        self,
        rows: Sequence[Row],
        how: Repricing,
        *,
        owner: User,
        now: dt.datetime,
        locked: Collection[int] = (),
    ) -> Iterator[tuple[Row, Decimal | None]]:
        """Count the results of rows; yield those whose price changes, with the new one.

        Rows with an id in `locked` keep their price, as those that the person leaves.
        """
        for row, new in zip(rows, new_prices(rows, how, user=owner), strict=True):
            before = row.price
            self.row_count += 1
            self.before.add(row.quantity, before)
            is_locked, is_left = row.pk in locked, row.pk in how.leave
            self.after.add(row.quantity, before if is_locked or is_left else new.price)
            self.locked += is_locked
            if is_locked:
                continue
            self.without_data += new.is_marked
            self.without_figures += how.by is PriceBy.RULE and new.found_by == ""
            if how.by is PriceBy.RULE:
                self._note_age(row, new.told_at, now, how)
            if new.price != before or new.is_marked:
                change = PriceChange(
                    item_id=row.pk,
                    before=before,
                    after=new.price,
                    found_by=new.found_by,
                    is_marked=new.is_marked,
                    told_at=new.told_at,
                    limit=new.limit,
                    quantity=row.quantity,
                    is_left=is_left,
                )
                self.rows.append(change)
            if new.price != before and not is_left:
                self.changed += 1
                yield row, new.price

    def page(self, how: Repricing) -> list[PriceChange]:
        """Return some of the rows in the order that is asked for."""
        return _sorted(self.rows, how.order)[how.start : how.start + MOST_SHOWN]

    @property
    def largest(self) -> list[PriceChange]:
        """The rows that change most in worth."""
        rows = (row for row in self.rows if row.change and not row.is_left)
        return nlargest(LARGEST, rows, key=lambda row: abs(row.change))

    def _note_age(
        self, row: LotFields, told_at: dt.datetime | None, now: dt.datetime, how: Repricing
    ) -> None:
        is_used = is_old(told_at, now=now) if told_at else how.asks_missing
        if row.lot_id is None or not is_used:
            return
        self.old.append(Used(row.lot_id, row.condition, row.quantity, row.price))
        if told_at is not None:
            self.oldest_at = told_at if self.oldest_at is None else min(self.oldest_at, told_at)

    def refresh(self, how: Repricing, *, owner: User, now: dt.datetime) -> int:
        """Have the figures asked for that are too old; return of how many lots new ones come."""
        if not how.use_old_figures:
            self.being_fetched = refresh_before_use(owner=owner, wanted=self.old, now=now)
        return self.being_fetched

    def refuse_old(self, how: Repricing) -> None:
        """Raise FiguresTooOld where newer figures have not been asked for yet."""
        if self.old and not how.use_old_figures:
            raise FiguresTooOld(self)

    def as_dict(self) -> dict[str, Any]:
        """Return counts and worths under their wire names."""
        return {
            "changed": self.changed,
            "without_data": self.without_data,
            "without_figures": self.without_figures,
            "locked": self.locked,
            "shown_count": len(self.rows),
            "old_figures": len(self.old),
            "figuresSince": self.oldest_at,
            "being_fetched": self.being_fetched,
            "value_before": money_text(self.before.value),
            "lots_without_price_before": self.before.lots_without_price,
            "value_after": money_text(self.after.value),
            "lots_without_price_after": self.after.lots_without_price,
        }
