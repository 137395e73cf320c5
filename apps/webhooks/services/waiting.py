"""What waits at the webhooks: those that were stopped."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from django.db.models import F, QuerySet

from apps.core.waiting import MOST_OF_A_KIND, Asked, Question, Waiting, facts_of, finds, waits
from apps.webhooks.models import Webhook


@finds("webhooks.stopped")
def _stopped(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    hooks = Webhook.objects.filter(owner=asked.owner, stopped_at__isnull=False)
    newest = hooks.order_by("-stopped_at")[:MOST_OF_A_KIND]
    yield facts_of("stopped_webhooks", newest, id=F("pk"), name=F("address"), at=F("stopped_at"))


@waits("webhooks.stopped")
def stopped(asked: Asked) -> Iterator[Waiting]:
    """Yield each webhook that was stopped after a day of failures, the latest first."""
    for hook in sorted(asked.facts("stopped_webhooks"), key=attrgetter("at"), reverse=True):
        yield Waiting(
            id=f"webhook-{hook.id}",
            title="A webhook was stopped",
            note=f"{hook.name} failed for a day",
            to="/app/settings#programs",
            count=1,
            since=hook.at,
            is_pressing=True,
        )
