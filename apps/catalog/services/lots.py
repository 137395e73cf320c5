"""Lots on demand: a pair that no catalogue lists is allowed, marked, and visible to its makers."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.models import User
from apps.catalog.models import Color, Item, Lot, LotMaker
from apps.catalog.rules.search_words import lot_words
from apps.core.bulk import insert_missing, instant_text

BATCH: Final = 2_000
_COLUMNS: Final = (
    "item_id",
    "color_id",
    "is_known",
    "composite_ssearch",
    "created_at",
    "updated_at",
)
Pair = tuple[int, int]


def ensure_lots(*, pairs: Iterable[Pair], now: datetime, by: User | None) -> dict[Pair, int]:
    """Return the lot id of each (item id, colour id), making those that are missing.

    `by` becomes a maker of those, and of what others made; None makes them everybody's. Pairs whose
    item or colour does not exist are left out of the answer. Safe beside others who make the same
    lots.
    """
    found: dict[Pair, int] = {}
    for batch in _batches(dict.fromkeys(pairs)):
        found.update(_existing(batch))
        missing = [pair for pair in batch if pair not in found]
        made: dict[Pair, int] = {}
        if missing:
            _add(missing, now)
            made = _existing(missing)
            found.update(made)
        if by is not None:
            _note_maker([found[pair] for pair in batch if pair in found], made.values(), by, now)
    return found


def take_over(*, lots: QuerySet[Lot], now: datetime) -> int:
    """Make pairs that people made everybody's; return how many."""
    return lots.filter(is_known=False).update(is_known=True, updated_at=now)


def _note_maker(lots: Iterable[int], made: Iterable[int], by: User, now: datetime) -> None:
    """Add `by` as a maker of the new pairs and of those hidden from them."""
    lots = set(lots)
    seen = Lot.objects.visible_to(by).filter(pk__in=lots).values_list("pk", flat=True)
    wanted = lots - set(seen) | set(made)
    rows = [LotMaker(lot_id=lot, maker=by, created_at=now) for lot in sorted(wanted)]
    LotMaker.objects.bulk_create(rows, ignore_conflicts=True)


def _batches(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    remaining = iter(pairs)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def _existing(pairs: list[Pair]) -> dict[Pair, int]:
    wanted = set(pairs)
    rows = Lot.objects.filter(
        item_id__in={item for item, _ in pairs}, color_id__in={color for _, color in pairs}
    ).values_list("item_id", "color_id", "pk")
    return {(item, color): lot for item, color, lot in rows if (item, color) in wanted}


def _add(pairs: list[Pair], now: datetime) -> None:
    items = {
        pk: (number, name)
        for pk, number, name in Item.objects.filter(pk__in={item for item, _ in pairs}).values_list(
            "pk", "number", "name"
        )
    }
    colors = dict(
        Color.objects.filter(pk__in={color for _, color in pairs}).values_list("pk", "name")
    )
    at = instant_text(now)
    rows = [
        (item, color, False, lot_words(*items[item], colors[color]), at, at)
        for item, color in pairs
        if item in items and color in colors
    ]
    with transaction.atomic(savepoint=False):
        insert_missing(Lot, _COLUMNS, rows)
