"""The parts of a set: required, present, missing, in stock, and their cost."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, TypedDict

from django.db.models import F, QuerySet, Sum

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.models import Lot, PriceStat
from apps.catalog.models.price import SHOWN_REGIONS, Condition, Region
from apps.catalog.rules.kinds import Catalogue, ItemType
from apps.catalog.rules.pricing import NO_FIGURES, MarketFigures, PriceRule, rule_price
from apps.catalog.selectors.pricing import figures_in, price_setting_of, rule_of
from apps.catalog.selectors.same_lots import same_lots
from apps.core.money import Total
from apps.core.worth import Worth
from apps.inventory.models import FREE, InventoryItem
from apps.sets.models import SetRequirement, UserSet

COLORS_SHOWN: Final = 12
FIRST_FOREIGN_COLOR_ID: Final = 10_000
Figures = dict[tuple[int, str, str], MarketFigures]  # lot, condition, region


class ColorSums(TypedDict):
    color_id: int
    color_name: str
    color_html: str
    pieces_required: int
    pieces_on_hand: int


@dataclass(slots=True)
class Summary:
    """Pieces and lots of a set: required, on hand, missing, and to be had from stock."""

    pieces_required: int = 0
    pieces_on_hand: int = 0
    pieces_in_stock: Annotated[int, "missing ones that lie in stock"] = 0
    lots_required: int = 0
    lots_missing: int = 0
    minifigs_required: int = 0
    minifigs_on_hand: int = 0
    cost_of_missing: Annotated[Total | None, "null: no missing part has a price"] = None
    lots_without_price: Annotated[int, "missing ones whose price nobody told"] = 0
    lots_without_number: Annotated[int, "missing ones unknown to BrickLink"] = 0
    parts_value: Annotated[Total | None, "of all that it requires; null: no part has a price"] = (
        None
    )
    parts_without_price: Annotated[int, "required lots not in parts_value"] = 0
    value_of_set: Annotated[Total | None, "of one whole set"] = None
    value_of_set_at: Annotated[dt.datetime | None, "when the market told it"] = None
    parts_value_at: Annotated[dt.datetime | None, "when the market told the oldest price"] = None
    currency: str = ""
    region: Annotated[str, "a region, or a country's two letters"] = Region.GLOBAL.value
    by_color: Annotated[list[ColorSums], "the colours with the most pieces"] = field(
        default_factory=list
    )

    @property
    def pieces_missing(self) -> int:
        return self.pieces_required - self.pieces_on_hand


def stock_of(owner: User, lot_ids: Iterable[int]) -> dict[int, int]:
    """Return the pieces of each lot that are in stock and not promised to a buyer."""
    lots = list(lot_ids)
    same = same_lots(lots)
    rows = InventoryItem.objects.owned_by(owner).filter(lot_id__among=same, reserved="")
    free: Counter[int] = Counter()
    sums = rows.in_stock().values("lot_id").annotate(n=Sum(FREE))
    for lot_id, pieces in sums.values_list("lot_id", "n"):
        free[same[lot_id]] += pieces
    return {lot_id: free[same[lot_id]] for lot_id in lots}


def places_of(owner: User, lot_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """Return the locations of each lot: `{location_id, location_name, quantity}`, most first."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    same = same_lots(lot_ids)
    rows = InventoryItem.objects.owned_by(owner).filter(lot_id__in=same, reserved="").in_stock()
    for lot_id, location_id, name, quantity in (
        rows.values("lot_id", "location_id", "location__name")
        .annotate(n=Sum(FREE))
        .filter(n__gt=0)
        .order_by("-n", "location_id")
        .values_list("lot_id", "location_id", "location__name", "n")
    ):
        found[same[lot_id]].append(
            {"location_id": location_id, "location_name": name or "", "quantity": quantity}
        )
    return {lot_id: found[same[lot_id]] for lot_id in lot_ids}


def figures_of(lots: Iterable[int] | QuerySet[Any], *, owner: User, currency: str) -> Figures:
    """Return the owner's market figures of lots (ids or a query) by lot, condition and region."""
    rows = PriceStat.objects.owned_by(owner).filter(lot_id__in=lots, currency=currency)
    return {
        (lot_id, condition, region): told for lot_id, condition, region, told in figures_in(rows)
    }


