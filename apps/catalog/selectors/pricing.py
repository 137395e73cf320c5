"""A user's price rule, and its prices of lots."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final, Protocol

from django.db.models import BigIntegerField, Case, DateTimeField, DecimalField, F, Value, When
from django.db.models.functions import Cast, Coalesce, Greatest, Least, NullIf, Round
from django.db.models.lookups import IsNull

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.models import PriceSetting, PriceStat
from apps.catalog.rules.pricing import (
    FIGURES_OF,
    MOST,
    NO_FIGURES,
    Basis,
    MarketFigures,
    PriceBy,
    PriceRule,
    Repriced,
    Repricing,
    WithoutData,
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
    return PriceRule(
        basis=Basis(setting.basis),
        region=setting.region,
        percent=setting.percent,
        rounding=setting.rounding,
        minimum=setting.minimum,
        without_data=WithoutData(setting.without_data),
    )


def repricing_of(*, user: User, by: PriceBy, given: Mapping[str, Any]) -> Repricing:
    """Return how rows are re-priced: fields of the rule missing in `given` are the user's own.

    `given` may hold `price` and the fields of a PriceRule.
    """
    rule = rule_of(price_setting_of(user=user))
    if by is not PriceBy.RULE:
        # A change by hand ignores the rule's percentage.
        rule = replace(rule, percent=Decimal(0), rounding=Decimal(0), minimum=Decimal(0))
    said = {name: given[name] for name in PriceRule.__slots__ if name in given}
    if "basis" in said:
        said["basis"] = Basis(said["basis"])
    if "without_data" in said:
        said["without_data"] = WithoutData(said["without_data"])
    return Repricing(by=by, rule=replace(rule, **said), price=given.get("price"))


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


_COLUMNS: Final = {"sold": "avg_sold_price", "asked": "avg_inventory_price", "lowest": "low_price"}
_FIGURES: Final = (*_COLUMNS.values(), "sold_synced_at", "asked_synced_at")
_TIMES: Final = DecimalField[Any, Any](max_digits=24, decimal_places=4)
_WHOLE: Final = BigIntegerField[Any, Any]()
_PARTS: Final = 10_000  # whole ten-thousandths are exact on both databases


def rule_price_column(rule: PriceRule, to: str = "") -> Any:
    """Return `rule_price` as a column for sums and orders, in ten-thousandths; null without data.

    `to` leads to the price figures; `amount_of` makes an amount of what comes back.
    """

    def whole(number: Any) -> Value:
        return Value(int(number), output_field=_WHOLE)

    money_field = DecimalField[Any, Any](**MONEY)
    figures = [
        NullIf(F(f"{to}{_COLUMNS[name]}"), Value(Decimal(0)), output_field=money_field)
        for name in FIGURES_OF[rule.basis]
    ]
    figure = Coalesce(*figures) if len(figures) > 1 else figures[0]
    parts = Cast(Round(figure * Value(Decimal(_PARTS)), output_field=_TIMES), _WHOLE)
    step = int(rule.rounding * _PARTS) or 1
    twice = parts * whole((100 + rule.percent) * 100) * whole(2) + whole(step * _PARTS)
    amount = Greatest(twice / whole(2 * step * _PARTS) * whole(step), whole(rule.minimum * _PARTS))
    bounded = Least(amount, whole(MOST * _PARTS))
    return Case(When(IsNull(figure, True), then=None), default=bounded, output_field=_WHOLE)


def rule_time_column(rule: PriceRule, to: str = "") -> Any:
    """Return the time of the figure that `rule_price_column` starts from; null without data."""
    return Case(
        *(
            When(
                **{f"{to}{_COLUMNS[name]}__gt": 0},
                then=F(f"{to}{'sold' if name == 'sold' else 'asked'}_synced_at"),
            )
            for name in FIGURES_OF[rule.basis]
        ),
        output_field=DateTimeField[Any, Any](),
    )


def amount_of(column: int | None) -> Decimal | None:
    """Return the amount that a sum of `rule_price_column` is."""
    return None if column is None else money(Decimal(int(column)) / _PARTS)


def market_figures(
    wanted: Iterable[Wanted], *, owner: Any, region: str, currency: str
) -> dict[Wanted, MarketFigures]:
    """Return the figures of each (lot id, condition) for the rules."""
    pairs = set(wanted)
    found = dict.fromkeys(pairs, NO_FIGURES)
    lots = sorted({lot_id for lot_id, _ in pairs})
    for start in range(0, len(lots), AT_ONCE):
        some = lots[start : start + AT_ONCE]
        rows = PriceStat.objects.owned_by(owner).filter(
            lot_id__in=some, region=region, currency=currency
        )
        for lot_id, condition, *figures in rows.values_list("lot_id", "condition", *_FIGURES):
            if (lot_id, condition) in found:
                found[lot_id, condition] = MarketFigures(*figures)
    return found
