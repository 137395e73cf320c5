"""The user that an operator names in a command."""

from django.core.management.base import CommandError

from apps.accounts.models import User, normal_address


def owner_named(address: str) -> User:
    """Return the user with this address. Raises CommandError."""
    owner = User.objects.filter(email_address=normal_address(address)).first()
    if owner is None:
        raise CommandError(f"There is no user {address}.", returncode=2)
    return owner
