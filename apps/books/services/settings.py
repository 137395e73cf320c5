"""Change how a person's books are kept."""

from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.books.models import BooksSetting, Invoice, default_accounts
from apps.core.errors import ValueRefused


@transaction.atomic
def change_setting(*, user: User, changes: dict[str, Any]) -> BooksSetting:
    """Store the changes and return the setting. Raises ValueRefused."""
    setting, _ = BooksSetting.objects.get_or_create(user=user)
    first = changes.get("first_serial", setting.first_serial)
    if first != setting.first_serial and Invoice.objects.owned_by(user).exists():
        raise ValueRefused(
            fields={"first_serial": ["invoices are issued: the series goes on without a gap"]}
        )
    if "accounts" in changes:
        changes = {**changes, "accounts": default_accounts() | changes["accounts"]}
    for name, value in changes.items():
        setattr(setting, name, value)
    setting.save(update_fields=[*changes, "updated_at"])
    return setting
