"""To-do lines of the stock: unknown items, no bin, no price, changes not uploaded."""

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, Max, QuerySet

from apps.accounts.models import User
from apps.catalog.models import PriceStat
from apps.catalog.models.price import Region
from apps.core.money import money
from apps.core.waiting import Asked, Waiting, counted, waits
from apps.core.worth import known_worth
from apps.inventory.models import ChannelLot, Decision, FieldConflict, InventoryItem, WordField
from apps.inventory.selectors.renumbered import renumbered_items
from apps.inventory.selectors.unknown import unknown_figures
from apps.inventory.selectors.words import unknown_words
from apps.inventory.services.changes import changed_lots
from apps.inventory.services.stock_figures import stock_by_type

KEPT_SECONDS: Final = 86_400
MOST_VALUED: Final = 500


@waits("inventory.unknown")
def unknown_items(asked: Asked) -> Iterator[Waiting]:
    """Yield the numbers not in the catalogue, except those kept as own items."""
    found = unknown_figures(asked.owner)
    if found.numbers:
        yield Waiting(
            id="unknown",
            title=f"Name {counted(found.numbers, 'unknown item')}",
            note=f"The catalogue does not know their numbers: {counted(found.lots, 'lot')}",
            count=found.numbers,
            money=None if found.value is None else money(found.value),
            to="/app/unknown-items",
        )


@waits("inventory.renumbered")
def renumbered_lots(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots whose items have another number in the catalogue by now."""
    items = asked.once(renumbered_items)
    if items:
        lots = sum(one.rows for one in items)
        listed = sum(one.listed for one in items)
        of_store = f"; {counted(listed, 'lot')} in the store" if listed else ""
        yield Waiting(
            id="renumbered",
            title=f"Change the numbers of {counted(lots, 'lot')}",
            note=f"The catalogue moved {counted(len(items), 'item')} to another number{of_store}",
            count=lots,
            to="/app/unknown-items",
        )


@waits("inventory.unknown_words")
def unknown_words_of_files(asked: Asked) -> Iterator[Waiting]:
    """Yield the conditions and colours of files that were not understood."""
    told = [one for field in WordField for one in unknown_words(owner=asked.owner, field=field)]
    if words := len(told):
        lots = sum(one.lots for one in told)
        yield Waiting(
            id="unknown-words",
            title=f"Say what {counted(words, 'word')} of your files {'means' if words == 1 else 'mean'}",
            note=f"Conditions and colours that were not understood: {counted(lots, 'lot')}",
            count=words,
            money=None,
            to="/app/unknown-items",
        )


@waits("inventory.no_bin")
def lots_without_bin(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots in stock without a location."""
    rows = InventoryItem.objects.owned_by(asked.owner).filter(location=None, quantity__gt=0)
    found = rows.aggregate(lots=Count("pk"), value=known_worth())
    if found["lots"]:
        yield Waiting(
            id=asked.show("no-bin", rows),
            title="Put 1 lot into a bin"
            if found["lots"] == 1
            else f"Put {counted(found['lots'], 'lot')} into bins",
            note="In stock without a bin",
            count=found["lots"],
            money=None if found["value"] is None else money(found["value"]),
            to="/app/inventory?location=none",
        )


@waits("inventory.unpriced")
def lots_without_price(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots without a price, with their value on the market."""
    lots = sum(one.lots_without_price for one in asked.once(stock_by_type))
    if lots:
        rows = InventoryItem.objects.owned_by(asked.owner).in_stock_listed().filter(price=None)
        worth = _market_worth(asked, rows)
        yield Waiting(
            id=asked.show("unpriced", rows),
            title=f"Price {counted(lots, 'lot')}",
            note="Not for sale, and not in the value of the stock"
            if worth is None
            else "Not for sale; worth so much at market prices, as far as they are known",
            count=lots,
            money=worth,
            to="/app/inventory?unpriced=true",
        )


def _market_worth(asked: Asked, unpriced: QuerySet[InventoryItem]) -> Decimal | None:
    """Return the value of the newest unpriced lots at their market prices, None if unknown."""
    rows = (
        unpriced.filter(lot__isnull=False)
        .order_by("-pk")
        .values_list("lot_id", "condition", "quantity")[:MOST_VALUED]
    )
    pieces: dict[tuple[int, str], int] = {}
    for lot, condition, quantity in rows:
        pieces[lot, condition] = pieces.get((lot, condition), 0) + quantity
    figures = (
        PriceStat.objects.owned_by(asked.owner)
        .filter(
            lot_id__among={lot for lot, _ in pieces} or {0},
            region=Region.GLOBAL,
            currency=asked.currency,
        )
        .values_list("lot_id", "condition", "avg_sold_price", "avg_inventory_price")
    )
    worth = [
        (sold or offered) * pieces[lot, condition]
        for lot, condition, sold, offered in figures
        if (lot, condition) in pieces and (sold or offered)
    ]
    return money(sum(worth, Decimal())) if worth else None


@waits("inventory.unsent")
def unsent_changes(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots that differ from the last received ones, and the open questions.

    The counts are cached until the next write.
    """
    received = ChannelLot.objects.owned_by(asked.owner)
    newest = received.aggregate(at=Max("updated_at"), lots=Count("pk"))
    if newest["at"] is None:
        return
    questions = FieldConflict.objects.owned_by(asked.owner).filter(decision=Decision.OPEN).count()
    if questions:
        yield Waiting(
            id="questions",
            title=f"Decide {counted(questions, 'difference')} with the store",
            note="Changed here and there: choose whose value stays",
            count=questions,
            is_pressing=True,
            to="/app/store?tab=questions",
        )
    kept = _changed(asked.owner, newest, questions)
    if kept.lots:
        yield Waiting(
            id="unsent",
            title=f"Upload {counted(kept.lots, 'changed lot')}",
            note="The store still has the old prices or quantities",
            count=kept.lots,
            money=money(kept.value),
            to="/app/inventory?since_sync=true&show_zero_quantity=true",
        )


def _changed(owner: User, newest: dict[str, Any], questions: int) -> Any:
    rows = InventoryItem.objects.owned_by(owner).aggregate(at=Max("updated_at"), rows=Count("pk"))
    mark = f"{newest['at']}|{newest['lots']}|{rows['at']}|{rows['rows']}|{questions}"
    key = f"unsent-{owner.pk}-{hashlib.sha1(mark.encode(), usedforsecurity=False).hexdigest()}"
    kept = cache.get(key)
    if kept is None:
        kept = changed_lots(owner=owner)
        cache.set(key, kept, KEPT_SECONDS)
    return kept
