"""What is for sale on the channels of a person, by their rules."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final, cast

from apps.accounts.models import User
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.exchange.bsx_lot import BsxLot, LotValues
from apps.inventory.models import RECEIVED_FIELDS, ChannelRule, InventoryItem, ItemQuerySet
from apps.inventory.rules.for_sale import EVERYTHING, SaleRule

RULE_FIELDS: Final = (
    "left_out_types",
    "left_out_categories",
    "left_out_stockrooms",
    "left_out_marker",
    "least_value",
    "most_value",
    "least_pieces",
    "keep_back",
    "percent",
    "currency",
    "rate",
    "rounding",
)

_SENT: Final = tuple(name for name in RECEIVED_FIELDS if name != "quantity")


def sale_rules_of(owner: User) -> dict[int, SaleRule]:
    """Return the rules of an owner by channel, of channels that have one."""
    rules = ChannelRule.objects.owned_by(owner)
    return {rule.channel_id: as_sale_rule(rule) for rule in rules}


def sale_rule_of(*, owner: User, channel_id: int | None) -> SaleRule:
    """Return the rule of a channel."""
    return sale_rules_of(owner).get(channel_id or 0, EVERYTHING)


def as_sale_rule(rule: ChannelRule) -> SaleRule:
    """Return a stored rule, or one that is not stored yet, as it is worked with."""
    return SaleRule(
        left_out_types=frozenset(LETTER_OF_TYPE[each] for each in rule.left_out_types),
        left_out_categories=frozenset(rule.left_out_categories),
        left_out_stockrooms=frozenset(rule.left_out_stockrooms),
        left_out_marker=rule.left_out_marker.strip().casefold(),
        least_value=rule.least_value,
        most_value=rule.most_value,
        least_pieces=rule.least_pieces,
        keep_back=rule.keep_back,
        percent=Decimal(rule.percent),
        rate=Decimal(rule.rate),
        rounding=Decimal(rule.rounding),
    )


def category_of_lots(*, owner: User, lot_ids: Collection[int]) -> dict[int, int | None]:
    """Return the category of each lot: the catalogue's, else that of its file."""
    rows = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__in=list(lot_ids))
    columns = ("marketplace_lot_id", "lot_id", "lot__item__category_id", "raw_category_id")
    return {
        number: category if lot_id else raw
        for number, lot_id, category, raw in rows.order_by("-pk").values_list(*columns)
    }


def lots_to_sell(rows: ItemQuerySet, *order: str) -> Iterator[tuple[int, BsxLot]]:
    """Yield rows with their free pieces, by id, with what is sent of them and what rules read."""
    columns = (
        *("pk", "free", "lot_id", "lot__item__item_type", "raw_item_type", "marker_text"),
        *("lot__item__category_id", "raw_category_id", "lot__item__number", "raw_item_number"),
        *("lot__color__name", "raw_color_name", "marketplace_lot_id", *_SENT),
    )
    found = rows.with_free().order_by(*order).values_list(*columns)
    for row in found.iterator(chunk_size=2_000):
        pk, free, lot_id, kind, letter, marker, category, raw_category, *others = row
        number, raw_number, color, raw_color, listed, *sent = others
        values = {
            "quantity": free,
            "item_type_id": letter if raw_number or not lot_id else LETTER_OF_TYPE[kind],
            "marker_text": marker,
            "category_id": category if lot_id else raw_category,
            "item_number": number or raw_number,
            "color_name": color or raw_color,
            "marketplace_lot_id": listed,
        }
        yield (
            pk,
            BsxLot.filled(cast("LotValues", {**values, **dict(zip(_SENT, sent, strict=True))})),
        )


def whole_lots_to_sell(owner: User) -> Iterator[BsxLot]:
    """Yield the lots in stock: rows of one number as one, any other row as a lot of its own."""
    stock = InventoryItem.objects.owned_by(owner).filter(quantity__gt=0)
    whole: BsxLot | None = None
    for _pk, lot in lots_to_sell(stock, "marketplace_lot_id"):
        if lot.quantity <= 0:
            continue
        number = lot.marketplace_lot_id
        if whole is not None and number is not None and number == whole.marketplace_lot_id:
            whole = replace(whole, quantity=whole.quantity + lot.quantity)
            continue
        if whole is not None:
            yield whole
        whole = lot
    if whole is not None:
        yield whole
