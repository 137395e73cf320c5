"""Undo the import of a file into a batch: its new items go, those stowed or moved since stay."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from apps.batches.models import Batch, BatchItem
from apps.batches.services.acts import acts_named, rows_of, undo_act
from apps.batches.services.batches import delete_batch, open_batches
from apps.core.concurrency import lock_ids_in_order
from apps.core.errors import DomainError
from apps.core.jobs.run import JobFailed, JobRun
from apps.inventory.services.bsx_sync import Applied, UndoSync
from apps.lots.services.acts import RowsChangedSince

_Locked = Mapping[int, BatchItem]


class UndoBatch(UndoSync[_Locked]):
    """Deletes the items that an import made."""

    #: Items that stay, whatever the person decided: those of a consolidation that is not undone.
    merged: frozenset[int] = frozenset()

    def run(self, run: JobRun) -> None:
        self.merged = self._separate(run)
        super().run(run)

    def _separate(self, run: JobRun) -> frozenset[int]:
        """Undo the import's consolidation, so that its items are items of their own again.

        Returns the items of one that stays, since an item of it was changed.
        """
        named = acts_named(self.sync.batch_id or 0, [self.sync.told.get("act_id") or 0])
        act = named.filter(owner=self.sync.owner, undone_at=None).first()
        if act is None:
            return frozenset()
        if not run.state.get("stays_merged"):
            try:
                with run.chunk():
                    undo_act(act=act, by=self.by, now=self.now)
                return frozenset()
            except RowsChangedSince:
                with run.chunk():
                    run.state["stays_merged"] = True
            except DomainError as refusal:
                raise JobFailed(reason=refusal.text) from refusal
        return frozenset(row["id"] for row in rows_of(act))

    def lock(self, chunk: Applied) -> _Locked:
        return lock_ids_in_order(BatchItem, chunk.images)

    def changed(self, chunk: Applied, locked: _Locked) -> list[int]:
        return sorted({*super().changed(chunk, locked), *self.merged.intersection(chunk.images)})

    def leave(
        self, run: JobRun, ids: Sequence[int], refusal: DomainError | None
    ) -> Collection[int]:
        merged = self.merged.intersection(ids)
        left = super().leave(run, [pk for pk in ids if pk not in merged], refusal)
        run.state["kept"] += len(merged)
        return merged.union(left)

    def restore(self, chunk: Applied, locked: _Locked, left: Collection[int]) -> None:
        used = {
            pk for pk, item in locked.items() if item.is_stowed or item.is_stowed_pending
        }  # their pieces are in the stock
        going = locked.keys() - set(left) - used
        open_batches({locked[pk].batch_id for pk in going})
        BatchItem.objects.filter(pk__in=going).delete()

    def finish(self) -> None:
        """Delete the batch that the import made, where nothing is left in it."""
        if self.sync.options["batch"].get("into"):
            return
        made = Batch.objects.filter(pk=self.sync.batch_id or 0, owner=self.sync.owner).first()
        if made is not None:
            with suppress(DomainError):  # other items are in it, or it is archived or worked on
                delete_batch(batch=made)
