"""The result of an operation on a batch's items, and its log entry."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem, BatchOperation, OperationKind, Outcome
from apps.batches.models.item import FAILURE_LENGTH
from apps.core.bulk import update_rows
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.models import Job
from apps.locations.rules.fit import plain
from apps.locations.services.errors import LocationFull
from apps.lots.models import KeptAct
from apps.webhooks.rules import BATCH_LISTED
from apps.webhooks.services.events import emit

MAX_FAILED_KEPT: Final = 1_000


@dataclass(slots=True)
class ItemResults:
    """Ids that were done, and {id, reason, name} of those refused; `code` is the first's."""

    done: list[int] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)
    weight_unknown: list[int] = field(default_factory=list)
    code: ErrorCode = ErrorCode.CONFLICT
    # For acts that can be undone: rows before and after the act, as an act keeps them.
    images: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, item: BatchItem, why: "str | DomainError") -> None:
        """Keep why an item was not done."""
        self.refuse_id(item.pk, why, name=item.shown_name)

    def refuse_id(self, pk: int, why: "str | DomainError", *, name: str = "") -> None:
        """Keep why an item was not done; of a full location also the limits it would break."""
        reason = why if isinstance(why, str) else why.text
        if not self.failed:
            self.code = ErrorCode.CONFLICT if isinstance(why, str) else why.code
        self.failed.append({"id": pk, "reason": reason, "name": name})
        if isinstance(why, LocationFull):
            self.failed[-1]["limits"] = [
                {**limit, "room": plain(limit["room"]), "wanted": plain(limit["wanted"])}
                for limit in why.data
            ]


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationResult:
    """An operation that was done, or the job that does it."""

    operation: BatchOperation | None = None
    results: ItemResults | None = None
    act: KeptAct | None = None
    job: Job | None = None
    listing_job: Job | None = None  # lists the stowed items, started with the act


def keep_failures(reasons: Mapping[int, str], *, pending: str) -> None:
    """Store the reasons of refused items and clear their `pending` flag.

    Does not set `updated_at`, since no value that a person edits changes.
    """
    rows = [(pk, reason[:FAILURE_LENGTH], False) for pk, reason in reasons.items()]
    update_rows(BatchItem, ("failure", pending), rows)


def named(items: Iterable[BatchItem]) -> list[dict[str, Any]]:
    """Return items as the log names them. Their lots, items and colours are selected with them."""
    return [{"id": item.pk, "name": item.shown_name} for item in items]


def keep_named(kept: list[dict[str, Any]], items: Iterable[BatchItem]) -> None:
    """Add items to those that a job keeps for the log, as far as the log names them."""
    kept += named(islice(items, max(MAX_FAILED_KEPT - len(kept), 0)))


def record_operation(
    *,
    batch: Batch,
    kind: OperationKind,
    done: int,
    failed: Sequence[Mapping[str, Any]],
    failed_count: int | None = None,
    items: Sequence[dict[str, Any]] = (),  # as `named` returns them
    message: str = "",
    lists: bool = False,
    by: User,
) -> BatchOperation:
    """Append how an operation ended: `error` when anything was refused or stopped."""
    count = len(failed) if failed_count is None else failed_count
    if done and (lists or kind == OperationKind.LIST):
        data = {"batch_id": batch.pk, "items": done, "failed": count}
        emit(owner_id=batch.owner_id, event=BATCH_LISTED, told={f"batch {batch.pk}": data})
    return BatchOperation.objects.create(
        owner_id=batch.owner_id,
        batch=batch,
        kind=kind,
        outcome=Outcome.ERROR if count or message else Outcome.SUCCESS,
        item_count=done,
        failed_count=count,
        failed=list(failed[:MAX_FAILED_KEPT]),
        items=list(items[:MAX_FAILED_KEPT]),
        message=message,
        by=by,
    )
