"""`manage.py issue_tokens EMAIL …`: sessions for scripts, past the login throttle."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import User, normal_address
from apps.accounts.selectors import user_row
from apps.accounts.services.tokens import issue_tokens
from apps.core.clock import now


class Command(BaseCommand):
    help = (
        "Print new sessions as JSON, one a line for each address (twice the same gives two): "
        "user, accessToken, refreshToken. For load and browser tests, so that the login "
        "throttle can stay as it is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email_address", nargs="+")
        parser.add_argument(
            "--create",
            metavar="NAME",
            help="make the accounts, without a usable password, that are not there",
        )

    def handle(self, *args: Any, email_address: list[str], create: str, **options: Any) -> None:
        for address in email_address:
            user = User.objects.filter(email_address=normal_address(address)).first()
            if user is None and create:
                user = User.objects.create_user(address, None, name=create)
            if user is None:
                raise CommandError(f"There is no account {address}.", returncode=2)
            pair = issue_tokens(user=user, now=now())
            row = {"user": user_row(user), "accessToken": pair.access, "refreshToken": pair.refresh}
            self.stdout.write(json.dumps(row))
