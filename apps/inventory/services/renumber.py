"""Give lots the numbers that their items have in the catalogue by now."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.apps import apps
from django.db import transaction

from apps.accounts.models import User
from apps.catalog.services.lots import ensure_lots
from apps.core.concurrency import lock_in_order
from apps.core.errors import StateConflict
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobRun
from apps.inventory.models import InventoryItem, Reason
from apps.inventory.selectors.renumbered import (
    BATCH_ITEMS,
    RENUMBERED,
    SET_PARTS,
    renumbered_items,
    rows_to_renumber,
)
from apps.inventory.services.acts import (
    Part,
    Refusals,
    begin_act,
    do_act,
    edit_in_act,
    run_act,
    write_kept,
)
from apps.inventory.services.edits import StockEdit, hold_stock
from apps.inventory.services.unknown import Row
from apps.lots.models import NO_RAW_IDENTITY, ActKind, KeptAct
from apps.lots.services.acts import ActResult
from apps.lots.services.images import changed_row

RENUMBER_KIND: Final = "inventory.renumber_items"


class NothingToRenumber(StateConflict):
    message = "All your lots have the numbers of the catalogue."


def renumber_items(
    *, owner: User, by: User, now: dt.datetime
) -> ActResult[Refusals, KeptAct] | Job:
    """Move all rows of replaced items to the items in their place, as one act.

    These are rows of stock, items of batches, parts of sets, and lines of orders with pieces to
    pick. More than 1,000 rows become a job. Raises NothingToRenumber.
    """
    rows = [
        (table, pk)
        for table in RENUMBERED
        for pk in rows_to_renumber(owner, table).order_by("pk").values_list("pk", flat=True)
    ]
    if not rows:
        raise NothingToRenumber
    items = renumbered_items(owner=owner)
    note = ", ".join(f"{one.old_number} is {one.new_number}" for one in items[:3])
    with transaction.atomic():
        return do_act(
            begin_act(owner=owner, kind=ActKind.NAME, by=by, note=note),
            job_kind=RENUMBER_KIND,
            rows=len(rows),
            payload={"rows": rows},
            do=lambda act: _renumber(act, rows, by, now),
        )


def run_renumbering(
    *, run: JobRun, act_id: int, rows: Sequence[Sequence[Any]], by: User, clock: Clock
) -> None:
    """Move many rows to their items' new numbers, 500 a transaction. Raises JobCancelled."""

    def renumber(act: KeptAct, some: Sequence[Sequence[Any]], now: dt.datetime) -> Part:
        refused = _renumber(act, [(table, pk) for table, pk in some], by, now)
        return len(some) - len(refused), refused

    run_act(run=run, act_id=act_id, rows=rows, message="Changing numbers", do=renumber, clock=clock)


def _renumber(act: KeptAct, rows: Sequence[Row], by: User, now: dt.datetime) -> Refusals:
    lots = _lots_by_now(act, rows, now)
    # Whoever edited a row since has chosen its lot.
    for table in RENUMBERED:
        ids = [pk for of, pk in rows if of == table]
        if not table or not ids:
            continue
        model: Any = apps.get_model(table)
        held = lock_in_order(model.objects.owned_by(act.owner).filter(pk__in=ids))
        old = [row for row in held if row.lot_id in lots]
        if table == SET_PARTS:
            old = _once_per_set(old, lots)
        also = NO_RAW_IDENTITY if table == BATCH_ITEMS else {}
        kept = [changed_row(row, {**also, "lot_id": lots[row.lot_id]}) for row in old]
        write_kept(act, table, kept, now=now)
    of_stock = [pk for table, pk in rows if not table]
    hold_stock(owner=act.owner, item_ids=of_stock)
    stock = InventoryItem.objects.filter(pk__in=of_stock, lot__in=lots)
    edits = {
        pk: StockEdit(item_id=pk, changes={"lot_id": lots[lot]})
        for pk, lot in stock.order_by("pk").values_list("pk", "lot_id")
    }
    return list(edit_in_act(act=act, edits=edits, by=by, now=now, fewer=Reason.EDIT).items())


def _once_per_set(parts: Sequence[Any], lots: Mapping[int, int]) -> list[Any]:
    """Return the parts that can change: a set whose parts have both numbers keeps them."""
    if not parts:
        return []
    same_sets = type(parts[0]).objects.filter(user_set__in={part.user_set_id for part in parts})
    taken = set(same_sets.values_list("user_set_id", "lot_id"))
    changing = []
    for part in parts:
        becomes = (part.user_set_id, lots[part.lot_id])
        if becomes not in taken:
            taken.add(becomes)
            changing.append(part)
    return changing


def _lots_by_now(act: KeptAct, rows: Sequence[Row], now: dt.datetime) -> dict[int, int]:
    """Return for each lot of the rows the lot of the item in its item's place, in the same colour.

    Makes those that are missing: before rows are locked, as others who make lots do.
    """
    pairs: dict[int, tuple[int, int]] = {}
    for table in {table for table, _ in rows}:
        ids = [pk for of, pk in rows if of == table]
        found = rows_to_renumber(act.owner, table).filter(pk__in=ids)
        columns = ("lot_id", "lot__item__replaced_by_id", "lot__color_id")
        pairs |= {lot: (item, color) for lot, item, color in found.values_list(*columns)}
    made = ensure_lots(pairs=set(pairs.values()), now=now, by=act.owner)
    return {lot: made[pair] for lot, pair in pairs.items()}
