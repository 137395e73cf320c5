"""Many rows of lots added, edited, deleted and restored by one call, of stock and of batches."""

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from django.db import models, transaction

from apps.accounts.models import User
from apps.core.errors import DomainError, Invalid
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.core.many import Place, RowResults, SomeRefused
from apps.lots.models import LotFields
from apps.lots.services.acts import AT_ONCE, CHUNK

MOST: Final = 100_000
Changes = Mapping[str, Any]
About = Mapping[str, list[int]]
State = dict[str, Any]
#: Rows that stay as they are, as {id, reason, name}.
Failed = Sequence[Mapping[str, Any]]
_AMOUNTS: Final = frozenset(
    field.attname
    for field in LotFields._meta.local_fields
    if isinstance(field, models.DecimalField)
)


class OfARow(Protocol):
    """The changes that a request has for one existing row."""

    @property
    def item_id(self) -> int: ...


Said = TypeVar("Said", bound=OfARow)
Kept = TypeVar("Kept")


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """Changes of one row; refused when it changed since `seen_at`. `note` is for the ledger."""

    item_id: int
    changes: Changes
    seen_at: dt.datetime | None = None
    note: str = ""
    override_reason: str = ""


NONE: Final[Mapping[Any, Any]] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """The rows of a request, by their places in it; `restore` has the ids of deleted rows."""

    create: Mapping[int, Changes]
    update: Mapping[int, Edit]
    delete: Mapping[int, Any]
    restore: Mapping[int, int]


