"""Undo an import: reverse its movements, restore fields, delete the rows and bins it added."""

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from apps.accounts.models import User
from apps.core.errors import DomainError
from apps.core.jobs.run import JobRun
from apps.inventory.models import (
    CauseKind,
    InventorySync,
    SyncChunk,
    SyncState,
    SyncTarget,
)
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.sync_plan import Image, before_of
from apps.inventory.selectors.syncs import applied_chunks, changed_in, rows_of
from apps.inventory.services import received
from apps.inventory.services._restoring import restore_rows
from apps.inventory.services._stock import Locked as LockedStock
from apps.inventory.services._stock import lock_stock
from apps.inventory.services._sync_state import resume
from apps.inventory.services.after_import import follow_import, uploads
from apps.inventory.services.promises import forget_uncounted
from apps.inventory.services.stock_figures import reckon
from apps.locations.models import Location
from apps.locations.services.locations import keep_names
from apps.lots.services.acts import Undo

MINE: Final = "mine"
Locked = TypeVar("Locked")


def undo_sync(
    run: JobRun,
    *,
    sync_id: int,
    otherwise: str,
    rows: Mapping[str, str],
    now: dt.datetime,
    of: "type[UndoSync] | None" = None,
) -> None:
    """Undo the applied chunks, last one first. A killed job resumes after the last one undone.

    Rows that were changed after the import are kept (`mine`) or restored (`theirs`): `rows`
    decides by id, `otherwise` for all other rows.
    """
    sync = resume(sync_id, run.job, SyncState.UNDOING)
    undo = (of or UndoStock)(sync, otherwise, rows, by=run.by, now=now)
    undo.run(run)
    with run.chunk():
        remove_locations(sync)
        ties = [number for _remote_id, number in sync.told.get("ties", [])]
        received.forget(owner=sync.owner, channel_id=sync.channel_id, lot_ids=ties)
        kept = SyncTarget if sync.target == SyncTarget.BATCH else ()  # such as items stowed since
        received.forget_import(
            owner=sync.owner,
            sync_id=sync.pk,
            carried_by=[rows_of(target).filter(owner=sync.owner) for target in kept],
        )
    # Orders look for their pieces anew, without what the store had of this import. They are locked
    # before received lots, so this is a transaction of its own.
    with run.finish(result={"sync_id": sync.pk, "kept": run.state.get("kept", 0)}):
        InventorySync.objects.filter(pk=sync.pk).update(
            state=SyncState.UNDONE, undone_at=now, updated_at=now
        )
        undo.finish()


class Applied(NamedTuple):
    """A chunk and its rows as they were; None for those that the import made."""

    chunk: SyncChunk
    images: Mapping[int, dict[str, Any] | None]


class UndoSync(Undo[Applied, Locked], ABC, Generic[Locked]):
    """Takes rows of an import back; the person decided what becomes of those changed since."""

    def __init__(
        self,
        sync: InventorySync,
        otherwise: str,
        decided: Mapping[str, str],
        *,
        by: User,
        now: dt.datetime,
    ) -> None:
        self.sync = sync
        self.otherwise = otherwise
        self.decided = decided
        self.by = by
        self.now = now

    def chunks(self) -> Iterator[Applied]:
        applied = applied_chunks(sync=self.sync).order_by("-number")
        for pk in list(applied.values_list("pk", flat=True)):
            chunk = SyncChunk.objects.get(pk=pk)
            before = before_of(chunk.before)
            changed = {image.item_id: _columns(image) for image in before.changed}
            yield Applied(chunk, dict.fromkeys(before.created) | changed)

    def ids(self, chunk: Applied) -> Collection[int]:
        return chunk.images

    def changed(self, chunk: Applied, locked: Locked) -> list[int]:
        return sorted(changed_in(sync=self.sync, chunk=chunk.chunk))

    def leave(
        self, run: JobRun, ids: Sequence[int], refusal: DomainError | None
    ) -> Collection[int]:
        if refusal is not None:
            raise refusal
        mine = [pk for pk in ids if self.decided.get(str(pk), self.otherwise) == MINE]
        run.state["kept"] = run.state.get("kept", 0) + len(mine)
        marked = {row_id for _item, _lot, row_id, _at in self.sync.told.get("marked", ())}
        run.state["kept_rows"] = [*run.state.get("kept_rows", ()), *marked.intersection(mine)]
        return mine

    def end(self, chunk: Applied) -> None:
        SyncChunk.objects.filter(pk=chunk.chunk.pk).update(undone_at=self.now)

    @abstractmethod
    def finish(self) -> None:
        """Show what is left, in the last transaction."""


class UndoStock(UndoSync[LockedStock]):
    """Puts rows of the stock back."""

    def run(self, run: JobRun) -> None:
        super().run(run)
        self._unmark(run)
        reckon(owner=self.sync.owner)

    def _unmark(self, run: JobRun) -> None:
        """Let batch items wait again that the import marked as listed, but in rows that stay."""
        left = set(run.state.get("kept_rows", ()))
        told = [one for one in self.sync.told.get("marked", ()) if one[2] not in left]
        when = itemgetter(3)
        for at, some in groupby(sorted(told, key=when), key=when):
            marked = [(pk, lot_id) for pk, lot_id, _row, _at in some]
            with run.chunk():
                uploads().unmark(
                    owner=self.sync.owner,
                    marked=marked,
                    at=dt.datetime.fromisoformat(at),
                    by=self.by,
                    now=self.now,
                )

    def lock(self, chunk: Applied) -> LockedStock:
        places = [image["location_id"] for image in chunk.images.values() if image]
        return lock_stock(owner=self.sync.owner, item_ids=chunk.images, location_ids=places)

    def restore(self, chunk: Applied, locked: LockedStock, left: Collection[int]) -> None:
        items, locations = locked
        back = items.keys() - set(left)
        # The import found these pieces; the follower decides anew where they are.
        forget_uncounted(item_ids=back, since=chunk.chunk.applied_at)
        restore_rows(
            owner=self.sync.owner,
            items=items,
            locations=locations,
            images={pk: image for pk, image in chunk.images.items() if pk in back},
            cause=(CauseKind.SYNC, self.sync.pk),
            by=self.by,
            now=self.now,
            strict=False,
        )

    def finish(self) -> None:
        follow_import(owner=self.sync.owner, now=self.now)


def _columns(image: Image) -> dict[str, Any]:
    """Return a row as it was, by column."""
    return {
        "quantity": image.quantity,
        "lot_id": image.lot_id,
        "location_id": image.location_id,
        "piece_grams": image.piece_grams,
        **dict(zip(FILE_COLUMNS, image.values, strict=True)),
    }


def remove_locations(sync: InventorySync) -> None:
    """Delete the locations that the import created, if they are empty and nothing is planned there."""
    made = Location.objects.owned_by(sync.owner).filter(pk__in=sync.made_location_ids, item_count=0)
    used = {
        pk
        for target in SyncTarget
        for pk in rows_of(target).filter(location__in=made).values_list("location_id", flat=True)
    }
    unused = made.exclude(pk__in=used)
    keep_names(unused)
    unused.delete()
