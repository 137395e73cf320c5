"""Which sets the stock makes, or nearly: a job over everything whose contents are known."""

import datetime as dt
import heapq
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from typing import Final

from django.db import transaction
from django.db.models import Sum

from apps.accounts.models import User
from apps.catalog.models import Component, ItemInventory
from apps.catalog.rules.kinds import Catalogue, ItemType
from apps.core.errors import StateConflict
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.inventory.models import FREE, InventoryItem
from apps.inventory.selectors.renumbered import same_in_stock
from apps.sets.models import BuildableSet, BuildSearch
from apps.sets.rules import Figure, coverage

KIND: Final = "sets.find_buildable"
AT_ONCE: Final = 500  # inventories read at once
MOST_KEPT: Final = 500
_TRUST: Final = {Catalogue.BRICKLINK.value: 0, Catalogue.REBRICKABLE.value: 1}


class SearchRuns(StateConflict):
    """One look at a time; `data` holds the one that runs."""

    message = "This is being worked out already. Wait for it or stop it first."


@transaction.atomic
def start_search(*, owner: User, least_pieces: int, least_percent: int) -> BuildSearch:
    """Start a search for sets that the stock can build. Deletes the results of the last search.

    Raises SearchRuns.
    """
    before = BuildSearch.objects.filter(owner=owner)
    running = before.filter(
        finished_at=None, job__in=Job.objects.owned_by(owner).unfinished()
    ).first()
    if running is not None:
        raise SearchRuns(data=[{"id": running.pk, "job_id": str(running.job_id)}])
    before.delete()
    job = start_job(owner=owner, kind=KIND, payload={})
    return BuildSearch.objects.create(
        owner=owner, job=job, least_pieces=least_pieces, least_percent=least_percent
    )


def run_search(*, run: JobRun, now: dt.datetime) -> None:
    """Compare every set's contents with the stock, some hundred sets at a time.

    Memory holds the stock by lot (one number each) and the best 500 sets. A killed search
    restarts. Raises JobCancelled.
    """
    search = BuildSearch.objects.filter(job=run.job).first()
    if search is None:
        with run.finish(result={}):
            return
    stock = _stock_of(run.owner)
    run.beat(done=0, message="Reading the catalogue")
    figures = _figures()
    inventories = _inventories()
    best: list[tuple[Decimal, int, int, int, int, int]] = []
    with run.chunk(done=0, total=len(inventories), message="Comparing sets with your stock"):
        pass
    for start in range(0, len(inventories), AT_ONCE):
        some = inventories[start : start + AT_ONCE]
        for item_id, needed in _needs(some):
            found = coverage(needed, stock, figures)
            if found.required < search.least_pieces:
                continue
            percent = (Decimal(found.in_stock * 10_000 // found.required)) / 100
            if percent < search.least_percent or not found.in_stock:
                continue
            entry = (
                percent,
                found.required,
                -item_id,
                found.required,
                found.in_stock,
                found.lots_missing,
            )
            heapq.heappush(best, entry)
            if len(best) > MOST_KEPT:
                heapq.heappop(best)
        run.beat(done=start + len(some))
    result = {"search_id": search.pk, "sets": len(best), "checked": len(inventories)}
    with run.finish(result=result):
        BuildableSet.objects.filter(found_by=search).delete()
        BuildableSet.objects.bulk_create(
            BuildableSet(
                found_by=search,
                item_id=-key,
                percent=percent,
                pieces_required=required,
                pieces_in_stock=in_stock,
                lots_missing=lots_missing,
            )
            for percent, _, key, required, in_stock, lots_missing in sorted(best, reverse=True)
        )
        BuildSearch.objects.filter(pk=search.pk).update(
            set_count=len(inventories), finished_at=now, updated_at=now
        )


def _stock_of(owner: User) -> dict[int, int]:
    rows = InventoryItem.objects.owned_by(owner).filter(lot__isnull=False, reserved="").in_stock()
    sums = rows.order_by().values("lot_id").annotate(n=Sum(FREE))
    stock: dict[int, int] = dict(sums.values_list("lot_id", "n").iterator(chunk_size=5_000))
    same = same_in_stock(owner=owner)
    by_key: Counter[int] = Counter()
    for lot_id, key in same.items():
        by_key[key] += stock.get(lot_id, 0)
    return stock | {lot_id: by_key[key] for lot_id, key in same.items()}


def _inventories() -> list[tuple[int, int, bool]]:
    """Return the inventory shown of each set, in order of inventory.

    As (inventory id, item id, whether the minifigs' parts are among its own).
    """
    shown: dict[int, tuple[tuple[int, int, int], int, bool]] = {}
    rows = ItemInventory.objects.filter(
        has_components=True, is_retired=False, item__item_type=ItemType.SET
    )
    for pk, item_id, catalogue, version, inline in rows.order_by().values_list(
        "pk", "item_id", "catalogue", "version", "has_inline_minifigs"
    ):
        rank = (_TRUST.get(catalogue, 2), -version, pk)
        if item_id not in shown or rank < shown[item_id][0]:
            shown[item_id] = (rank, pk, inline)
    return sorted((pk, item_id, inline) for item_id, (_, pk, inline) in shown.items())


def _figures() -> dict[int, Figure]:
    """Return the parts of every minifig that has a list of them, by the minifig's lot."""
    lines = (
        Component.objects.filter(
            inventory__item__item_type=ItemType.MINIFIG,
            inventory__is_retired=False,
            is_spare=False,
            is_alternate=False,
            is_counterpart=False,
            inventory__item__lots__color_id=0,
        )
        .order_by("inventory__item__lots__pk", "inventory_id")
        .values_list("inventory__item__lots__pk", "inventory_id", "lot_id", "quantity")
    )
    found: dict[int, Figure] = {}
    for lot_id, rows in groupby(lines.iterator(chunk_size=5_000), key=lambda row: row[0]):
        by_inventory = groupby(rows, key=lambda row: row[1])
        _, first = next(by_inventory)
        found[lot_id] = Figure(lot_id, tuple((part, pieces) for _, _, part, pieces in first))
    return found


def _needs(
    inventories: list[tuple[int, int, bool]],
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield (item id, its required lots) of some inventories."""
    of = {pk: (item_id, inline) for pk, item_id, inline in inventories}
    needed: dict[int, list[tuple[int, int]]] = {pk: [] for pk in of}
    lines = Component.objects.filter(
        inventory_id__gte=inventories[0][0],
        inventory_id__lte=inventories[-1][0],
        is_spare=False,
        is_alternate=False,
        is_counterpart=False,
    ).values_list("inventory_id", "lot_id", "quantity", "lot__item__item_type")
    for pk, lot_id, quantity, kind in lines.iterator(chunk_size=5_000):
        if pk in needed and not (of[pk][1] and kind == ItemType.MINIFIG):
            needed[pk].append((lot_id, quantity))
    for pk, lots in needed.items():
        if lots:
            yield of[pk][0], lots
