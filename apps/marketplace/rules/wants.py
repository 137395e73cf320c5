"""Which prices a person's rule needs, which come first, and when all are there. Pure."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from apps.catalog.rules.pricing import USED_FOR, MarketFigures, PriceRule, half_of
from apps.marketplace.rules.calls import STALE_AFTER, next_day

# The assumed worth of a piece without a price, until figures are known.
GUESS: Final = Decimal("0.10")
# Figures older than this are not more urgent; unknown ones count as this old.
OLDEST: Final = dt.timedelta(days=180)
MOST_URGENT: Final = 2**62
# Calls for a lot and seconds for a call, before any was made.
CALLS_A_LOT: Final = 1.1
SECONDS_A_CALL: Final = 0.5


@dataclass(frozen=True, slots=True)
class Wanted:
    """Pieces of a lot in a condition, and the price of each as it is now."""

    lot_id: int
    condition: str
    quantity: int
    price: Decimal | None


def half_to_ask(
    rule: PriceRule, known: MarketFigures, *, now: dt.datetime, is_unasked: bool = False
) -> bool | None:
    """Return what to ask for next: True for sold, False for offered, None where nothing is needed.

    A figure only counts where those before it are missing, so this is called again after each
    answer. What a person asks for is about to be used; what nobody asked for may be older.
    """
    fresh_for = STALE_AFTER if is_unasked else USED_FOR
    for name in rule.starts:
        if not _is_fresh(known.told_at(name, rule.nth), now, fresh_for):
            return half_of(name) == "sold"
        if known.figure(name, rule.nth):
            return None
    return None


def age_of(rule: PriceRule, known: MarketFigures, *, now: dt.datetime) -> dt.timedelta:
    """Return how old the half is that the rule starts from."""
    told_at = known.told_at(rule.starts[0], rule.nth)
    return OLDEST if told_at is None else now - told_at


def urgency(*, quantity: int, price: Decimal | None, age: dt.timedelta) -> int:
    """Return the priority of a price: money at stake times days of age."""
    stake = quantity * (price or GUESS)
    days = max(1, min(age, OLDEST).days)
    return min(int(stake * 10_000) * days, MOST_URGENT)


@dataclass(frozen=True, slots=True)
class Pace:
    """How it went so far: lots that were asked for, the calls and seconds that took."""

    lots: int = 0
    calls: int = 0
    seconds: float = 0.0

    @property
    def calls_a_lot(self) -> float:
        return self.calls / self.lots if self.lots else CALLS_A_LOT

    @property
    def seconds_a_call(self) -> float:
        return self.seconds / self.calls if self.calls else SECONDS_A_CALL


def expected_end(
    left: int, *, pace: Pace, left_today: int, a_day: int, now: dt.datetime
) -> dt.datetime | None:
    """Return when so many lots will be done; None where no day allows a call."""
    calls = left * pace.calls_a_lot
    if calls <= left_today:
        return now + dt.timedelta(seconds=calls * pace.seconds_a_call)
    if a_day <= 0:
        return None
    days, rest = divmod(calls - left_today, a_day)
    return next_day(now) + dt.timedelta(days=int(days), seconds=rest * pace.seconds_a_call)


def _is_fresh(told_at: dt.datetime | None, now: dt.datetime, fresh_for: dt.timedelta) -> bool:
    # What was noted later than now is of a clock that was set back since.
    return told_at is not None and abs(now - told_at) < fresh_for
