"""Lots on demand: a pair that no catalogue lists is allowed, and says so."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Final

from apps.catalog.models import Color, Item, Lot
from apps.catalog.rules.search_words import lot_words

BATCH: Final = 2_000
Pair = tuple[int, int]


def ensure_lots(*, pairs: Iterable[Pair], now: datetime) -> dict[Pair, int]:
    """Return the lot id of each (item id, colour id), making those that are missing.

    Pairs whose item or colour does not exist are left out of the answer. Safe beside
    others who make the same lots. At most 5 queries per 2,000 pairs.
    """
    found: dict[Pair, int] = {}
    for batch in _batches(dict.fromkeys(pairs)):
        found.update(_existing(batch))
        missing = [pair for pair in batch if pair not in found]
        if missing:
            _add(missing, now)
            found.update(_existing(missing))
    return found


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
    Lot.objects.bulk_create(
        [
            Lot(
                item_id=item,
                color_id=color,
                is_known=False,
                composite_ssearch=lot_words(*items[item], colors[color]),
                created_at=now,
                updated_at=now,
            )
            for item, color in pairs
            if item in items and color in colors
        ],
        ignore_conflicts=True,
    )
