"""People for tests."""

from typing import Any

from apps.accounts.models import Preferences, User

PASSWORD = "correct horse battery"


def make_user(name: str, **also: Any) -> User:
    """Make a person whose store is in EUR."""
    user = User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.capitalize(), **also)
    Preferences.objects.create(user=user, currency="EUR")
    return user
