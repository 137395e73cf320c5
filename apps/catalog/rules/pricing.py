"""The price rule: a person's price of a lot, from the market's figures.

One home for it: the station, re-pricing a batch or rows of stock and the settings page call
these. Pure.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Final

PLACES: Final = Decimal("0.0001")
MOST: Final = Decimal("99999999.9999")  # the range of a price column
# BrickLink's terms: what is older is asked for again before it is used.
USED_FOR: Final = dt.timedelta(hours=6)


class Basis(StrEnum):
    """Which figure a price starts from."""

    REFERENCE = "reference"  # sold, and asked where nothing was sold
    SOLD = "sold"
    ASKED = "asked"
    LOWEST = "lowest"


#: The first figure that is there counts.
FIGURES_OF: Final = {
    Basis.REFERENCE: ("sold", "asked"),
    Basis.SOLD: ("sold",),
    Basis.ASKED: ("asked",),
    Basis.LOWEST: ("lowest",),
}


class WithoutData(StrEnum):
    """The price of a row if the market has no figure."""

    KEEP = "keep"  # as it is
    ZERO = "zero"  # none any more: the row has no price
    MARK = "mark"  # as it is, and the row is reported


@dataclass(frozen=True, slots=True)
class PriceRule:
    """Basis and region of the figure, percent on top, rounding step, least price."""

    basis: Basis = Basis.REFERENCE
    region: str = "global"  # or "us"
    percent: Decimal = Decimal(0)  # -10 asks a tenth less
    rounding: Decimal = Decimal("0.01")  # 0 keeps four places
    minimum: Decimal = Decimal("0.01")
    without_data: WithoutData = WithoutData.KEEP


class PriceBy(StrEnum):
    """The source of a new price."""

    FIXED = "fixed"  # one price for all
    PERCENT = "percent"  # so much more or less than now
    RULE = "rule"  # the market's figures


@dataclass(frozen=True, kw_only=True, slots=True)
class Repricing:
    """How rows are priced. `percent`, `rounding` and `minimum` are the rule's."""

    by: PriceBy
    rule: PriceRule
    price: Decimal | None = None
    use_old_figures: bool = False


@dataclass(frozen=True, slots=True)
class MarketFigures:
    """The figures of a lot in one condition, region and currency, and their times; None is no data."""

    sold: Decimal | None = None
    asked: Decimal | None = None
    lowest: Decimal | None = None
    sold_at: dt.datetime | None = None
    asked_at: dt.datetime | None = None

    def told_at(self, found_by: str) -> dt.datetime | None:
        """Return the time of the figure of this name."""
        return self.sold_at if found_by == "sold" else self.asked_at if found_by else None


NO_FIGURES: Final = MarketFigures()


@dataclass(frozen=True, slots=True)
class RulePrice:
    """The price by the rule, and the figure it came from with its time; `found_by` is '' without data."""

    amount: Decimal | None
    figure: Decimal | None
    found_by: str  # sold, asked, lowest or ''
    told_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class NewPrice:
    """The price of a row after the rule; `is_marked` means that there was no figure to report."""

    price: Decimal | None
    is_marked: bool
    found_by: str


@dataclass(frozen=True, slots=True)
class Repriced:
    """The price of a row after a re-pricing; `is_marked` and `found_by` as in NewPrice.

    `told_at` is the time of the figure that it came from.
    """

    price: Decimal | None
    is_marked: bool = False
    found_by: str = ""
    told_at: dt.datetime | None = None


def is_old(told_at: dt.datetime | None, *, now: dt.datetime) -> bool:
    """Whether a figure of this time is asked for again before it is used."""
    return told_at is not None and now - told_at >= USED_FOR


def chosen_figure(rule: PriceRule, figures: MarketFigures) -> tuple[Decimal | None, str]:
    """Return the figure that the rule starts from and its name; (None, '') without data.

    A figure of 0 is no price that anybody paid: it counts as no data.
    """
    for name in FIGURES_OF[rule.basis]:
        figure: Decimal | None = getattr(figures, name)
        if figure:
            return figure, name
    return None, ""


def rule_price(rule: PriceRule, figures: MarketFigures) -> RulePrice:
    """Return the price: figure ± percent, rounded half up to the step, at least the minimum."""
    figure, found_by = chosen_figure(rule, figures)
    if figure is None:
        return RulePrice(None, None, "")
    wanted = figure * (1 + rule.percent / 100)
    amount = _within(max(rounded(wanted, rule.rounding), rule.minimum))
    return RulePrice(amount, figure, found_by, figures.told_at(found_by))


def new_price(rule: PriceRule, figures: MarketFigures, *, present: Decimal | None) -> NewPrice:
    """Return the price that a row with the `present` one gets.

    Without data, as the rule sets; a price that is kept is at least the minimum then too.
    """
    found = rule_price(rule, figures)
    if found.amount is not None:
        return NewPrice(found.amount, False, found.found_by)
    if rule.without_data == WithoutData.ZERO:
        return NewPrice(None, False, "")
    kept = max(present, rule.minimum) if present else present
    return NewPrice(kept, rule.without_data == WithoutData.MARK, "")


def repriced(how: Repricing, present: Decimal | None, figures: MarketFigures) -> Repriced:
    """Return the price that a row of the `present` one gets by a person's re-pricing; None is none."""
    if how.by is PriceBy.FIXED:
        return Repriced(_within(how.price or Decimal(0)))
    if how.by is PriceBy.PERCENT:
        return Repriced(_by_percent(present, how.rule))
    found = new_price(how.rule, figures, present=present)
    price = None if found.price is None else _within(found.price)
    return Repriced(price, found.is_marked, found.found_by, figures.told_at(found.found_by))


def rounded(amount: Decimal, step: Decimal) -> Decimal:
    """Return `amount` at the nearest multiple of `step`, half up; 0 rounds to four places."""
    if step <= 0:
        return amount.quantize(PLACES, rounding=ROUND_HALF_UP)
    steps = (amount / step).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return (steps * step).quantize(PLACES, rounding=ROUND_HALF_UP)


def _by_percent(price: Decimal | None, rule: PriceRule) -> Decimal | None:
    """Return a price raised by a percentage. None stays None, and 0 stays 0."""
    if not price:
        return price
    wanted = rounded(price * (1 + rule.percent / 100), rule.rounding)
    return _within(max(wanted, rule.minimum))


def _within(amount: Decimal) -> Decimal:
    return min(max(amount, Decimal(0)), MOST).quantize(PLACES)
