"""To-do lines of the stock: unknown items, no bin, no price, changes not uploaded."""

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery, Value

from apps.catalog.models import Lot, PriceStat
from apps.catalog.models.price import Region
from apps.core.money import money
from apps.core.prepared import TEXT, WHOLE, Prepared, Slot
from apps.core.waiting import Asked, Question, Waiting, counted, facts_of, finds, sums_of, waits
from apps.core.worth import known_worth
from apps.inventory.models import ChannelLot, Decision, FieldConflict, InventoryItem, WordField
from apps.inventory.selectors.renumbered import RENUMBERED, rows_to_renumber
from apps.inventory.selectors.unknown import NAMED, unknown_figures, unknown_rows, with_pieces
from apps.inventory.selectors.words import rows_with_words, word_key
from apps.inventory.services.changes import changed_lots
from apps.inventory.services.stock_figures import stock_by_type

KEPT_SECONDS: Final = 86_400
MOST_VALUED: Final = 500


@finds("inventory.unknown")
def _any_unknown(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    for table in NAMED:
        yield facts_of("unknown", with_pieces(unknown_rows(asked.owner, table), table)[:1])


@waits("inventory.unknown")
def unknown_items(asked: Asked) -> Iterator[Waiting]:
    """Yield the numbers not in the catalogue, except those kept as own items."""
    found = unknown_figures(asked.owner) if asked.facts("unknown") else None
    if found and found.numbers:
        yield Waiting(
            id="unknown",
            title=f"Name {counted(found.numbers, 'unknown item')}",
            note=f"The catalogue does not know their numbers: {counted(found.lots, 'lot')}",
            count=found.numbers,
            money=None if found.value is None else money(found.value),
            to="/app/unknown-items",
        )


@finds("inventory.renumbered")
def _renumbered(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    for table in RENUMBERED:
        listed = Value(0) if table else Count("marketplace_lot_id")
        # By lot, not by item: one join less to plan in each of the four parts.
        rows = rows_to_renumber(asked.owner, table).values("lot_id")
        rows = rows.annotate(of_lot=Count("pk"), listed=listed)
        columns = {"id": F("lot_id"), "count": F("of_lot"), "lots": F("listed")}
        yield facts_of("renumbered", rows, **columns, text=Value(table))


@waits("inventory.renumbered")
def renumbered_lots(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots whose items have another number in the catalogue by now."""
    found = asked.facts("renumbered")
    if found:
        moved = Lot.objects.filter(pk__among={one.id for one in found})
        items = moved.values("item").distinct().count()
        lots = sum(one.count for one in found)
        listed = sum(one.lots for one in found)
        of_store = f"; {counted(listed, 'lot')} in the store" if listed else ""
        yield Waiting(
            id="renumbered",
            title=f"Change the numbers of {counted(lots, 'lot')}",
            note=f"The catalogue moved {counted(items, 'item')} to another number{of_store}",
            count=lots,
            to="/app/unknown-items",
        )


@finds("inventory.unknown_words")
def _words(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    for field, table in product(WordField, NAMED):
        rows = with_pieces(rows_with_words(asked.owner, field, table), table).order_by()
        words = rows.values("text").annotate(of_word=Count("pk"))
        yield facts_of(
            "unknown_words", words, name=F("text"), text=Value(field.value), count=F("of_word")
        )


@waits("inventory.unknown_words")
def unknown_words_of_files(asked: Asked) -> Iterator[Waiting]:
    """Yield the conditions and colours of files that were not understood."""
    found = asked.facts("unknown_words")
    if words := len({(one.text, word_key(one.name)) for one in found}):
        lots = sum(one.count for one in found)
        yield Waiting(
            id="unknown-words",
            title=f"Say what {counted(words, 'word')} of your files {'means' if words == 1 else 'mean'}",
            note=f"Conditions and colours that were not understood: {counted(lots, 'lot')}",
            count=words,
            money=None,
            to="/app/unknown-items",
        )


def _without_bin(owner: object, _: object = None) -> QuerySet[Any]:
    rows: QuerySet[Any] = InventoryItem.objects.owned_by(owner)
    return rows.filter(location=None, quantity__gt=0)


@finds("inventory.no_bin")
def _no_bin(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    yield sums_of("no_bin", _without_bin(asked.owner), count=Count("pk"), money=known_worth())


@waits("inventory.no_bin")
def lots_without_bin(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots in stock without a location."""
    for found in asked.facts("no_bin"):
        yield Waiting(
            id=asked.show("no-bin", _without_bin),
            title="Put 1 lot into a bin"
            if found.count == 1
            else f"Put {counted(found.count, 'lot')} into bins",
            note="In stock without a bin",
            count=found.count,
            money=None if found.money is None else money(found.money),
            to="/app/inventory?location=none",
        )


@waits("inventory.unpriced")
def lots_without_price(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots without a price, with their value on the market."""
    lots = sum(one.lots_without_price for one in asked.once(stock_by_type))
    if lots:
        worth = _market_worth(asked)
        yield Waiting(
            id=asked.show("unpriced", _unpriced),
            title=f"Price {counted(lots, 'lot')}",
            note="Not for sale, and not in the value of the stock"
            if worth is None
            else "Not for sale; worth so much at market prices, as far as they are known",
            count=lots,
            money=worth,
            to="/app/inventory?unpriced=true",
        )


def _unpriced(owner: object, _: object = None) -> QuerySet[Any]:
    rows: QuerySet[Any] = InventoryItem.objects.owned_by(owner).in_stock_listed()
    return rows.filter(price=None)


def _newest_unpriced(owner: Slot, currency: Slot) -> QuerySet[Any, Any]:
    figures = PriceStat.objects.owned_by(owner).filter(
        lot=OuterRef("lot"),
        condition=OuterRef("condition"),
        region=Region.GLOBAL,
        currency=currency,
    )
    rows = _unpriced(owner).filter(lot__isnull=False).order_by("-pk")
    return rows.values_list(
        "quantity",
        Subquery(figures.values("avg_sold_price")[:1]),
        Subquery(figures.values("avg_inventory_price")[:1]),
    )[:MOST_VALUED]


_NEWEST_UNPRICED: Final = Prepared(_newest_unpriced, owner=WHOLE, currency=TEXT)


def _market_worth(asked: Asked) -> Decimal | None:
    """Return the value of the newest unpriced lots at their market prices, None if unknown."""
    rows = _NEWEST_UNPRICED.rows(owner=asked.owner.pk, currency=asked.currency)
    worth = [(sold or offered) * pieces for pieces, sold, offered in rows if sold or offered]
    return money(sum(worth, Decimal())) if worth else None


@finds("inventory.unsent")
def _received(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    received = ChannelLot.objects.owned_by(asked.owner)
    yield sums_of("received", received, count=Count("pk"), at=Max("updated_at"))
    open_ones = FieldConflict.objects.owned_by(asked.owner).filter(decision=Decision.OPEN)
    yield sums_of("questions", open_ones, count=Count("pk"))


@waits("inventory.unsent")
def unsent_changes(asked: Asked) -> Iterator[Waiting]:
    """Yield the lots that differ from the last received ones, and the open questions.

    The counts are cached until the next write.
    """
    if not asked.facts("received"):
        return
    for questions in asked.facts("questions"):
        yield Waiting(
            id="questions",
            title=f"Decide {counted(questions.count, 'difference')} with the store",
            note="Changed here and there: choose whose value stays",
            count=questions.count,
            is_pressing=True,
            to="/app/store?tab=questions",
        )
    kept = _changed(asked)
    if kept.lots:
        yield Waiting(
            id="unsent",
            title=f"Upload {counted(kept.lots, 'changed lot')}",
            note="The store still has the old prices or quantities",
            count=kept.lots,
            money=money(kept.value),
            to="/app/inventory?since_sync=true&show_zero_quantity=true",
        )


def _changed(asked: Asked) -> Any:
    owner = asked.owner
    rows = InventoryItem.objects.owned_by(owner).aggregate(at=Max("updated_at"), rows=Count("pk"))
    newest = [
        (one.at, one.count) for line in ("received", "questions") for one in asked.facts(line)
    ]
    mark = f"{newest}|{rows['at']}|{rows['rows']}"
    key = f"unsent-{owner.pk}-{hashlib.sha1(mark.encode(), usedforsecurity=False).hexdigest()}"
    kept = cache.get(key)
    if kept is None:
        kept = changed_lots(owner=owner)
        cache.set(key, kept, KEPT_SECONDS)
    return kept
