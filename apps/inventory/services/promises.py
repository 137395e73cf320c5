"""Promise pieces to the lines of orders, release promises, and move them with the pieces.

Available = quantity − promised. Code that removes pieces calls `free_of` first. If a count finds
fewer pieces than are promised, `mend` moves the promises to other rows.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import F, Q, Sum

from apps.accounts.models import User
from apps.catalog.selectors.same_lots import same_lots
from apps.core.bulk import add_to_rows
from apps.core.concurrency import lock_in_order
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.models import InventoryItem, Promise, PromisedLot

AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Want:
    """Pieces that a line of an order needs: of a lot of the store, or of a lot in a condition.

    `is_out`: the stock no longer counts these pieces.
    """

    line_id: int
    quantity: int
    lot_id: int | None = None
    condition: str = ""
    sub_condition: str = ""
    marketplace_lot_id: int | None = None
    is_out: bool = False
    item_id: int | None = None  # this row only


class Freed(NamedTuple):
    """Released pieces by line; those that the stock does not count, by line and row, too."""

    pieces: dict[int, int]
    uncounted: dict[tuple[int, int], int]


def lot_promised(row: InventoryItem) -> PromisedLot:
    """Return what buyers of the row's pieces were promised."""
    return {
        "lot_id": row.lot_id,
        "condition": row.condition,
        "sub_condition": row.sub_condition,
        "marketplace_lot_id": row.marketplace_lot_id,
    }


@dataclass(slots=True)
class _Rows:
    """The rows that can serve the wants, and the free pieces of each."""

    #: What `same_lots` gives for the lots that are wanted.
    same: Mapping[int, int]
    by_listing: dict[int, list[InventoryItem]] = field(default_factory=lambda: defaultdict(list))
    by_lot: dict[tuple[int, str, str], list[InventoryItem]] = field(
        default_factory=lambda: defaultdict(list)
    )
    by_id: dict[int, InventoryItem] = field(default_factory=dict)
    free: dict[int, int] = field(default_factory=dict)

    def add(self, row: InventoryItem) -> None:
        if row.marketplace_lot_id is not None:
            self.by_listing[row.marketplace_lot_id].append(row)
        lot = self.same.get(row.lot_id or 0)
        if lot is not None and row.condition != UNKNOWN_CONDITION:
            self.by_lot[lot, row.condition, row.sub_condition].append(row)
        self.by_id[row.pk] = row
        self.free[row.pk] = free_of(row)

    def serving(self, want: Want) -> list[InventoryItem]:
        """Return the rows that can serve a want, the best first.

        Rows of the lot that was sold come first, then rows with a location, then rows that hold
        enough pieces on their own, then rows with the most free pieces.
        """
        if want.item_id is not None:
            return [self.by_id[want.item_id]] if want.item_id in self.by_id else []
        found: dict[int, InventoryItem] = {}
        for row in self.by_listing.get(want.marketplace_lot_id or 0, ()):
            found[row.pk] = row
        listed = set(found)
        lot = self.same.get(want.lot_id or 0, 0)
        for row in self.by_lot.get((lot, want.condition, want.sub_condition), ()):
            found.setdefault(row.pk, row)

        def rank(row: InventoryItem) -> tuple[Any, ...]:
            free = self.free[row.pk]
            return (
                row.pk not in listed,
                row.location_id is None,
                free < want.quantity,
                -free,
                row.pk,
            )

        return sorted(found.values(), key=rank)


def free_of(item: InventoryItem) -> int:
    """Return the number of pieces of a row that are not promised."""
    return max(item.quantity - item.promised, 0)


@transaction.atomic
def promise(
    *, owner: User, wants: Sequence[Want], now: dt.datetime, not_from: Collection[int] = ()
) -> dict[int, int]:
    """Promise the free pieces of matching rows. Return the number of pieces promised by line.

    Pieces that no row can serve are not promised.
    """
    wanted = [want for want in wants if want.quantity > 0]
    if not wanted:
        return {}
    rows = _lock(owner, wanted, not_from)
    given: dict[int, int] = defaultdict(int)
    made: dict[tuple[int, int, bool], int] = defaultdict(int)
    for want in wanted:
        left = want.quantity
        for row in rows.serving(want):
            # Pieces that already left the stock need no free pieces, only the row's location.
            pieces = left if want.is_out else min(left, rows.free[row.pk])
            if pieces < 1:
                continue
            if not want.is_out:
                rows.free[row.pk] -= pieces
            made[want.line_id, row.pk, want.is_out] += pieces
            given[want.line_id] += pieces
            left -= pieces
            if not left:
                break
    _write(owner, made, now)
    return dict(given)


def takers_of(*, owner: User, listings: Iterable[int | None], lots: Iterable[int | None]) -> Any:
    """Return the rows that can serve what was promised of these listings and lots.

    Whoever changes rows with promises locks these along, in one order, for `mend`.
    """
    return _takers(owner, listings, same_lots(lots))


def _takers(owner: User, listings: Iterable[int | None], lots: Collection[int]) -> Any:
    return InventoryItem.objects.owned_by(owner).filter(
        Q(marketplace_lot_id__in={*listings} - {None}) | Q(lot_id__in=lots)
    )


def _lock(owner: User, wants: Sequence[Want], not_from: Collection[int]) -> _Rows:
    same = same_lots(want.lot_id for want in wants)
    rows = _takers(owner, [want.marketplace_lot_id for want in wants], same)
    ids = {want.item_id for want in wants} - {None}
    rows |= InventoryItem.objects.owned_by(owner).filter(pk__in=ids)
    found = _Rows(same)
    for row in lock_in_order(rows):
        if row.pk not in not_from:
            found.add(row)
    return found


