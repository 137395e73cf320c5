"""An account as the browser keeps it."""

import datetime as dt
from typing import Any

from apps.accounts.models import User


def user_row(user: User) -> dict[str, Any]:
    """Return the account under its wire names: what the API and `issue_tokens` tell. 0 queries."""
    return {
        "id": user.pk,
        "email_address": user.email_address,
        "name": user.name,
        "is_staff": user.is_staff,
        "is_demo": user.is_demo,
        "createdAt": _instant_text(user.created_at),
        "updatedAt": _instant_text(user.updated_at),
    }


def _instant_text(instant: dt.datetime) -> str:
    utc = instant.astimezone(dt.UTC).replace(tzinfo=None)
    return f"{utc.isoformat(timespec='microseconds')}Z"
