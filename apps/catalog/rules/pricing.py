"""The price rule: a person's price of a lot, from the market's figures.

One home for it: the station, re-pricing a batch or rows of stock and the settings page call
these. Pure.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final

PLACES: Final = Decimal("0.0001")
MOST: Final = Decimal("99999999.9999")  # the range of a price column
# BrickLink's terms: what is older is asked for again before it is used.
USED_FOR: Final = dt.timedelta(hours=6)


class Basis(StrEnum):
    """Which figure a price starts from."""

    REFERENCE = "reference"  # sold, and asked where nothing was sold
    SOLD = "sold"  # each piece counts: the weighted average
    SOLD_MEAN = "sold_mean"  # each sale counts
    SOLD_MEDIAN = "sold_median"
    SOLD_LOWEST = "sold_lowest"
    ASKED = "asked"
    ASKED_MEAN = "asked_mean"
    ASKED_MEDIAN = "asked_median"
    LOWEST = "lowest"  # asked


#: The first figure that is there counts.
FIGURES_OF: Final = {
    each: ("sold", "asked") if each is Basis.REFERENCE else (each.value,) for each in Basis
}
#: How many of the lowest prices are kept of each half.
MOST_LOWEST: Final = 10
WORLD: Final = "global"


class WithoutData(StrEnum):
    """The price of a row if the market has no figure."""

    KEEP = "keep"  # as it is
    ZERO = "zero"  # none any more: the row has no price
    MARK = "mark"  # as it is, and the row is reported


@dataclass(frozen=True, slots=True)
class PriceRule:
    """How a price is made of a figure, and its bounds.

    `ending` is what a rounded price is below its step: 0.10 and 0.01 make 0.19. A price that the
    first ending is too far from is rounded to the ending itself.
    """

    basis: Basis = Basis.REFERENCE
    nth: int = 1  # of the lowest prices
    fallback: Basis | None = None  # the figure where there is none of the basis
    region: str = WORLD  # or "us", "eu", a country's two letters
    percent: Decimal = Decimal(0)  # -10 asks a tenth less
    rounding: Decimal = Decimal("0.01")  # 0 keeps four places
    ending: Decimal = Decimal(0)
    minimum: Decimal = Decimal("0.01")
    maximum: Decimal | None = None
    max_step: Decimal | None = None  # percent of the present price
    without_data: WithoutData = WithoutData.KEEP

    @property
    def starts(self) -> tuple[str, ...]:
        """The figures that it starts from: the first that is there counts."""
        also = FIGURES_OF[self.fallback] if self.fallback else ()
        return tuple(dict.fromkeys((*FIGURES_OF[self.basis], *also)))

    @property
    def least(self) -> Decimal:
        """The lowest price that it sets, which is never 0."""
        return self.minimum or self.ending or self.rounding or PLACES

    @property
    def most(self) -> Decimal:
        return MOST if self.maximum is None else self.maximum


class PriceBy(StrEnum):
    """The source of a new price."""

    FIXED = "fixed"  # one price for all
    PERCENT = "percent"  # so much more or less than now
    RULE = "rule"  # the market's figures


@dataclass(frozen=True, kw_only=True, slots=True)
class Repricing:
    """How rows are priced. `percent`, `rounding` and the bounds are the rule's.

    `leave` are the ids of rows that keep their prices. A preview shows rows by the figure `order`
    of their change, from the place `start`.
    """

    by: PriceBy
    rule: PriceRule
    price: Decimal | None = None
    use_old_figures: bool = False
    leave: frozenset[int] = frozenset()
    order: str = "-change"
    start: int = 0
    asks_missing: bool = False  # has figures fetched that there are none of yet, too


@dataclass(frozen=True, slots=True)
class MarketFigures:
    """The figures of a lot in one condition, region and currency, and their times; None is no data.

    `*_lowest` are the lowest prices, the lowest first; None where only averages were kept.
    """

    sold: Decimal | None = None
    asked: Decimal | None = None
    lowest: Decimal | None = None
    sold_at: dt.datetime | None = None
    asked_at: dt.datetime | None = None
    sold_mean: Decimal | None = None
    sold_median: Decimal | None = None
    sold_lowest: Sequence[str] | None = field(default=None, hash=False)
    asked_mean: Decimal | None = None
    asked_median: Decimal | None = None
    asked_lowest: Sequence[str] | None = field(default=None, hash=False)

    def figure(self, name: str, nth: int = 1) -> Decimal | None:
        """Return the figure of this name, of the lowest ones the `nth`.

        A figure of 0 is no price that anybody paid: it counts as no data.
        """
        if name == "lowest" and nth == 1:
            return self.lowest or None
        if name in _LOWEST:
            prices = getattr(self, _LOWEST[name]) or ()
            return (Decimal(prices[nth - 1]) or None) if nth <= len(prices) else None
        return getattr(self, name) or None

    def told_at(self, name: str, nth: int = 1) -> dt.datetime | None:
        """Return when the figure of this name was fetched; None where there is none."""
        if not name:
            return None
        half = half_of(name)
        is_average = name in ("sold", "asked") or (name == "lowest" and nth == 1)
        if not is_average and getattr(self, f"{half}_lowest") is None:
            return None
        told_at: dt.datetime | None = getattr(self, f"{half}_at")
        return told_at


NO_FIGURES: Final = MarketFigures()
_LOWEST: Final = {"sold_lowest": "sold_lowest", "lowest": "asked_lowest"}


def half_of(name: str) -> str:
    """Return whether a figure is of what was `sold` or of what is `asked`."""
    return "sold" if name.startswith("sold") else "asked"


class Limit(StrEnum):
    """Which bound of the rule decided a price."""

    NONE = ""
    LEAST = "least"
    MOST = "most"
    STEP = "step"


@dataclass(frozen=True, slots=True)
class RulePrice:
    """The price by the rule, and the figure it came from with its time; `found_by` is '' without data."""

    amount: Decimal | None
    figure: Decimal | None
    found_by: str  # the name of a figure, or ''
    told_at: dt.datetime | None = None
    limit: Limit = Limit.NONE


@dataclass(frozen=True, slots=True)
class Repriced:
    """The price of a row after a re-pricing; `is_marked` means that there was no figure to report.

    `told_at` is the time of the figure that it came from.
    """

    price: Decimal | None
    is_marked: bool = False
    found_by: str = ""
    told_at: dt.datetime | None = None
    limit: Limit = Limit.NONE


def contradictions(rule: PriceRule) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield two fields that contradict each other, and why."""
    if rule.ending and rule.ending >= rule.rounding:
        yield ("ending", "rounding"), "The ending must be below the rounding step."
    if rule.maximum is not None and rule.maximum < rule.least:
        yield ("maximum", "minimum"), f"The most must be at least {rule.least:f}."


