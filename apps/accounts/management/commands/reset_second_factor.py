"""`manage.py reset_second_factor EMAIL`: the way back in for who has lost every factor."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.accounts.selectors import owner_named
from apps.accounts.services.second_factor import reset_factors
from apps.core.clock import now


class Command(BaseCommand):
    help = (
        "Remove the authenticator app, the passkeys, the recovery codes and the remembered "
        "devices of an account, so that its password is enough. Make sure first that it is its "
        "owner who asks. It is logged, and mailed where mail is set up."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email_address")

    def handle(self, *args: Any, email_address: str, **options: Any) -> None:
        user = owner_named(email_address)
        removed = reset_factors(user=user, now=now())
        self.stdout.write(
            f"{user.email_address} signs in with the password alone."
            if removed
            else f"{user.email_address} has no second factor."
        )
