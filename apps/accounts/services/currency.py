"""The currency that an account's amounts are in."""

from typing import Final

from django.apps import apps

from apps.accounts.models import Preferences, User
from apps.core.currencies import CURRENCIES

#: The columns of a person's own amounts, named as strings since their apps are above this one.
AMOUNTS: Final = {
    "inventory.InventoryItem": "price",
    "batches.BatchItem": "price",
    "batches.Batch": "cost_total",
    "sets.UserSet": "price_paid",
}


def can_adopt_currency(*, user: User, currency: str) -> bool:
    """Whether the account has no amount yet, so that another currency changes none."""
    if currency not in CURRENCIES:
        return False
    return not any(
        apps.get_model(model)
        ._default_manager.filter(owner=user, **{f"{field}__isnull": False})
        .exists()
        for model, field in AMOUNTS.items()
    )


def adopt_currency(*, user: User, currency: str) -> bool:
    """Set the currency of an account that has no amounts yet. Return whether it was set."""
    if not can_adopt_currency(user=user, currency=currency):
        return False
    Preferences.objects.update_or_create(user=user, defaults={"currency": currency})
    return True
