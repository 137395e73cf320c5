"""Figures of lots out of the price guide, with as few calls as will do."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from statistics import median
from typing import Any

from apps.catalog.models import Lot
from apps.catalog.models.price import Condition, Region
from apps.catalog.rules.pricing import MOST_LOWEST
from apps.catalog.services.prices import GuideFigures
from apps.core.money import money
from apps.marketplace.providers.base import Guide, GuideQuery, Marketplace, sales_in


def figures_of(
    store: Marketplace, lot: Lot, *, currency: str, region: str
) -> Iterator[GuideFigures]:
    """Yield all figures of a lot, used and worldwide first. Raises MarketplaceError.

    `region` is that of the owner's price rule, beside those that pages show.
    """
    world: dict[str, Guide] = {}
    regions = dict.fromkeys((Region.GLOBAL, Region.US, region))
    for region, condition in product(regions, (Condition.USED, Condition.NEW)):

        def ask(*, is_sold: bool, region: str = region, condition: str = condition) -> Guide:
            return _ask(store, lot, condition, region, currency, is_sold=is_sold)

        if region == Region.GLOBAL:
            sold = world[condition] = ask(is_sold=True)
        else:
            there = sales_in(region.upper(), world[condition]) if region != Region.EU else None
            sold = there or ask(is_sold=True)
        offered = ask(is_sold=False)
        yield GuideFigures(
            lot_id=lot.pk,
            condition=condition,
            region=region,
            currency=currency,
            **_sold(sold),
            **_offered(offered),
        )


def sold_figures(
    store: Marketplace, lot: Lot, *, condition: str, region: str, currency: str
) -> list[GuideFigures]:
    """Return the sales of a lot, with one call. Raises MarketplaceError.

    The world's sales include those of the US if all sales are listed.
    """
    told = {region: _ask(store, lot, condition, region, currency, is_sold=True)}
    if region == Region.GLOBAL and (there := sales_in(Region.US.upper(), told[region])):
        told[Region.US] = there
    return [
        GuideFigures(
            lot_id=lot.pk,
            condition=condition,
            region=each,
            currency=currency,
            has_asked=False,
            **_sold(sold),
        )
        for each, sold in told.items()
    ]


def asked_figures(
    store: Marketplace, lot: Lot, *, condition: str, region: str, currency: str
) -> list[GuideFigures]:
    """Return the offers of a lot, with one call. Raises MarketplaceError."""
    offered = _ask(store, lot, condition, region, currency, is_sold=False)
    return [
        GuideFigures(
            lot_id=lot.pk,
            condition=condition,
            region=region,
            currency=currency,
            has_sold=False,
            **_offered(offered),
        )
    ]


def _sold(guide: Guide) -> dict[str, Any]:
    return {
        "avg_sold_price": guide.average,
        "sold_lots": guide.lots,
        "sold_quantity": guide.pieces,
        "mean_sold_price": guide.mean,
        "median_sold_price": _median(guide),
        "lowest_sold": _lowest(guide),
    }


def _offered(guide: Guide) -> dict[str, Any]:
    return {
        "avg_inventory_price": guide.average,
        "low_price": guide.lowest,
        "stock_lots": guide.lots,
        "stock_quantity": guide.pieces,
        "mean_inventory_price": guide.mean,
        "median_inventory_price": _median(guide),
        "lowest_offered": _lowest(guide),
    }


def _median(guide: Guide) -> Decimal | None:
    """Return the price in the middle of all sales or lots, each counted once."""
    return money(median(guide.prices)) if guide.prices else None


def _lowest(guide: Guide) -> list[str]:
    return [f"{price:.4f}" for price in guide.prices[:MOST_LOWEST]]


def _ask(
    store: Marketplace, lot: Lot, condition: str, region: str, currency: str, *, is_sold: bool
) -> Guide:
    return store.price_guide(
        GuideQuery(
            item_type=lot.item.item_type,
            number=lot.item.number,
            color_id=lot.color_id,
            condition=condition,
            region=region,
            currency=currency,
            is_sold=is_sold,
        )
    )
