"""`manage.py unknown_items`: which catalogue file would name how many unknown items."""

from typing import Any

from apps.core.management.command import OperatorCommand
from apps.inventory.selectors.missing_files import missing_files

HELP = """\
Count what people have in stock and the catalogue does not know, by the file of BrickLink's
catalogue downloads that may name it. Import a newer copy of that file with import_catalog.

The counts are the most that a file can name: some numbers are of people's own items, or are
misspelt. Items that are known by now are named on the page of unknown items of each person.
"""


class Command(OperatorCommand):
    help = HELP

    def handle(self, *args: Any, **options: Any) -> None:
        found = missing_files()
        if not found:
            self.stdout.write("The catalogue knows everything in stock.")
            return
        self.stdout.write(f"{'file':<26} {'numbers':>9} {'lots':>9} {'people':>9}")
        for one in found:
            self.stdout.write(
                f"{one.file:<26} {len(one.numbers):>9,} {one.lots:>9,} {len(one.people):>9,}"
            )
