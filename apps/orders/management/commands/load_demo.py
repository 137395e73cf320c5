"""`manage.py load_demo`: the demo account with its store, in demo mode."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction

from apps.batches.services.demo import EMAIL, NoCatalogue, load_demo
from apps.core.clock import now
from apps.core.management.command import OperatorCommand
from apps.orders.services.demo import add_demo_orders

HELP = f"""\
Build the demo account ({EMAIL}, no password: the welcome page signs visitors in) with a
small store: locations, sources, batches at every stage, stock, and price figures that are
invented. Three orders wait to be picked. Needs a catalogue; load_starter_catalog is enough.

Does nothing where the account is there already, or with DEMO_MODE=0.

Exit code 0: the demo is there, or is not wanted. 2: there is no catalogue to build it from.
"""


class Command(OperatorCommand):
    help = HELP

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO_MODE:
            self.stdout.write("Demo mode is off: no demo account.")
            return
        try:
            with transaction.atomic():
                owner = load_demo(now=now())
                if owner is not None:
                    add_demo_orders(owner=owner, now=now())
        except NoCatalogue as refusal:
            raise CommandError(refusal.text, returncode=2) from refusal
        self.stdout.write("The demo store is built." if owner else "The demo store is there.")
