"""Which rule of VAT a sale falls under by the seller's own table, and what it comes to. Pure.

Nobody is advised here: the seller says how he is taxed from which day on, the rates are the
standard rates of the member states, which he can correct, and each line names rule, country and
rate that it was worked out with.
"""

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

CENT: Final = Decimal("0.01")
_HUNDRED: Final = Decimal(100)
_NOTHING: Final = Decimal("0.00")


class Mode(StrEnum):
    """How a seller is taxed."""

    NONE = "none"
    SMALL = "small"
    NORMAL = "normal"
    MARGIN = "margin"  # used lots; new ones by the normal rule


class TaxRule(StrEnum):
    """The rule of one line."""

    NONE = "none"
    SMALL = "small"
    NORMAL = "normal"
    MARGIN = "margin"
    OSS = "oss"
    OUTSIDE = "outside"
    UNKNOWN = "unknown"  # the buyer's country or its rate is not known


#: By which tax is in the price of the pieces, and shown on an invoice.
WITH_TAX: Final = (TaxRule.NORMAL, TaxRule.OSS)


@dataclass(frozen=True, slots=True)
class ModeFrom:
    """How the seller is taxed from a day on: in which country, and whether by the one-stop-shop."""

    since: dt.date
    mode: Mode
    country: str = ""
    uses_oss: bool = False


@dataclass(frozen=True, slots=True)
class RateFrom:
    """The standard rate of a country from a day on, in percent."""

    country: str
    since: dt.date
    percent: Decimal
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Ruled:
    """The rule of a line, whose it is, and its rate; `percent` is None where none is known."""

    rule: TaxRule
    country: str = ""
    percent: Decimal | None = None


@cache
def standard_rates() -> tuple[RateFrom, ...]:
    """Return the standard rates of the member states of the EU that come with the app."""
    table = json.loads(Path(__file__).with_name("rates.json").read_text())
    return tuple(
        RateFrom(country, dt.date.fromisoformat(since), Decimal(percent).quantize(CENT))
        for country, rows in table.items()
        for since, percent in rows
    )


def members() -> frozenset[str]:
    """Return the member states of the EU."""
    return frozenset(rate.country for rate in standard_rates())


class TaxTable:
    """The seller's modes and the rates by country, by day. His own rates replace those of the app."""

    def __init__(self, modes: Iterable[ModeFrom], own_rates: Iterable[RateFrom] = ()) -> None:
        self._modes = sorted(modes, key=lambda one: one.since)
        rates = {(one.country, one.since): one for one in (*standard_rates(), *own_rates)}
        self._rates: dict[str, list[RateFrom]] = {}
        for rate in sorted(rates.values(), key=lambda one: one.since):
            self._rates.setdefault(rate.country, []).append(rate)

    def rates(self) -> list[RateFrom]:
        """Return all rates by country and day."""
        return [one for country in sorted(self._rates) for one in self._rates[country]]

    def mode_on(self, day: dt.date) -> ModeFrom:
        """Return how the seller is taxed on a day: not at all before the first row."""
        found = [one for one in self._modes if one.since <= day]
        return found[-1] if found else ModeFrom(day, Mode.NONE)

    def percent_on(self, country: str, day: dt.date) -> Decimal | None:
        """Return the standard rate of a country on a day, None where the table has none."""
        found = [one.percent for one in self._rates.get(country, ()) if one.since <= day]
        return found[-1] if found else None

    def rule_of(
        self, *, day: dt.date, buyer_country: str, is_used: bool, by_hand: bool = False
    ) -> Ruled:
        """Return the rule of a line that is sold on a day into a country, both by its two letters.

        A sale by hand that names no country was made in the seller's own.
        """
        mode = self.mode_on(day)
        if mode.mode in (Mode.NONE, Mode.SMALL):
            return Ruled(TaxRule(mode.mode), mode.country, _NOTHING)
        to = buyer_country or (mode.country if by_hand else "")
        if not to:
            return Ruled(TaxRule.UNKNOWN)
        union = members()
        is_home = to == mode.country or (mode.country in union and to in union)
        if not is_home:
            return Ruled(TaxRule.OUTSIDE, mode.country, _NOTHING)
        if is_used and mode.mode == Mode.MARGIN:
            found = Ruled(TaxRule.MARGIN, mode.country, self.percent_on(mode.country, day))
        elif mode.uses_oss and to != mode.country:
            found = Ruled(TaxRule.OSS, to, self.percent_on(to, day))
        else:
            found = Ruled(TaxRule.NORMAL, mode.country, self.percent_on(mode.country, day))
        return Ruled(TaxRule.UNKNOWN, found.country) if found.percent is None else found


def tax_in(gross: Decimal, percent: Decimal) -> Decimal:
    """Return the tax that is contained in an amount."""
    return gross * percent / (_HUNDRED + percent)


def tax_of(ruled: Ruled, *, gross: Decimal, cost: Decimal | None) -> Decimal | None:
    """Return the tax of a line; None where what it rests on is not known.

    By the margin scheme it is contained in the margin of the line; a loss has none, and lowers no
    other line's.
    """
    if ruled.percent is None:
        return None
    if ruled.rule == TaxRule.MARGIN:
        return None if cost is None else tax_in(max(gross - cost, _NOTHING), ruled.percent)
    return tax_in(gross, ruled.percent)


def cents(amount: Decimal) -> Decimal:
    """Return an amount to the cent, half up."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP) + _NOTHING


def shared_out(total: Decimal, weights: Mapping[Ruled, Decimal]) -> dict[Ruled, Decimal]:
    """Return `total`, which is in cents, by weight, to the cent: the last part takes the rest."""
    whole = sum(weights.values(), _NOTHING)
    parts = {}
    left = total
    for key, weight in list(weights.items())[:-1]:
        parts[key] = cents(total * weight / whole) if whole else _NOTHING
        left -= parts[key]
    return {**parts, **dict.fromkeys(list(weights)[-1:], left)}
