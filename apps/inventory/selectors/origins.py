"""Which batches a row's pieces came from.

Batches are an app above, which this one must not import: their items are reached by their name,
and their batches by `batch`.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from django.apps import apps
from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from apps.accounts.models import User
from apps.catalog.models import Lot
from apps.catalog.selectors.same_lots import same_as_moved
from apps.inventory.models import CauseKind, ChannelLot, InventoryItem, Movement, Reason
from apps.inventory.rules.origins import SoldFrom, Step, origins_of_sold
from apps.inventory.rules.uploaded import Waits


def with_source_batch(items: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate the batch whose item was stowed into each row last, and how many there are.

    `batch_id` and `batch_name` (None where no batch put anything there), `batch_count`. Pieces
    that were carried here from another row are not followed. Three looks into the index of batch
    items by their stock row, per row shown.
    """
    stowed = _batch_items().objects.filter(inventory_item=OuterRef("pk"), is_stowed=True)
    last = stowed.order_by("-stowed_at", "-pk")
    # Grouped by what all of them share, so that it is one number.
    counted = stowed.order_by().values("inventory_item").annotate(n=Count("batch", distinct=True))
    return items.annotate(
        batch_id=Subquery(last.values("batch")[:1]),
        batch_name=Subquery(last.values("batch__name")[:1]),
        batch_count=Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), 0),
    )


def from_batches(items: QuerySet[Any], *, owner: User, **which: Any) -> QuerySet[Any]:
    """Return the rows that something of the owner's batches was stowed into.

    `which` narrows the batches by their own columns. The batches first, then their items: each is
    found by an index.
    """
    batches = _batch_items()._meta.get_field("batch").related_model
    mine = batches.objects.owned_by(owner).filter(**which).order_by()
    # The owner once more, lest PostgreSQL read everybody's items for many batches.
    stowed = _batch_items().objects.owned_by(owner).filter(is_stowed=True, batch__in=mine)
    return items.filter(pk__in=stowed.order_by().values("inventory_item"))


def lots_nobody_has(*, owner: User) -> QuerySet[Any]:
    """Return the received lots of the marketplace that have no row of stock and no batch item."""
    rows = InventoryItem.objects.owned_by(owner).filter(marketplace_lot_id__isnull=False)
    items = _batch_items().objects.owned_by(owner).filter(marketplace_lot_id__isnull=False)
    return (
        ChannelLot.objects.owned_by(owner)
        .filter(quantity__gt=0)
        .exclude(marketplace_lot_id__in=rows.values("marketplace_lot_id"))
        .exclude(marketplace_lot_id__in=items.values("marketplace_lot_id"))
    )


def pieces_to_list(
    *, owner: User, but: int | None = None, lot_id: int | None = None
) -> dict[int, dict[int, int]]:
    """Return by marketplace lot, and row of stock, the pieces that wait in batches to be listed.

    Without those of the batch `but`; of all lots, or of one. A row has no more than are free in it.
    """
    waiting = (
        _batch_items()
        .objects.owned_by(owner)
        .filter(is_stowed=True, is_listed=False, inventory_item__marketplace_lot_id__isnull=False)
        .exclude(batch=but)
    )
    if lot_id is not None:
        # The owner once more, for the index.
        waiting = waiting.filter(
            inventory_item__owner=owner, inventory_item__marketplace_lot_id=lot_id
        )
    sums = waiting.order_by().values("inventory_item_id").annotate(pieces=Sum("quantity"))
    row = "inventory_item__"
    found: dict[int, dict[int, int]] = {}
    for of_lot, row_id, pieces, quantity, promised in sums.values_list(
        f"{row}marketplace_lot_id",
        "inventory_item_id",
        "pieces",
        f"{row}quantity",
        f"{row}promised",
    ):
        found.setdefault(of_lot, {})[row_id] = min(pieces, max(quantity - promised, 0))
    return found


