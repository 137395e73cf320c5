"""A user's price rule, and its prices of lots."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, Protocol, SupportsInt

from django.db.models import (
    BigIntegerField,
    Case,
    DateTimeField,
    DecimalField,
    F,
    QuerySet,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, Greatest, Least, NullIf, Round
from django.db.models.lookups import IsNull, LessThan

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.models import PriceSetting, PriceStat
from apps.catalog.rules.pricing import (
    NO_FIGURES,
    Basis,
    MarketFigures,
    PriceBy,
    PriceRule,
    Repriced,
    Repricing,
    WithoutData,
    half_of,
    repriced,
)
from apps.core.money import MONEY, money

AT_ONCE: Final = 2_000
Wanted = tuple[int, str]  # lot id, condition


class Priced(Protocol):
    """A row with a price: of a batch, of the stock."""

    lot_id: int | None
    condition: str
    price: Decimal | None


def price_setting_of(*, user: User) -> PriceSetting:
    """Return the user's price setting; the defaults, unsaved, where nothing was changed."""
    return PriceSetting.objects.filter(user=user).first() or PriceSetting(user=user)


def rule_of(setting: PriceSetting) -> PriceRule:
    """Return the pure rule of a setting."""
    return rule_from(vars(setting))


def rule_from(given: Mapping[str, Any], rule: PriceRule | None = None) -> PriceRule:
    """Return the rule with what is given of its fields, as a form or a column has them."""
    values = {name: given[name] for name in PriceRule.__slots__ if name in given}
    kinds = {"basis": Basis, "fallback": Basis, "without_data": WithoutData}
    typed: dict[str, Any] = {
        name: kinds[name](value) if value and name in kinds else None if value == "" else value
        for name, value in values.items()
    }
    return replace(rule or PriceRule(), **typed)


def repricing_of(*, user: User, by: PriceBy, given: Mapping[str, Any]) -> Repricing:
    """Return how rows are re-priced: fields of the rule missing in `given` are the user's own.

    `given` may hold `price`, `leave`, `use_old_figures`, `order`, `start` and the fields of a PriceRule.
    """
    rule = rule_of(price_setting_of(user=user))
    if by is not PriceBy.RULE:
        # A change by hand ignores the rule.
        rule = PriceRule(rounding=Decimal(0), minimum=Decimal(0))
    return Repricing(
        by=by,
        rule=rule_from(given, rule),
        price=given.get("price"),
        use_old_figures=given.get("use_old_figures", False),
        leave=frozenset(given.get("leave", ())),
        order=given.get("order", "-change"),
        start=given.get("start", 0),
    )


def new_prices(rows: Sequence[Priced], how: Repricing, *, user: User) -> list[Repriced]:
    """Return what each row costs after a re-pricing."""
    figures: dict[Wanted, MarketFigures] = {}
    if how.by is PriceBy.RULE:
        figures = market_figures(
            {(row.lot_id, row.condition) for row in rows if row.lot_id is not None},
            region=how.rule.region,
            owner=user,
            currency=currency_of(user),
        )
    return [
        repriced(how, row.price, figures.get((row.lot_id or 0, row.condition), NO_FIGURES))
        for row in rows
    ]


_COLUMNS: Final[Mapping[str, str]] = {
    "sold": "avg_sold_price",
    "asked": "avg_inventory_price",
    "lowest": "low_price",
    "sold_at": "sold_synced_at",
    "asked_at": "asked_synced_at",
    "sold_mean": "mean_sold_price",
    "sold_median": "median_sold_price",
    "sold_lowest": "lowest_sold",
    "asked_mean": "mean_inventory_price",
    "asked_median": "median_inventory_price",
    "asked_lowest": "lowest_offered",
}
_TIMES: Final = DecimalField[Any, Any](max_digits=24, decimal_places=4)
_AMOUNT: Final = DecimalField[Any, Any](**MONEY)
_WHOLE: Final = BigIntegerField[Any, Any]()
_PARTS: Final = 10_000  # whole ten-thousandths are exact on both databases