def is_old(told_at: dt.datetime | None, *, now: dt.datetime) -> bool:
    """Whether a figure of this time is asked for again before it is used."""
    return told_at is not None and now - told_at >= USED_FOR


def chosen_figure(rule: PriceRule, figures: MarketFigures) -> tuple[Decimal | None, str]:
    """Return the figure that the rule starts from and its name; (None, '') without data."""
    for name in rule.starts:
        if (figure := figures.figure(name, rule.nth)) is not None:
            return figure, name
    return None, ""


def rule_price(rule: PriceRule, figures: MarketFigures) -> RulePrice:
    """Return the price: figure ± percent, rounded, from the least to the most. It is never 0."""
    figure, found_by = chosen_figure(rule, figures)
    if figure is None:
        return RulePrice(None, None, "")
    wanted = rounded(figure * (1 + rule.percent / 100), rule.rounding, rule.ending)
    amount, limit = _bounded(wanted, rule)
    return RulePrice(amount, figure, found_by, figures.told_at(found_by, rule.nth), limit)


def new_price(rule: PriceRule, figures: MarketFigures, *, present: Decimal | None) -> Repriced:
    """Return the price that a row with the `present` one gets, at most the largest step from it.

    Without data, as the rule sets. The least and the most hold in any case: they are the person's
    own, while the step is there for what the market tells.
    """
    found = rule_price(rule, figures)
    if found.amount is not None:
        amount, limit = _stepped(found.amount, found.limit, present, rule)
        return Repriced(amount, False, found.found_by, found.told_at, limit)
    if rule.without_data == WithoutData.ZERO:
        return Repriced(None)
    kept, limit = _bounded(present, rule) if present else (present, Limit.NONE)
    return Repriced(kept, rule.without_data == WithoutData.MARK, limit=limit)


def repriced(how: Repricing, present: Decimal | None, figures: MarketFigures) -> Repriced:
    """Return the price that a row of the `present` one gets by a person's re-pricing; None is none."""
    if how.by is PriceBy.FIXED:
        return Repriced(_within(how.price or Decimal(0)))
    if how.by is PriceBy.RULE:
        return new_price(how.rule, figures, present=present)
    if not present:
        return Repriced(present)
    rule = how.rule
    wanted = rounded(present * (1 + rule.percent / 100), rule.rounding, rule.ending)
    amount, limit = _bounded(wanted, rule)
    return Repriced(amount, limit=limit)


def rounded(amount: Decimal, step: Decimal, ending: Decimal = Decimal(0)) -> Decimal:
    """Return `amount` at the nearest multiple of `step` less `ending`, half up.

    A step of 0 rounds to four places.
    """
    if step <= 0:
        return amount.quantize(PLACES, rounding=ROUND_HALF_UP)
    steps = ((amount + ending) / step).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    if ending and steps < 1:
        return rounded(amount, ending)
    return (steps * step - ending).quantize(PLACES, rounding=ROUND_HALF_UP)


def _stepped(
    amount: Decimal, limit: Limit, present: Decimal | None, rule: PriceRule
) -> tuple[Decimal, Limit]:
    """Return the amount no further from the present price than the largest step, if there is one."""
    if not present or rule.max_step is None:
        return amount, limit
    step = present * rule.max_step / 100
    if abs(amount - present) <= step:
        return amount, limit
    up = amount > present
    # Rounded towards the present price: never past the step.
    reached = _rounded_towards(present, present + step if up else present - step, rule)
    reached = min(reached, amount) if up else max(reached, amount)
    bounded, bound = _bounded(reached, rule)
    return bounded, bound or Limit.STEP


def _rounded_towards(present: Decimal, end: Decimal, rule: PriceRule) -> Decimal:
    """Return the rounded price nearest to `end` that lies between it and the present price."""
    up = end > present
    end = end.quantize(PLACES, rounding=ROUND_FLOOR if up else ROUND_CEILING)
    found = rounded(end, rule.rounding, rule.ending)
    size = rule.rounding or PLACES
    if found > end and up:
        found = rounded(found - size, rule.rounding, rule.ending)
    elif found < end and not up:
        found = rounded(found + size, rule.rounding, rule.ending)
    is_between = present < found <= end if up else end <= found < present
    return found if is_between else present


def _bounded(amount: Decimal, rule: PriceRule) -> tuple[Decimal, Limit]:
    """Return the amount from the least to the most, and which of them decided it."""
    if amount < rule.least:
        return _within(rule.least), Limit.LEAST
    if amount > rule.most:
        return _within(rule.most), Limit.MOST
    return _within(amount), Limit.NONE


def _within(amount: Decimal) -> Decimal:
    return min(max(amount, Decimal(0)), MOST).quantize(PLACES)
