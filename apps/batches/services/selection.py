"""Which items of a batch a person chose, for every act and operation on them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from apps.batches.models import IN_STATE, Batch, BatchItem
from apps.batches.rules.states import ItemState
from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.models import Job


class NotInBatch(DomainError):
    code = ErrorCode.NOT_FOUND
    message = "It is not in this batch."


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """Which items of a batch: these, or (None) all; of one state only where it is named.

    `refused_to`: only those that a job has refused, which came as far as this id.
    """

    item_ids: tuple[int, ...] | None = None
    state: ItemState | None = None
    refused_to: int | None = None

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> "Chosen":
        """Return the choice that the payload of a job holds."""
        ids, state = payload.get("item_ids"), payload.get("state")
        return cls(
            item_ids=None if ids is None else tuple(ids),
            state=ItemState(state) if state else None,
            refused_to=payload.get("refused_to"),
        )

    def payload(self) -> dict[str, Any]:
        """Return the part of a job's payload that `read` takes."""
        return {
            "item_ids": self.item_ids,
            "state": self.state,
            "refused_to": self.refused_to,
        }

    @property
    def is_named(self) -> bool:
        """Whether each item was named, so that one that is not there is refused."""
        return self.item_ids is not None and self.refused_to is None

    def refused_by(self, job: Job) -> "Chosen":
        """Return those of this choice that a job has refused."""
        there = Chosen.read(job.payload)
        ids = there.item_ids if self.item_ids is None else self.item_ids
        if ids is not None and there.item_ids is not None:
            ids = tuple(sorted(set(ids).intersection(there.item_ids)))
        return Chosen(item_ids=ids, refused_to=job.checkpoint.get("after", 0))

    def or_all(self, state: ItemState) -> "Chosen":
        """Return this choice, where "all" means all items of `state`."""
        return replace(self, state=state) if self.item_ids is None else self

    def missing(self, there: Iterable[int]) -> list[int]:
        """Return the chosen ids that are not `there`."""
        named = self.item_ids if self.is_named else None
        return sorted(set(named or ()).difference(there))


def chosen_rows(batch: Batch, chosen: Chosen) -> QuerySet[Any]:
    """Return the chosen rows of a batch, by id."""
    rows = BatchItem.objects.filter(batch=batch).order_by("pk")
    if chosen.item_ids is not None:
        rows = rows.filter(pk__in=chosen.item_ids)
    if chosen.refused_to is not None:
        rows = rows.filter(IN_STATE[ItemState.NEW], pk__lte=chosen.refused_to).exclude(failure="")
    return rows.filter(IN_STATE[chosen.state]) if chosen.state is not None else rows


def locked_rows(rows: QuerySet[Any]) -> list[BatchItem]:
    """Lock the items in order, with the related rows that their refusals name."""
    return lock_in_order(rows.select_related("lot__item", "lot__color", "location"))