def waiting_to_be_listed(*, owner: User) -> dict[int, list[Waits]]:
    """Return by row of stock the batch items that wait to be listed, in the order of stowing.

    Without those that are being listed.
    """
    waiting = _batch_items().objects.owned_by(owner)
    waiting = waiting.filter(
        is_stowed=True,
        is_listed=False,
        is_listed_pending=False,
        inventory_item__isnull=False,
        quantity__gt=0,
    )
    found: dict[int, list[Waits]] = {}
    for one in waiting.order_by("stowed_at", "pk").values_list(
        "pk", "inventory_item_id", "quantity"
    ):
        found.setdefault(one[1], []).append(Waits(*one))
    return found


def _batch_items() -> Any:
    return apps.get_model("batches.BatchItem")


_CARRIED: Final = (Reason.MOVE, Reason.SPLIT, Reason.CONSOLIDATE)


def batch_items_of_sold(*, owner: User, line_ids: QuerySet[Any]) -> SoldFrom:
    """Return by line of an order the batch items that its pieces came from (None: of no batch).

    The ledger of the lots that were sold is followed from its beginning, so that pieces keep
    their origin through moves, splits and undos; it streams by.
    """
    rows = InventoryItem.with_deleted.owned_by(owner).order_by()
    of_orders = Movement.objects.filter(cause_kind=CauseKind.ORDER, cause_id__in=line_ids)
    sold = rows.filter(pk__in=of_orders.order_by().values("item_id"))
    lots = sold.filter(lot__isnull=False).values("lot_id")
    same = same_as_moved(Lot.objects.filter(pk__in=lots))
    followed = rows.filter(Q(lot_id__in=lots) | Q(lot_id__among=same) | Q(pk__in=sold.values("pk")))
    moves = Movement.objects.filter(item__in=followed.values("pk")).order_by("pk")
    return origins_of_sold(_steps(moves, same))


def lines_that_may_be_of(*, owner: User, batch_ids: Collection[int]) -> QuerySet[Any]:
    """Return the ids of order lines that `batch_items_of_sold` may find to be of these batches.

    Pieces leave the rows that they were stowed into for rows of the same lot only.
    """
    rows = InventoryItem.with_deleted.owned_by(owner).order_by()
    items = _batch_items().objects.owned_by(owner).filter(batch_id__among=batch_ids).order_by()
    stowed = Movement.objects.filter(
        cause_kind=CauseKind.BATCH_ITEM, cause_id__in=items.values("pk")
    )
    # Read here: the whole is too long for SQLite's parser.
    into = dict(rows.filter(pk__in=stowed.order_by().values("item_id")).values_list("pk", "lot_id"))
    lots = {lot_id for lot_id in into.values() if lot_id is not None}
    lots |= same_as_moved(Lot.objects.filter(pk__among=lots)).keys()
    here = rows.filter(Q(pk__among=into) | Q(lot_id__among=lots) | Q(lot=None)).values("pk")
    sold = Movement.objects.filter(cause_kind=CauseKind.ORDER, item__in=here)
    return sold.order_by().values("cause_id")


def _steps(moves: QuerySet[Movement], same: Mapping[int, int]) -> Iterator[Step]:
    columns = (
        *("pk", "item_id", "delta", "reason", "cause_kind", "cause_id", "reverses_id"),
        *("item__lot_id", "item__condition"),
    )
    is_undone = Exists(Movement.objects.filter(reverses=OuterRef("pk")))
    rows = moves.values_list(*columns, is_undone).iterator(2_000)
    for pk, row, delta, reason, kind, cause, reverses, lot, condition, undone in rows:
        yield Step(
            id=pk,
            row=row,
            delta=delta,
            origin=cause if kind == CauseKind.BATCH_ITEM else None,
            line=cause if kind == CauseKind.ORDER else None,
            reverses=reverses,
            is_undone=undone,
            is_carried=reason in _CARRIED,
            pool=(cause, same.get(lot, lot), condition) if reason == Reason.IMPORT else None,
        )
