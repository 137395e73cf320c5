"""Make, change and remove webhooks."""

import base64
import secrets
from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.services.users import DemoIsShared
from apps.core.errors import StateConflict, ValueRefused
from apps.core.sealing import seal_text
from apps.webhooks.models import Webhook
from apps.webhooks.services.events import start_sending

MOST: Final = 10
SECRET_BYTES: Final = 32


class TooManyWebhooks(StateConflict):
    message = "You have {most} webhooks. Remove one that is no longer used."


def make_webhook(*, owner: User, address: str, events: Sequence[str]) -> tuple[Webhook, str]:
    """Make a webhook; return it with its secret, which is shown once.

    Raises DemoIsShared, TooManyWebhooks, ValueRefused.
    """
    if owner.is_demo:
        raise DemoIsShared
    if not address.startswith("https://") and not settings.WEBHOOKS_TO_PRIVATE:
        raise ValueRefused(fields={"address": ["must begin with https://"]})
    if Webhook.objects.owned_by(owner).count() >= MOST:
        raise TooManyWebhooks(most=MOST)
    secret = f"whsec_{base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"
    hook = Webhook.objects.create(
        owner=owner, address=address, events=sorted(set(events)), sealed=seal_text(secret)
    )
    return hook, secret


@transaction.atomic
def resume(hook: Webhook) -> None:
    """Call a stopped webhook again, beginning with what was not given up."""
    Webhook.objects.filter(pk=hook.pk).update(
        stopped_at=None, failing_since=None, failures=0, not_before=None
    )
    start_sending([hook.pk])