class LotsBulk(ABC, Generic[Kept]):
    """The bulk engine. Stock and batches define its rows and how they are written.

    The same edit of many rows is kept as acts (`Kept`), so that it can be undone.
    """

    model: ClassVar[type[LotFields]]
    #: The kind of the job that makes one change to many rows.
    job_kind: ClassVar[str]

    @abstractmethod
    def write(
        self,
        rows: Rows,
        done: RowResults,
        *,
        owner: User,
        kept: Kept | None,
        by: User,
        now: dt.datetime,
    ) -> None:
        """Change the valid ones of `rows`, in the transaction of the caller; `done` gets results.

        What edits change is kept in `kept`, if it is given; `done.acts` gets where.
        """

    @abstractmethod
    def begin_edit(
        self, *, owner: User, item_ids: Sequence[int], note: str, by: User
    ) -> dict[str, list[int]]:
        """Return what an edit of these rows is about, such as its act."""

    @abstractmethod
    def begin_chunk(self, about: About) -> Kept:
        """Return the record in which the next chunk of the edit stores its changes."""

    def end_chunk(self, state: State, kept: Kept) -> None:
        """Add the chunk's record to the state of the edit."""

    def end_edit(
        self, *, owner: User, about: About, state: State, failed: Failed, by: User, message: str
    ) -> None:
        """Write into a log what the edit did; `message` says why its job was stopped."""

    @abstractmethod
    def result(self, run: JobRun, about: About) -> dict[str, Any]:
        """Return the fields of the job's result besides the counts: the acts that can be undone."""

    @transaction.atomic
    def change(
        self,
        *,
        owner: User,
        create: Mapping[int, Changes] = NONE,
        update: Mapping[int, Edit] = NONE,
        delete: Mapping[int, Any] = NONE,
        restore: Mapping[int, int] = NONE,
        refused: Mapping[Place, DomainError] = NONE,
        kept: Kept | None = None,
        atomic: bool,
        by: User,
        now: dt.datetime,
    ) -> RowResults:
        """Apply the rows of a request; keys are their positions in it.

        `refused` are rows that could not even be read; `restore` has the ids of deleted rows,
        which come back with all that they had. With `atomic` any refusal raises SomeRefused
        and nothing is changed.
        """
        done = RowResults(refused=dict(refused))
        named: set[int] = set()
        rows = Rows(
            create=create,
            update=_once("update", update, named, done),
            delete=_once("delete", delete, named, done),
            restore=restore,
        )
        self.write(rows, done, owner=owner, kept=kept, by=by, now=now)
        if atomic and done.refused:
            asked: list[Mapping[Any, Any]] = [create, update, delete, restore, refused]
            total = sum(len(some) for some in asked)
            raise SomeRefused(done.refused, total)
        return done

    def create_one(self, draft: Changes, *, owner: User, by: User, now: dt.datetime) -> int:
        """Add one row and return its id. Raises why it is refused."""
        return self.one("create", draft, owner=owner, by=by, now=now).created[0]

    def edit_one(self, edit: Edit, *, owner: User, by: User, now: dt.datetime) -> None:
        """Change one row. Raises why it is refused."""
        self.one("update", edit, owner=owner, by=by, now=now)

    def delete_one(self, removal: OfARow, *, owner: User, by: User, now: dt.datetime) -> None:
        """Delete one row. Raises why it is refused."""
        self.one("delete", removal, owner=owner, by=by, now=now)

    @transaction.atomic
    def one(self, verb: str, row: object, *, owner: User, by: User, now: dt.datetime) -> RowResults:
        """Apply a request of one row. Raises the error of a refused row; nothing is changed."""
        done = RowResults()
        rows: dict[str, Any] = {"create": NONE, "update": NONE, "delete": NONE, "restore": NONE}
        rows[verb] = {0: row}
        self.write(Rows(**rows), done, owner=owner, kept=None, by=by, now=now)
        for refusal in done.refused.values():
            raise refusal
        return done

    def edit_alike(
        self,
        *,
        owner: User,
        item_ids: Sequence[int],
        changes: Changes,
        note: str = "",
        override_reason: str = "",
        atomic: bool,
        by: User,
        now: dt.datetime,
    ) -> RowResults | Job:
        """Make the same changes to many rows: at once up to 1,000, by a job beyond that.

        Both can be undone. The job changes the valid rows, 500 a transaction, and reports the
        others. Raises Invalid, SomeRefused.
        """
        if not 1 <= len(item_ids) <= MOST:
            raise Invalid(fields={"non_field_errors": [f"1 to {MOST} rows, not {len(item_ids)}"]})
        with transaction.atomic():
            about = self.begin_edit(owner=owner, item_ids=item_ids, note=note, by=by)
            if len(item_ids) <= AT_ONCE:
                alike = _alike(item_ids, changes, note, override_reason)
                state: State = {}
                done = self._edit_chunk(about, state, alike, owner, atomic, by, now)
                self.end_edit(
                    owner=owner,
                    about=about,
                    state=state,
                    failed=_failed(item_ids, done),
                    by=by,
                    message="",
                )
                return done
            return start_job(
                owner=owner,
                kind=self.job_kind,
                about=about,
                payload={
                    "about": about,
                    "item_ids": list(item_ids),
                    "changes": {
                        name: str(value) if isinstance(value, Decimal) else value
                        for name, value in changes.items()
                    },
                    "note": note,
                    "override_reason": override_reason,
                },
                total=len(item_ids),
            )

    def _edit_chunk(
        self,
        about: About,
        state: State,
        alike: Mapping[int, Edit],
        owner: User,
        atomic: bool,
        by: User,
        now: dt.datetime,
    ) -> RowResults:
        kept = self.begin_chunk(about)
        done = self.change(owner=owner, update=alike, kept=kept, atomic=atomic, by=by, now=now)
        self.end_chunk(state, kept)
        return done

    def run(
        self,
        *,
        run: JobRun,
        item_ids: Sequence[int],
        changes: Changes,
        note: str = "",
        override_reason: str = "",
        by: User,
        clock: Callable[[], dt.datetime],
        about: About | None = None,
        **_: Any,
    ) -> None:
        """Edit many rows alike, 500 a transaction with its own time. Raises JobCancelled."""
        if about is None:  # queued by a version that kept no acts
            about = self.begin_edit(owner=run.owner, item_ids=item_ids, note=note, by=by)
        subject = about
        typed = {
            name: Decimal(value) if name in _AMOUNTS and value is not None else value
            for name, value in changes.items()
        }

        def edit(some: Sequence[int]) -> int:
            alike = _alike(some, typed, note, override_reason)
            done = self._edit_chunk(subject, run.state, alike, run.owner, False, by, clock())
            for one in _failed(some, done):
                run.fail_item(one)
            return len(done.updated)

        run.in_chunks(item_ids, size=CHUNK, message="Editing", act=edit)
        with run.finish(result=self._counted(run, subject)):
            self._end_job(run, subject, "")

    def stopped(self, *, run: JobRun, reason: str, about: About) -> dict[str, Any]:
        """Log a job that was cancelled or failed. Return its result: what it did can be undone."""
        self._end_job(run, about, reason)
        return self._counted(run, about)

    def _end_job(self, run: JobRun, about: About, message: str) -> None:
        self.end_edit(
            owner=run.owner,
            about=about,
            state=run.state,
            failed=run.failed,
            by=run.by,
            message=message,
        )

    def _counted(self, run: JobRun, about: About) -> dict[str, Any]:
        counts = {"item_count": run.state.get("items", 0), "failed_count": run.failed_count}
        return {**self.result(run, about), **counts}


def _once(
    verb: str, rows: Mapping[int, Said], named: set[int], done: RowResults
) -> dict[int, Said]:
    """Return the rows without those that are named a second time, which are refused."""
    kept: dict[int, Said] = {}
    for index, row in rows.items():
        if row.item_id in named:
            done.refused[verb, index] = Invalid(fields={"id": ["is named twice"]})
            continue
        named.add(row.item_id)
        kept[index] = row
    return kept


def _failed(item_ids: Sequence[int], done: RowResults) -> Failed:
    refused = done.refused.items()
    return [{"id": item_ids[index], "reason": why.text, "name": ""} for (_, index), why in refused]


def _alike(
    item_ids: Sequence[int], changes: Changes, note: str, override_reason: str
) -> dict[int, Edit]:
    return {
        index: Edit(item_id=pk, changes=changes, note=note, override_reason=override_reason)
        for index, pk in enumerate(item_ids)
    }
