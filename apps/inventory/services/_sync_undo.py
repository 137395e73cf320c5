"""Take an import back: reverse movements, fields as they were, its rows and bins gone again."""

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import lock_in_order
from apps.core.jobs.run import JobRun
from apps.inventory.models import (
    CauseKind,
    InventoryItem,
    InventorySync,
    Movement,
    Reason,
    SyncChunk,
    SyncState,
)
from apps.inventory.rules.file_columns import FILE_COLUMNS, plain_value
from apps.inventory.rules.sync_plan import Image, before_of
from apps.inventory.selectors.syncs import applied_chunks, changed_in
from apps.inventory.services import received
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import Loads
from apps.inventory.services._sync_apply import CHANGED_FIELDS
from apps.inventory.services._sync_state import resume
from apps.inventory.services.stock_figures import reckon
from apps.locations.models import Location
from apps.locations.services import rooms
from apps.locations.services.locations import keep_names

MINE: Final = "mine"
RESTORED: Final = ("deleted_at", *CHANGED_FIELDS)


def undo_sync(
    run: JobRun, *, sync_id: int, otherwise: str, rows: Mapping[str, str], now: dt.datetime
) -> None:
    """Undo what was applied, last chunk first. A killed job goes on after the last one done.

    Rows that somebody changed since stay as they are (`mine`) or are put back (`theirs`):
    `rows` decides by id, `otherwise` the rest.
    """
    sync = resume(sync_id, run.job, SyncState.UNDOING)
    applied = applied_chunks(sync=sync).order_by("-number")
    numbers = list(applied.values_list("number", flat=True))
    undoing = _Undoing(sync, rows, otherwise, by=run.owner, now=now)
    for done, number in enumerate(numbers, 1):
        with run.chunk(done=done, total=len(numbers), message="Putting the stock back"):
            run.state["kept"] = run.state.get("kept", 0) + undoing.undo(
                SyncChunk.objects.get(sync=sync, number=number)
            )
    reckon(owner=sync.owner)
    with run.finish(result={"sync_id": sync.pk, "kept": run.state.get("kept", 0)}):
        _remove_locations(sync)
        received.forget_import(owner=sync.owner, sync_id=sync.pk)
        InventorySync.objects.filter(pk=sync.pk).update(
            state=SyncState.UNDONE, undone_at=now, updated_at=now
        )


class _Undoing:
    """Undoes chunks of one sync."""

    def __init__(
        self,
        sync: InventorySync,
        decided: Mapping[str, str],
        otherwise: str,
        *,
        by: Any,
        now: dt.datetime,
    ) -> None:
        self.sync = sync
        self.decided = decided
        self.otherwise = otherwise
        self.now = now
        self.why = Why(by, now, Reason.UNDO, CauseKind.SYNC)

    def undo(self, chunk: SyncChunk) -> int:
        """Put one chunk's rows back; return how many stayed as somebody changed them."""
        before = before_of(chunk.before)
        images = {image.item_id: image for image in before.changed}
        there = set(
            Location.objects.owned_by(self.sync.owner)
            .filter(pk__in=[i.location_id for i in before.changed if i.location_id is not None])
            .values_list("pk", flat=True)
        )
        rows = InventoryItem.objects.filter(
            owner=self.sync.owner, pk__in=[*before.created, *images]
        )
        places = set(rows.filter(location__isnull=False).values_list("location_id", flat=True))
        rooms.hold(location_ids=places | there)
        loads, entries, writes, kept = Loads(), list[Entry](), list[tuple[Any, ...]](), 0
        changed = changed_in(chunk=chunk)
        movements = self._movements([*before.created, *images])
        for row in lock_in_order(rows):
            if row.pk in changed and self._choice(row.pk) == MINE:
                kept += 1
                continue
            image = images.get(row.pk)
            quantity = image.quantity if image else 0
            place = image.location_id if image and image.location_id in there else None
            if image is None:
                place = row.location_id
            loads.add(row.location_id, -row.quantity, row.piece_grams)
            loads.add(place, quantity, _grams(image, row))
            entries += self._reversed(row, place, quantity, movements.get(row.pk, []))
            writes.append(self._write(row, image, place))
        update_rows(InventoryItem, RESTORED, writes)
        record(entries, self.why)
        rooms.change_rooms(loads=loads.by_location)
        SyncChunk.objects.filter(pk=chunk.pk).update(undone_at=self.now)
        return kept

    def _movements(self, item_ids: list[int]) -> dict[int, list[Movement]]:
        found: dict[int, list[Movement]] = {}
        for movement in Movement.objects.filter(
            cause_kind=CauseKind.SYNC,
            cause_id=self.sync.pk,
            item_id__in=item_ids,
            reason__in=(Reason.IMPORT, Reason.SALE),
        ).order_by("-pk"):
            found.setdefault(movement.item_id, []).append(movement)
        return found

    def _reversed(
        self, row: InventoryItem, place: int | None, quantity: int, movements: list[Movement]
    ) -> list[Entry]:
        """Return the reverse of each movement, and one more where others moved the row since."""
        entries = [
            Entry(
                row.pk,
                -movement.delta,
                movement.to_location_id,
                movement.from_location_id,
                self.sync.pk,
                movement.pk,
            )
            for movement in movements
        ]
        missing = quantity - row.quantity - sum(entry.delta for entry in entries)
        if missing:
            from_id, to_id = (None, place) if missing > 0 else (row.location_id, None)
            entries.append(Entry(row.pk, missing, from_id, to_id, self.sync.pk))
        return entries

    def _write(self, row: InventoryItem, image: Image | None, place: int | None) -> tuple[Any, ...]:
        instant = instant_text(self.now)
        if image is None:
            # What the import made is gone again; its ledger stays behind it.
            values = [plain_value(name, getattr(row, name)) for name in FILE_COLUMNS]
            grams = None if row.piece_grams is None else str(row.piece_grams)
            return (row.pk, instant, instant, place, grams, 0, row.lot_id, *values)
        return (
            row.pk,
            None,
            instant,
            place,
            image.piece_grams,
            image.quantity,
            image.lot_id,
            *image.values,
        )

    def _choice(self, pk: int) -> str:
        return self.decided.get(str(pk), self.otherwise)


def _remove_locations(sync: InventorySync) -> None:
    """Delete the locations that the import made, where nothing lies and nobody edited them."""
    made = Location.objects.owned_by(sync.owner).filter(pk__in=sync.made_location_ids, item_count=0)
    used = InventoryItem.objects.filter(location__in=made).values_list("location_id", flat=True)
    unused = made.exclude(pk__in=list(used))
    keep_names(unused)
    unused.delete()


def _grams(image: Image | None, row: InventoryItem) -> Decimal | None:
    if image is None:
        return row.piece_grams
    return None if image.piece_grams is None else Decimal(image.piece_grams)
