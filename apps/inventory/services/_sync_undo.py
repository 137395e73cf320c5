"""Undo an import: reverse its movements, restore fields, delete the rows and bins it added."""

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any, Final

from apps.accounts.models import User
from apps.core.jobs.run import JobRun
from apps.inventory.models import (
    CauseKind,
    InventoryItem,
    InventorySync,
    SyncChunk,
    SyncState,
)
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.sync_plan import Image, before_of
from apps.inventory.selectors.syncs import applied_chunks, changed_in
from apps.inventory.services import received
from apps.inventory.services._put_back import put_back
from apps.inventory.services._stock import lock_stock
from apps.inventory.services._sync_state import resume
from apps.inventory.services.stock_figures import reckon
from apps.locations.models import Location
from apps.locations.services.locations import keep_names

MINE: Final = "mine"


def undo_sync(
    run: JobRun, *, sync_id: int, otherwise: str, rows: Mapping[str, str], now: dt.datetime
) -> None:
    """Undo the applied chunks, last one first. A killed job resumes after the last one undone.

    Rows that were changed after the import are kept (`mine`) or restored (`theirs`): `rows`
    decides by id, `otherwise` for all other rows.
    """
    sync = resume(sync_id, run.job, SyncState.UNDOING)
    applied = applied_chunks(sync=sync).order_by("-number")
    numbers = list(applied.values_list("number", flat=True))
    for done, number in enumerate(numbers, 1):
        with run.chunk(done=done, total=len(numbers), message="Putting the stock back"):
            chunk = SyncChunk.objects.get(sync=sync, number=number)
            mine = {pk for pk in changed_in(chunk=chunk) if rows.get(str(pk), otherwise) == MINE}
            kept = _undo(sync, chunk, mine, by=run.owner, now=now)
            run.state["kept"] = run.state.get("kept", 0) + kept
    reckon(owner=sync.owner)
    with run.finish(result={"sync_id": sync.pk, "kept": run.state.get("kept", 0)}):
        _remove_locations(sync)
        received.forget_import(owner=sync.owner, sync_id=sync.pk)
        InventorySync.objects.filter(pk=sync.pk).update(
            state=SyncState.UNDONE, undone_at=now, updated_at=now
        )


def _undo(
    sync: InventorySync, chunk: SyncChunk, mine: Collection[int], *, by: User, now: dt.datetime
) -> int:
    """Put one chunk's rows back but `mine`; return how many of those there are."""
    before = before_of(chunk.before)
    images: dict[int, dict[str, Any] | None] = dict.fromkeys(before.created)
    images |= {image.item_id: _columns(image) for image in before.changed}
    items, locations = lock_stock(
        owner=sync.owner,
        item_ids=images,
        location_ids=[image.location_id for image in before.changed],
    )
    put_back(
        items=items,
        locations=locations,
        images={pk: images[pk] for pk in items if pk not in mine},
        cause=(CauseKind.SYNC, sync.pk),
        by=by,
        now=now,
        strict=False,
    )
    SyncChunk.objects.filter(pk=chunk.pk).update(undone_at=now)
    return len(items.keys() & set(mine))


def _columns(image: Image) -> dict[str, Any]:
    """Return a row as it was, by column."""
    return {
        "quantity": image.quantity,
        "lot_id": image.lot_id,
        "location_id": image.location_id,
        "piece_grams": image.piece_grams,
        **dict(zip(FILE_COLUMNS, image.values, strict=True)),
    }


def _remove_locations(sync: InventorySync) -> None:
    """Delete the locations that the import created, if they are still empty."""
    made = Location.objects.owned_by(sync.owner).filter(pk__in=sync.made_location_ids, item_count=0)
    used = InventoryItem.objects.filter(location__in=made).values_list("location_id", flat=True)
    unused = made.exclude(pk__in=list(used))
    keep_names(unused)
    unused.delete()
