"""The engine of acts on rows, in stock and in batches: planned, shown or done, kept, taken back.

An act keeps the rows that it changed as images (`images`), in chunks. Undone, it is claimed once,
its rows are locked and compared with what it left, and get back what they had. Each app defines in
an `Act` and an `Undo` what they lock, and how rows are written.
"""

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from django.db import models, transaction

from apps.core.concurrency import claim
from apps.core.errors import DomainError, ErrorCode, StateConflict
from apps.core.jobs.run import JobRun
from apps.lots.models import KeptAct
from apps.lots.services.images import is_as_left

#: Rows that a request changes or restores; a job does more, in chunks of its own transaction each.
AT_ONCE: Final = 1_000
CHUNK: Final = 500
MOST_SHOWN: Final = 500


class ActUndone(DomainError):
    code = ErrorCode.ALREADY_UNDONE
    message = "This was undone already."


class RowsChangedSince(StateConflict):
    """Rows were changed after the act; `data` lists the first of them."""

    message = "{count} {noun} changed since, so nothing was undone."


Chunk = TypeVar("Chunk")
Locked = TypeVar("Locked")
Plan = TypeVar("Plan")
Record = TypeVar("Record")


class ActResult(NamedTuple, Generic[Plan, Record]):
    """The plan of an act and its record, which is None after a dry run or if nothing changed."""

    plan: Plan
    act: Record | None = None
    is_dry_run: bool = False


class Act(ABC, Generic[Locked, Plan]):
    """An act on rows. One function plans it, for a dry run and for doing it."""

    @abstractmethod
    def lock(self) -> Locked:
        """Return the chosen rows, locked with what the act changes besides."""

    def read(self) -> Locked:
        """Return the chosen rows for a dry run, unlocked where an act defines how."""
        return self.lock()

    @abstractmethod
    def plan(self, rows: Locked) -> Plan:
        """Return what becomes of each row, and why others stay as they are. Writes nothing."""

    @abstractmethod
    def write(self, rows: Locked, plan: Plan) -> None:
        """Carry out the plan of locked rows, and keep the rows as they were."""

    def dry_run(self) -> Plan:
        """Return the plan."""
        return self.plan(self.read())

    def do(self) -> Plan:
        """Lock the rows, plan and carry the plan out, in the caller's transaction."""
        rows = self.lock()
        plan = self.plan(rows)
        self.write(rows, plan)
        return plan


class Undo(ABC, Generic[Chunk, Locked]):
    """Takes one act back, the last chunk first: all or nothing at once, row by row by a job."""

    @abstractmethod
    def chunks(self) -> Iterable[Chunk]:
        """Return the chunks that are not undone yet, the last one first."""

    @abstractmethod
    def ids(self, chunk: Chunk) -> Collection[int]:
        """Return the ids of the rows of a chunk."""

    @abstractmethod
    def lock(self, chunk: Chunk) -> Locked:
        """Lock the rows of a chunk, and what restoring them changes besides."""

    @abstractmethod
    def changed(self, chunk: Chunk, locked: Locked) -> list[int]:
        """Return the rows that are not as the act left them, or are gone."""

    @abstractmethod
    def restore(self, chunk: Chunk, locked: Locked, left: Collection[int]) -> None:
        """Give rows back what they had, but those `left` as they are."""

    def nouns(self, chunk: Chunk) -> tuple[str, str]:
        """Return what pages call one row of a chunk, and several."""
        return "row", "rows"

    def end(self, chunk: Chunk) -> None:
        """Mark a chunk as undone."""

    def leave(
        self, run: JobRun, ids: Sequence[int], refusal: DomainError | None
    ) -> Collection[int]:
        """Return which of these rows a job leaves as they are, and report them.

        They changed since; with a `refusal` they are all rows of a chunk that cannot be restored.
        """
        reason = "It was changed since." if refusal is None else refusal.text
        for pk in ids:
            run.fail_item({"id": pk, "reason": reason, "name": ""})
        return ids

    def at_once(self) -> None:
        """Restore all rows, in the caller's transaction. Raises RowsChangedSince."""
        for chunk in self.chunks():
            locked = self.lock(chunk)
            refuse_changed(self.changed(chunk, locked), self.nouns(chunk))
            self.restore(chunk, locked, ())
            self.end(chunk)

    def run(self, run: JobRun) -> None:
        """Restore the rows that did not change since, a chunk in each transaction.

        A killed job goes on after the last chunk. Raises JobCancelled.
        """
        for chunk in self.chunks():
            ids = self.ids(chunk)
            with run.chunk(done=run.done + len(ids), message="Taking it back"):
                try:
                    with transaction.atomic():
                        locked = self.lock(chunk)
                        left = self.leave(run, self.changed(chunk, locked), None)
                        self.restore(chunk, locked, left)
                except DomainError as refusal:
                    left = self.leave(run, list(ids), refusal)
                self.end(chunk)
                run.state["rows"] = run.state.get("rows", 0) + len(ids) - len(left)


def claim_undo(act: KeptAct, *, now: dt.datetime) -> None:
    """Mark an act as undone, in the transaction that undoes it. Raises ActUndone."""
    rows = KeptAct.objects.filter(pk=act.pk)
    if not claim(rows, where={"undone_at": None}, set={"undone_at": now}):
        raise ActUndone
    act.undone_at = now


def changed_since(
    rows: Iterable[Mapping[str, Any]], there: Mapping[int, models.Model]
) -> list[int]:
    """Return the ids of the kept `rows` that are not as the act left them, or are gone."""
    return [
        row["id"]
        for row in rows
        if row["after"] is not None and not is_as_left(there.get(row["id"]), row["after"])
    ]


def refuse_changed(ids: Sequence[int], nouns: tuple[str, str]) -> None:
    """Raise RowsChangedSince if there are any; `nouns` are what pages call one, and several."""
    if ids:
        noun = f"{nouns[0]} was" if len(ids) == 1 else f"{nouns[1]} were"
        data = [{"id": pk} for pk in ids[:MOST_SHOWN]]
        raise RowsChangedSince(count=len(ids), noun=noun, data=data)
