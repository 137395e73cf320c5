"""Hints of a marketplace that orders changed. Each hint makes the app read the store."""

import datetime as dt
import hmac
from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.db import transaction

from apps.accounts.models import User
from apps.core.errors import NotFound
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.services.connections import tell_demo_store
from apps.orders.models import OrderHook
from apps.orders.models.hook import new_secret
from apps.orders.services.pulling import start_pull

PATH: Final = "/api/hooks/orders/"
#: More hints at once than this, and the list of orders is read in their place.
MOST_NAMED: Final = 20


def address_of(hook: OrderHook) -> str:
    """Return the address that a seller enters at the marketplace."""
    return f"{settings.PUBLIC_URL}{PATH}{hook.secret}"


def hook_of(*, owner: User) -> OrderHook | None:
    """Return the person's address for hints, if there is one."""
    return OrderHook.objects.owned_by(owner).first()


def make_hook(*, owner: User) -> OrderHook:
    """Make an address, in place of an earlier one, which is deaf from then on.

    Sent to the demo store; at the real one a person enters it. Raises MarketplaceFailed.
    """
    with transaction.atomic():
        hook, _ = OrderHook.objects.update_or_create(
            owner=owner, defaults={"secret": new_secret(), "heard_at": None}
        )
        tell_demo_store(owner=owner, hook=address_of(hook))
    return hook


def forget_hook(*, owner: User) -> None:
    """Listen to no hints any more; orders still come with each reading of the store."""
    OrderHook.objects.owned_by(owner).delete()
    tell_demo_store(owner=owner, hook="")


def is_address(*, secret: str) -> bool:
    """Return whether somebody's address for hints holds this secret."""
    return OrderHook.objects.filter(secret=secret).exists()


def receive_notice(*, secret: str, order_ids: Sequence[int], now: dt.datetime) -> bool:
    """Start reading the orders that a notice names; return whether a job was started.

    The notice's content is not trusted. Raises NotFound for an unknown address.
    """
    hook = OrderHook.objects.filter(secret=secret).select_related("owner").first()
    if hook is None or not hmac.compare_digest(hook.secret, secret):
        raise NotFound
    OrderHook.objects.filter(pk=hook.pk).update(heard_at=now)
    if not order_ids or not MarketplaceConnection.objects.owned_by(hook.owner).exists():
        return False
    named = sorted(set(order_ids))
    start_pull(owner=hook.owner, now=now, order_ids=named if len(named) <= MOST_NAMED else ())
    return True
