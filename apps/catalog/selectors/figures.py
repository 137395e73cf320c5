"""The price figures of lots, in the shape the catalogue's pages show them."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from apps.accounts.models import User
from apps.catalog.models import PriceStat
from apps.catalog.models.price import SHOWN_REGIONS, Condition, Region
from apps.catalog.rules.pricing import MarketFigures
from apps.catalog.selectors.prices import ReferencePrice, choose_reference
from apps.catalog.selectors.pricing import figures_from

CONDITIONS = {Condition.USED: "used", Condition.NEW: "new"}
MEASURES = ("avg_sold_price", "avg_inventory_price", "low_price", "sell_through")
FIGURES = tuple(
    f"{condition}_{region.value}_{measure}"
    for condition in CONDITIONS.values()
    for region in SHOWN_REGIONS
    for measure in MEASURES
)
Figures = dict[str, object]


def price_figures(
    lot_ids: Iterable[int], *, owner: User, currency: str, condition: str, region: str
) -> tuple[dict[int, Figures], dict[int, MarketFigures]]:
    """Return the 16 figures and `bricklinkSyncedAt` of each lot; null where there is none.

    And what the price rules read of `condition` and `region`, of lots that have it.
    """
    wanted = list(lot_ids)
    nothing: Figures = {**dict.fromkeys(FIGURES), "bricklinkSyncedAt": None}
    found: dict[int, Figures] = {lot_id: dict(nothing) for lot_id in wanted}
    market: dict[int, MarketFigures] = {}
    stats: Any = PriceStat.objects.owned_by(owner).filter(
        lot_id__in=wanted, currency=currency, region__in={*SHOWN_REGIONS, region}
    )
    for stat in stats.values():
        if (stat["condition"], stat["region"]) == (condition, region):
            market[stat["lot_id"]] = figures_from(stat)
        if stat["region"] not in SHOWN_REGIONS:
            continue
        row = found[stat["lot_id"]]
        prefix = f"{CONDITIONS[Condition(stat['condition'])]}_{stat['region']}"
        row.update({f"{prefix}_{measure}": stat[measure] for measure in MEASURES})
        # The oldest figure decides how far the whole row can be trusted.
        seen = cast("datetime | None", row["bricklinkSyncedAt"])
        synced_at = stat["synced_at"]
        row["bricklinkSyncedAt"] = synced_at if seen is None else min(seen, synced_at)
    return found, market


def reference_of(figures: Figures, *, condition: str) -> ReferencePrice:
    """Return what we would ask, from figures that `price_figures` gave."""
    prefix = f"{CONDITIONS[Condition(condition)]}_{Region.GLOBAL.value}"
    sold, asked = figures[f"{prefix}_avg_sold_price"], figures[f"{prefix}_avg_inventory_price"]
    return choose_reference(cast("Decimal | None", sold), cast("Decimal | None", asked))
