"""`manage.py check_ledger`: prove that quantities, ledger, promises and counters agree."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from apps.accounts.selectors import owner_named
from apps.core.management.command import OperatorCommand
from apps.inventory.services.ledger_check import LedgerReport, check_ledger

HELP = """\
Compare the quantity of every inventory row with the sum of its movements, its promised pieces
with what lines of orders were promised of it, the counters of every location (pieces, grams) with
the sums of the rows in it, and the figures that are kept for the home page with the rows that they
sum up. Every difference is printed.

  manage.py check_ledger                          all users
  manage.py check_ledger --user ann@example.org   one user
  manage.py check_ledger --fix-counters           set wrong counters to what the rows say

Quantities and promised pieces are never changed: which side is wrong is for a person to find.
Exit code 0: all agrees (now). 1: something does not. 2: the command was called wrongly.
"""


class Command(OperatorCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", metavar="EMAIL", help="only what this user owns")
        parser.add_argument("--fix-counters", action="store_true", help="put wrong counters right")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = None
        if options["user"]:
            owner = owner_named(options["user"])
        report = check_ledger(owner=owner, fix_counters=options["fix_counters"])
        self._tell(report)
        if not report.is_sound:
            raise CommandError("The ledger does not agree.", returncode=1)

    def _tell(self, report: LedgerReport) -> None:
        for row in report.quantities:
            self.stdout.write(
                f"row {row.item_id} (user {row.owner_id}): quantity {row.quantity}, "
                f"movements say {row.booked}"
            )
        for held in report.promises:
            self.stdout.write(
                f"row {held.item_id} (user {held.owner_id}): promised {held.promised}, "
                f"its promises say {held.held}"
            )
        for wrong in report.counters:
            self.stdout.write(
                f"location {wrong.location_id} {wrong.name!r} (user {wrong.owner_id}): "
                f"counts {wrong.item_count} pieces and {wrong.stored_weight} g, "
                f"holds {wrong.pieces} and {wrong.grams} g"
            )
        for sums in report.figures:
            self.stdout.write(
                f"stock figures (user {sums.owner_id}), part {sums.part} {sums.item_type!r}: "
                f"kept are {sums.kept}; the rows hold {sums.rows}"
            )
        if report.fixed:
            self.stdout.write(f"{report.fixed} counters put right.")
        if report.is_sound:
            self.stdout.write("Quantities, ledger and counters agree.")
