"""Sends what is due to one webhook, one call at a time, in order for each object."""

import datetime as dt
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Min, Q
from standardwebhooks import Webhook as Signer

from apps.core.concurrency import claim
from apps.core.jobs.run import Clock, JobRun
from apps.core.sealing import Unreadable, unseal_text
from apps.webhooks.models import Delivery, Webhook
from apps.webhooks.providers.calling import SECONDS, NotCalled, call
from apps.webhooks.rules import PATIENCE, pause_after
from apps.webhooks.services.events import start_sending

#: How long a job calls one webhook before others have their turn.
TURN: Final = dt.timedelta(seconds=20)
LEASE: Final = dt.timedelta(seconds=6 * SECONDS)
#: How many webhooks of one person are called at the same time.
SHARE: Final = 2
KEPT: Final = dt.timedelta(days=30)
GONE: Final = 410


def deliver(run: JobRun, *, webhook_id: int, clock: Clock) -> None:
    """Send what is due until a call fails or the turn is over."""
    began = clock()
    hook = _take(webhook_id, now=began)
    if hook is None:
        return
    try:
        went_well = True
        while went_well and clock() - began < TURN and (row := _next(hook, now=clock())):
            run.beat()
            # A delivery that is slow to be noted is sent twice, rather than never.
            status, told = _send(hook, row, now=clock())
            with run.chunk(done=run.done + 1):
                went_well = _note(hook, row, status, told, now=clock())
    finally:
        Webhook.objects.filter(pk=hook.pk).update(busy_until=None)
    with run.finish():
        pass
    if went_well and _next(hook, now=clock()):
        start_sending([hook.pk])


def start_all_due(*, now: dt.datetime) -> None:
    """Start the jobs of what is due: what failed before, or what a lost job left."""
    due = Delivery.objects.filter(due_at__lte=now).filter(_may_be_called(now, "webhook__"))
    start_sending(due.order_by().values_list("webhook_id", flat=True).distinct())
    Delivery.objects.filter(created_at__lt=now - KEPT, due_at=None).delete()


def _may_be_called(now: dt.datetime, prefix: str = "") -> Q:
    """Return that it is not stopped, not waiting, and nobody calls it."""
    free = Q()
    for name in ("busy_until", "not_before"):
        free &= Q(**{f"{prefix}{name}": None}) | Q(**{f"{prefix}{name}__lte": now})
    return free & Q(**{f"{prefix}stopped_at": None})


def _take(webhook_id: int, *, now: dt.datetime) -> Webhook | None:
    """Return the webhook if this worker may call it now."""
    rows = Webhook.objects.filter(pk=webhook_id)
    hook = rows.first()
    if hook is None:
        return None
    busy = Webhook.objects.filter(owner_id=hook.owner_id, busy_until__gt=now)
    if busy.count() >= SHARE:
        return None
    return hook if claim(rows, where=_may_be_called(now), set={"busy_until": now + LEASE}) else None


def _next(hook: Webhook, *, now: dt.datetime) -> Delivery | None:
    """Return what to send: the oldest of its object, one that did not fail before others."""
    unsent = Delivery.objects.filter(webhook=hook, due_at__isnull=False).order_by()
    first = unsent.values("about").annotate(first=Min("pk")).values("first")
    return unsent.filter(pk__in=first, due_at__lte=now).order_by("attempts", "pk").first()


def _send(hook: Webhook, row: Delivery, *, now: dt.datetime) -> tuple[int, str]:
    """Return the status of the answer, or 0, and what is told of it."""
    Webhook.objects.filter(pk=hook.pk).update(busy_until=now + LEASE)
    try:
        signer = Signer(unseal_text(hook.sealed))
        sent_at = now.astimezone(dt.UTC)
        status = call(
            hook.address,
            body=row.body.encode(),
            headers={
                "Content-Type": "application/json",
                "User-Agent": "Brickstow",
                "webhook-id": str(row.event_id),
                "webhook-timestamp": str(int(sent_at.timestamp())),
                "webhook-signature": signer.sign(str(row.event_id), sent_at, row.body),
            },
            to_private=settings.WEBHOOKS_TO_PRIVATE,
        )
    except NotCalled as problem:
        return 0, str(problem)
    except Unreadable:
        return 0, "the secret cannot be read: make the webhook anew"
    return status, f"answered {status}"


def _note(hook: Webhook, row: Delivery, status: int, told: str, *, now: dt.datetime) -> bool:
    """Keep how a call went; return whether it went well."""
    hooks = Webhook.objects.filter(pk=hook.pk)
    rows = Delivery.objects.filter(pk=row.pk)
    if 200 <= status < 300:
        rows.update(due_at=None, delivered_at=now, told=told, attempts=F("attempts") + 1)
        hooks.update(failures=0, failing_since=None, not_before=None)
        return True
    again = now + pause_after(row.attempts + 1)
    due_at = again if again < row.give_up_at else None
    rows.update(due_at=due_at, told=told, attempts=F("attempts") + 1)
    hook.refresh_from_db()
    failing_since = hook.failing_since or now
    is_over = status == GONE or now - failing_since >= PATIENCE
    hooks.update(
        failures=hook.failures + 1,
        failing_since=failing_since,
        not_before=now + pause_after(hook.failures + 1),
        stopped_at=now if is_over else None,
    )
    return False


@transaction.atomic
def send_again(row: Delivery, *, now: dt.datetime) -> None:
    """Send a delivery once more, now."""
    Delivery.objects.filter(pk=row.pk).update(
        due_at=now, give_up_at=now + PATIENCE, attempts=0, delivered_at=None
    )
    Webhook.objects.filter(pk=row.webhook_id).update(not_before=None)
    start_sending([row.webhook_id])