def _write(owner: User, made: Mapping[tuple[int, int, bool], int], now: dt.datetime) -> None:
    if not made:
        return
    sums: dict[int, int] = defaultdict(int)
    for (_, item_id, is_out), pieces in made.items():
        if not is_out:
            sums[item_id] += pieces
    _count(sums, now)
    line_ids = {line_id for line_id, _, _ in made}
    there = {
        (row.line_id, row.item_id, row.is_out): row
        for row in Promise.objects.filter(line_id__in=line_ids, owner=owner)
    }
    new = []
    for (line_id, item_id, is_out), pieces in made.items():
        known = there.get((line_id, item_id, is_out))
        if known is None:
            new.append(
                Promise(
                    owner=owner, line_id=line_id, item_id=item_id, quantity=pieces, is_out=is_out
                )
            )
        else:
            Promise.objects.filter(pk=known.pk).update(
                quantity=F("quantity") + pieces, updated_at=now
            )
    Promise.objects.bulk_create(new, batch_size=AT_ONCE)


def _count(sums: Mapping[int, int], now: dt.datetime) -> None:
    """Add to `promised` of locked rows and set their `updated_at`."""
    if not sums:
        return
    add_to_rows(InventoryItem, ("promised",), sorted(sums.items()))
    InventoryItem.with_deleted.filter(pk__in=list(sums)).update(updated_at=now)


def count_promised(*, owner: User) -> None:
    """Add an owner's stored promises to `promised` of newly written rows, where it is still 0."""
    held = Promise.objects.owned_by(owner).filter(is_out=False).order_by().values("item_id")
    sums = held.annotate(n=Sum("quantity")).order_by("item_id").values_list("item_id", "n")
    add_to_rows(InventoryItem, ("promised",), list(sums))


@transaction.atomic
def take_promises_back(
    *,
    owner: User,
    line_ids: Collection[int],
    now: dt.datetime,
    at_most: Mapping[int, int] | None = None,
) -> Freed:
    """Release the promises of lines, at most `at_most` pieces each."""
    found = list(Promise.objects.filter(owner=owner, line_id__in=list(line_ids)).order_by("pk"))
    freed = Freed(defaultdict(int), defaultdict(int))
    if not found:
        return freed
    lock_in_order(
        InventoryItem.with_deleted.filter(pk__in={row.item_id for row in found}).only("pk")
    )
    # Read again under the lock: a concurrent pick may have kept one of these promises.
    found = list(Promise.objects.filter(pk__in=[row.pk for row in found]).order_by("-pk"))
    left = dict(at_most) if at_most is not None else {}
    fewer: dict[int, int] = {}
    sums: dict[int, int] = defaultdict(int)
    for row in found:
        pieces = row.quantity if at_most is None else min(row.quantity, left.get(row.line_id, 0))
        if not pieces:
            continue
        left[row.line_id] = left.get(row.line_id, 0) - pieces
        fewer[row.pk] = pieces
        freed.pieces[row.line_id] += pieces
        if row.is_out:
            freed.uncounted[row.line_id, row.item_id] += pieces
        else:
            sums[row.item_id] -= pieces
    _lower({row.pk: row for row in found}, fewer, now)
    _count(sums, now)
    return freed


def _lower(rows: Mapping[int, Promise], fewer: Mapping[int, int], now: dt.datetime) -> None:
    over = [pk for pk, pieces in fewer.items() if pieces >= rows[pk].quantity]
    Promise.objects.filter(pk__in=over).delete()
    for pk, pieces in fewer.items():
        if pieces < rows[pk].quantity:
            Promise.objects.filter(pk=pk).update(quantity=F("quantity") - pieces, updated_at=now)


def keep(*, kept: Mapping[int, int], rows: Mapping[int, Promise], now: dt.datetime) -> None:
    """Keep promises, whole or in part (id -> pieces): the pieces leave their row.

    The caller holds the locks on the rows of stock.
    """
    sums: dict[int, int] = defaultdict(int)
    for pk, pieces in kept.items():
        if not rows[pk].is_out:
            sums[rows[pk].item_id] -= pieces
    _lower(rows, kept, now)
    _count(sums, now)


def forget_uncounted(*, item_ids: Collection[int], since: dt.datetime | None = None) -> None:
    """Delete the promises of pieces that the stock never counted, made since then or all."""
    found = Promise.objects.filter(item_id__in=list(item_ids), is_out=True)
    (found if since is None else found.filter(created_at__gte=since)).delete()


def reassign_promises(*, owner: User, items: Iterable[InventoryItem], now: dt.datetime) -> None:
    """Move promises away from rows that hold fewer pieces than they promise.

    `items` are rows that `lock_rows` locked, with their current quantities. The promises move to
    other rows of the lot and condition that the row had then. Promises that no row can serve are
    removed, and the order reports the missing pieces.
    """
    rows = {item.pk: item for item in items}
    short = {
        item.pk: item.promised - max(item.quantity, 0)
        for item in rows.values()
        if isinstance(item.promised, int) and item.promised > max(item.quantity, 0)
    }
    if not short:
        return
    found = list(Promise.objects.filter(item_id__in=short, is_out=False).order_by("-pk"))
    fewer: dict[int, int] = {}
    sums: dict[int, int] = defaultdict(int)
    wants = []
    for each in found:
        pieces = min(each.quantity, short[each.item_id])
        if not pieces:
            continue
        short[each.item_id] -= pieces
        fewer[each.pk] = pieces
        sums[each.item_id] -= pieces
        row = rows[each.item_id]
        lot = row.promised_as or lot_promised(row)
        wants.append(Want(line_id=each.line_id, quantity=pieces, **lot))
    with transaction.atomic():
        _lower({each.pk: each for each in found}, fewer, now)
        _count(sums, now)
        promise(owner=owner, wants=wants, now=now)
