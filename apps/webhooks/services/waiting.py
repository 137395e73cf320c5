"""What waits at the webhooks: those that were stopped."""

from collections.abc import Iterator

from apps.core.waiting import MOST_OF_A_KIND, Asked, Waiting, waits
from apps.webhooks.models import Webhook


@waits("webhooks.stopped")
def stopped(asked: Asked) -> Iterator[Waiting]:
    """Yield each webhook that was stopped after a day of failures."""
    hooks = Webhook.objects.filter(owner=asked.owner, stopped_at__isnull=False)
    for hook in hooks.order_by("-stopped_at")[:MOST_OF_A_KIND]:
        yield Waiting(
            id=f"webhook-{hook.pk}",
            title="A webhook was stopped",
            note=f"{hook.address} failed for a day",
            to="/app/settings#programs",
            count=1,
            since=hook.stopped_at,
            is_pressing=True,
        )
