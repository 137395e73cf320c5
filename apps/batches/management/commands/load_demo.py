"""`manage.py load_demo`: the demo account with its store, in demo mode."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from apps.batches.services.demo import EMAIL, NoCatalogue, load_demo
from apps.core.clock import now
from apps.core.management.command import OperatorCommand

HELP = f"""\
Build the demo account ({EMAIL}, no password: the welcome page signs visitors in) with a
small store: locations, sources, batches at every stage, stock, and price figures that are
invented. Needs a catalogue; load_starter_catalog is enough.

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
            is_new = load_demo(now=now())
        except NoCatalogue as refusal:
            raise CommandError(refusal.text, returncode=2) from refusal
        self.stdout.write("The demo store is built." if is_new else "The demo store is there.")
