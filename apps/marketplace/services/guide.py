"""Figures of lots out of the price guide, with as few calls as will do."""

from collections.abc import Iterator
from itertools import product

from apps.catalog.models import Lot
from apps.catalog.models.price import Condition, Region
from apps.catalog.services.prices import GuideFigures
from apps.marketplace.providers.base import Guide, GuideQuery, Marketplace, sales_in

US = "US"


def figures_of(store: Marketplace, lot: Lot, *, currency: str) -> Iterator[GuideFigures]:
    """Yield all figures of a lot, used and worldwide first. Raises MarketplaceError."""
    world: dict[str, Guide] = {}
    for region, condition in product((Region.GLOBAL, Region.US), (Condition.USED, Condition.NEW)):

        def ask(*, is_sold: bool, region: str = region, condition: str = condition) -> Guide:
            return _ask(store, lot, condition, region, currency, is_sold=is_sold)

        if region == Region.GLOBAL:
            sold = world[condition] = ask(is_sold=True)
        else:
            sold = sales_in(US, world[condition]) or ask(is_sold=True)
        offered = ask(is_sold=False)
        yield GuideFigures(
            lot_id=lot.pk,
            condition=condition,
            region=region,
            currency=currency,
            avg_sold_price=sold.average,
            avg_inventory_price=offered.average,
            low_price=offered.lowest,
            sold_lots=sold.lots,
            sold_quantity=sold.pieces,
            stock_lots=offered.lots,
            stock_quantity=offered.pieces,
        )


def sold_figures(
    store: Marketplace, lot: Lot, *, condition: str, region: str, currency: str
) -> list[GuideFigures]:
    """Return the sales of a lot, with one call. Raises MarketplaceError.

    The world's sales include those of the US if all sales are listed.
    """
    told = {region: _ask(store, lot, condition, region, currency, is_sold=True)}
    if region == Region.GLOBAL and (there := sales_in(US, told[region])):
        told[Region.US] = there
    return [
        GuideFigures(
            lot_id=lot.pk,
            condition=condition,
            region=each,
            currency=currency,
            avg_sold_price=sold.average,
            sold_lots=sold.lots,
            sold_quantity=sold.pieces,
            has_asked=False,
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
            avg_inventory_price=offered.average,
            low_price=offered.lowest,
            stock_lots=offered.lots,
            stock_quantity=offered.pieces,
            has_sold=False,
        )
    ]


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
