"""The currency that an account's amounts are in."""

from collections.abc import Mapping
from typing import Final

from django.apps import apps

from apps.accounts.models import Preferences, User
from apps.core.currencies import CURRENCIES

_OF_A_LOT: Final = ("price", "cost", "tp1", "tp2", "tp3")
#: The columns of a person's own amounts, named as strings since their apps are above this one. The
#: first one is null without an amount.
AMOUNTS: Final[Mapping[str, tuple[str, ...]]] = {
    "batches.BatchItem": _OF_A_LOT,
    "batches.Batch": ("cost_total",),
    "inventory.InventoryItem": _OF_A_LOT,
    "sets.UserSet": ("price_paid",),
}


def has_amounts(*, user: User) -> bool:
    """Whether the account has an amount that another currency would change."""
    return any(
        apps.get_model(model)
        ._default_manager.filter(owner=user, **{f"{columns[0]}__isnull": False})
        .exists()
        for model, columns in AMOUNTS.items()
    )


def can_adopt_currency(*, user: User, currency: str) -> bool:
    """Whether the account has no amount yet, so that another currency changes none."""
    return currency in CURRENCIES and not has_amounts(user=user)


def adopt_currency(*, user: User, currency: str) -> bool:
    """Set the currency of an account that has no amounts yet. Return whether it was set."""
    if not can_adopt_currency(user=user, currency=currency):
        return False
    Preferences.objects.update_or_create(user=user, defaults={"currency": currency})
    return True
