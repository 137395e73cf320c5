"""A user's price rule, and what it asks for lots."""

from collections.abc import Iterable
from typing import Final

from apps.accounts.models import User
from apps.catalog.models import PriceSetting, PriceStat
from apps.catalog.rules.pricing import (
    NO_FIGURES,
    Basis,
    MarketFigures,
    PriceRule,
    WithoutData,
)

AT_ONCE: Final = 2_000
Wanted = tuple[int, str]  # lot id, condition


def price_setting_of(*, user: User) -> PriceSetting:
    """Return the user's price setting; the defaults, unsaved, where nothing was changed. 1 query."""
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


def market_figures(
    wanted: Iterable[Wanted], *, region: str, currency: str
) -> dict[Wanted, MarketFigures]:
    """Return the figures of each (lot id, condition) for the rules. 1 query per 2,000 lots."""
    pairs = set(wanted)
    found = dict.fromkeys(pairs, NO_FIGURES)
    lots = sorted({lot_id for lot_id, _ in pairs})
    for start in range(0, len(lots), AT_ONCE):
        some = lots[start : start + AT_ONCE]
        rows = PriceStat.objects.filter(lot_id__in=some, region=region, currency=currency)
        for lot_id, condition, sold, asked, lowest in rows.values_list(
            "lot_id", "condition", "avg_sold_price", "avg_inventory_price", "low_price"
        ):
            if (lot_id, condition) in found:
                found[lot_id, condition] = MarketFigures(sold, asked, lowest)
    return found
