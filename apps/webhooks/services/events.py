"""Writes an event for each webhook that listens, in the transaction of its cause."""

import json
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Final

from apps.core.clock import now
from apps.core.concurrency import after_commit
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job, JobState
from apps.webhooks.models import Delivery, Webhook
from apps.webhooks.rules import JOB_FINISHED, PATIENCE

DELIVER: Final = "webhooks.deliver"


def emit(*, owner_id: int, event: str, told: Mapping[str, Mapping[str, Any]]) -> None:
    """Tell an event of each object: `told` is the data of each by its name, such as `order 5`.

    They are sent after the commit, by a job. Without a listening webhook nothing is written.
    """
    if not told:
        return
    hooks = [
        hook
        for hook in Webhook.objects.filter(owner_id=owner_id, stopped_at=None)
        if event in hook.events
    ]
    if not hooks:
        return
    at = now()
    Delivery.objects.bulk_create(
        Delivery(
            owner_id=owner_id,
            webhook=hook,
            event_id=event_id,
            event=event,
            about=about,
            body=body,
            due_at=at,
            give_up_at=at + PATIENCE,
        )
        for about, data in told.items()
        for event_id, body in [(uuid.uuid4(), _body(event, at.isoformat(), data))]
        for hook in hooks
    )
    start_sending(hook.pk for hook in hooks)


def listeners(event: str) -> set[int]:
    """Return the ids of those who have a webhook for an event."""
    hooks = Webhook.objects.filter(stopped_at=None).values_list("owner_id", "events")
    return {owner_id for owner_id, events in hooks if event in events}


def start_sending(webhook_ids: Iterable[int]) -> None:
    """Have a job send what is due, after the commit."""
    for pk in webhook_ids:
        after_commit(_start_one, pk)


def _start_one(pk: int) -> None:
    """Start a job of nobody: a person's share of the workers is for what he started himself."""
    if not Job.objects.unfinished().filter(kind=DELIVER, payload__webhook_id=pk).exists():
        start_job(owner=None, kind=DELIVER, payload={"webhook_id": pk})


def tell_job(*, job: Job, state: str, message: str) -> None:
    """Tell that a person's job ended."""
    if job.owner_id is not None:
        data = {"job_id": str(job.pk), "kind": job.kind, "state": JobState(state).value}
        emit(
            owner_id=job.owner_id,
            event=JOB_FINISHED,
            told={f"job {job.pk}": {**data, "message": message}},
        )


def _body(event: str, at: str, data: Mapping[str, Any]) -> str:
    return json.dumps({"type": event, "timestamp": at, "data": data}, separators=(",", ":"))