def values_of(
    pieces: Iterable[tuple[int, int]], figures: Figures, rule: PriceRule
) -> list[dict[str, Any]]:
    """Return the value of pieces by the price rule, for each condition and region.

    The value is None where no lot has a price.
    """
    rows = list(pieces)
    found = []
    for condition in Condition.values:
        for region in dict.fromkeys((*SHOWN_REGIONS, rule.region)):
            worth = Worth()
            for lot_id, quantity in rows:
                told = figures.get((lot_id, condition, region), NO_FIGURES)
                price = rule_price(rule, told)
                worth.add(quantity, price.amount, price.told_at)
            found.append(
                {
                    "condition": condition,
                    "region": region,
                    "value": worth.reported,
                    "lots_without_price": worth.lots_without_price,
                    "figuresAt": worth.since,
                }
            )
    return found


def summary_of(
    *, owner: User, user_set: UserSet, condition: str | None = None, region: str | None = None
) -> Summary:
    """Return the required, present and missing pieces of a set, and their cost.

    The cost is by the owner's price rule for `condition` (default: the set's) and `region`
    (default: the rule's).
    """
    found = Summary(currency=currency_of(owner))
    rule = rule_of(price_setting_of(user=owner))
    condition, region = condition or user_set.condition, region or rule.region
    found.region = region
    worth, missing = Worth(), Worth()
    rows = SetRequirement.objects.filter(user_set=user_set)
    lots = rows.values("lot_id")
    stock = stock_of(owner, rows.values_list("lot_id", flat=True))
    figures = figures_of(lots, owner=owner, currency=found.currency)
    colors: dict[int, ColorSums] = {}
    for lot_id, required, on_hand, kind, origin, color_id, color, rgb in rows.values_list(
        "lot_id",
        "quantity_required",
        "quantity_on_hand",
        "lot__item__item_type",
        "lot__item__origin",
        "lot__color_id",
        "lot__color__name",
        "lot__color__rgb",
    ):
        lacking = required - on_hand
        found.pieces_required += required
        found.pieces_on_hand += on_hand
        found.pieces_in_stock += min(lacking, stock.get(lot_id, 0))
        found.lots_required += 1
        found.lots_missing += lacking > 0
        if kind == ItemType.MINIFIG:
            found.minifigs_required += required
            found.minifigs_on_hand += on_hand
        price = rule_price(rule, figures.get((lot_id, condition, region), NO_FIGURES))
        worth.add(required, price.amount, price.told_at)
        missing.add(lacking, price.amount)
        if lacking and (origin != Catalogue.BRICKLINK or color_id >= FIRST_FOREIGN_COLOR_ID):
            found.lots_without_number += 1
        sums = colors.setdefault(
            color_id,
            {
                "color_id": color_id,
                "color_name": color,
                "color_html": f"#{rgb}" if rgb else "",
                "pieces_required": 0,
                "pieces_on_hand": 0,
            },
        )
        sums["pieces_required"] += required
        sums["pieces_on_hand"] += on_hand
    of_set = Lot.objects.filter(item_id=user_set.item_id, color_id=0).values("pk")
    prices = figures_of(of_set, owner=owner, currency=found.currency)
    for (_, *which), told in prices.items():
        if which == [condition, region]:
            price = rule_price(rule, told)
            found.value_of_set, found.value_of_set_at = price.amount, price.told_at
    found.parts_value, found.parts_without_price = worth.reported, worth.lots_without_price
    found.parts_value_at = worth.since
    found.cost_of_missing, found.lots_without_price = missing.reported, missing.lots_without_price
    found.by_color = sorted(
        colors.values(), key=lambda row: (-row["pieces_required"], row["color_id"])
    )[:COLORS_SHOWN]
    return found


def missing_rows(*, owner: User, user_set_ids: Collection[int]) -> list[dict[str, Any]]:
    """Return the lots that sets of the owner's lack, added up over them.

    The sums come first and the names after: joined to rows just written, PostgreSQL may choose to compare every
    row with every other.
    """
    lacking = dict(
        SetRequirement.objects.owned_by(owner)
        .filter(user_set_id__in=user_set_ids)
        .missing()
        .values("lot_id")
        .annotate(n=Sum(F("quantity_required") - F("quantity_on_hand")))
        .values_list("lot_id", "n")
    )
    lots = (
        Lot.objects.filter(pk__in=lacking)
        .order_by("item__item_type", "item__sort_key", "color_id")
        .values_list(
            "pk",
            "item__item_type",
            "item__number",
            "item__name",
            "item__origin",
            "color_id",
            "color__name",
        )
    )
    names = ("lot_id", "item_type", "number", "name", "origin", "color_id", "color")
    return [{**dict(zip(names, lot, strict=True)), "quantity": lacking[lot[0]]} for lot in lots]