def _whole(number: SupportsInt) -> Value:
    return Value(int(number), output_field=_WHOLE)


def _figure_column(name: str, nth: int, to: str) -> Any:
    """Return the figure of this name as a column; null without data."""
    column: Any = F(f"{to}{_COLUMNS['asked_lowest' if name == 'lowest' and nth > 1 else name]}")
    if name == "sold_lowest" or (name == "lowest" and nth > 1):
        column = Cast(KeyTextTransform(nth - 1, column), _AMOUNT)
    return NullIf(column, Value(Decimal(0)), output_field=_AMOUNT)


def rule_price_column(rule: PriceRule, to: str = "") -> Any:
    """Return `rule_price` as a column for sums and orders, in ten-thousandths; null without data.

    `to` leads to the price figures; `amount_of` makes an amount of what comes back.
    """
    figures = [_figure_column(name, rule.nth, to) for name in rule.starts]
    figure = Coalesce(*figures) if len(figures) > 1 else figures[0]
    parts = Cast(Round(figure * Value(Decimal(_PARTS)), output_field=_TIMES), _WHOLE)
    percent = parts * _whole((100 + rule.percent) * 100)
    step, ending = int(rule.rounding * _PARTS) or 1, int(rule.ending * _PARTS)

    def steps(step: int, ending: int) -> Any:
        return (percent * _whole(2) + _whole((2 * ending + step) * _PARTS)) / _whole(
            2 * step * _PARTS
        )

    amount = steps(step, ending) * _whole(step) - _whole(ending)
    if ending:
        first = When(
            LessThan(steps(step, ending), _whole(1)), then=steps(ending, 0) * _whole(ending)
        )
        amount = Case(first, default=amount, output_field=_WHOLE)
    bounded = Least(Greatest(amount, _whole(rule.least * _PARTS)), _whole(rule.most * _PARTS))
    return Case(When(IsNull(figure, True), then=None), default=bounded, output_field=_WHOLE)


def rule_time_column(rule: PriceRule, to: str = "") -> Any:
    """Return the time of the figure that `rule_price_column` starts from; null without data."""
    return Case(
        *(
            When(
                IsNull(_figure_column(name, rule.nth, to), False),
                then=F(f"{to}{half_of(name)}_synced_at"),
            )
            for name in rule.starts
        ),
        output_field=DateTimeField[Any, Any](),
    )


def amount_of(column: int | None) -> Decimal | None:
    """Return the amount that a sum of `rule_price_column` is."""
    return None if column is None else money(Decimal(int(column)) / _PARTS)


def figures_in(stats: QuerySet[PriceStat]) -> Iterator[tuple[int, str, str, MarketFigures]]:
    """Yield lot id, condition, region and figures of these rows."""
    for row in stats.values("lot_id", "condition", "region", *_COLUMNS.values()):
        yield row["lot_id"], row["condition"], row["region"], figures_from(row)


def figures_from(row: Mapping[str, Any]) -> MarketFigures:
    """Return the figures of a row's columns."""
    return MarketFigures(**{name: row[column] for name, column in _COLUMNS.items()})


def market_figures(
    wanted: Iterable[Wanted], *, owner: User, region: str, currency: str
) -> dict[Wanted, MarketFigures]:
    """Return the figures of each (lot id, condition) for the rules."""
    found = dict.fromkeys(wanted, NO_FIGURES)
    lots = sorted({lot_id for lot_id, _ in found})
    for start in range(0, len(lots), AT_ONCE):
        rows = PriceStat.objects.owned_by(owner).filter(
            lot_id__in=lots[start : start + AT_ONCE], region=region, currency=currency
        )
        for lot_id, condition, _region, told in figures_in(rows):
            if (lot_id, condition) in found:
                found[lot_id, condition] = told
    return found
