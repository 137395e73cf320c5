"""Which lots are the same: those of a moved item, and of the item in its place, in one colour."""

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.catalog.models import Lot

_ITEM: Final = Coalesce("item__replaced_by_id", "item_id")


def same_lots(lot_ids: Iterable[int | None]) -> dict[int, int]:
    """Return a key for each lot, and for all lots that are the same: these share its key."""
    ids = {pk for pk in lot_ids if pk is not None}
    if not ids:
        return {}
    return {pk: pk for pk in ids} | same_as_moved(Lot.objects.filter(pk__among=ids))


def same_as_moved(lots: QuerySet[Lot]) -> dict[int, int]:
    """Return the same only for those lots whose items have moved, or took another's place."""
    moved = Q(item__replaced_by__isnull=False) | Q(item__replaces__isnull=False)
    found = set(lots.filter(moved).order_by().values_list(_ITEM, "color_id"))
    if not found:
        return {}
    items = {item_id for item_id, _ in found}
    colors = {color_id for _, color_id in found}
    rows = Lot.objects.filter(
        Q(item__in=items) | Q(item__replaced_by__in=items), color__in=colors
    ).order_by("pk")
    keys: dict[int, int] = {}
    first: dict[tuple[int, int], int] = {}
    for pk, item_id, color_id in rows.values_list("pk", _ITEM, "color_id"):
        if (item_id, color_id) in found:
            keys[pk] = first.setdefault((item_id, color_id), pk)
    return keys


def identities_by_now(lots: QuerySet[Any], *, person: User) -> dict[int, tuple[Any, ...]]:
    """Return for each lot of a moved item what a file that names it means to `person` by now.

    That is `(lot id,)`, or `("new", item id, colour id)` where nobody has seen the new pair.
    """
    moved = Lot.objects.filter(pk__in=lots, item__replaced_by__isnull=False).order_by()
    pairs = {
        pk: (item_id, color_id)
        for pk, item_id, color_id in moved.values_list("pk", "item__replaced_by_id", "color_id")
    }
    there = {
        (item_id, color_id): pk
        for pk, item_id, color_id in Lot.objects.visible_to(person)
        .filter(item__in={item_id for item_id, _ in pairs.values()})
        .values_list("pk", "item_id", "color_id")
    }
    return {pk: (there[pair],) if pair in there else ("new", *pair) for pk, pair in pairs.items()}
