from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.catalog.services.starter import load_starter_catalog
from apps.core.clock import now


class Command(BaseCommand):
    help = (
        "Load the starter catalogue that the project carries: all colours, parts by number with "
        "their colours and element ids, sets, some minifigs. Run it again at any time: "
        "it makes what is missing and leaves the rest alone. import_catalog loads everything."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--small", action="store_true", help="only the few hundred commonest parts, in a second"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = load_starter_catalog(now=now(), whole=not options["small"])
        if loaded.anything:
            self.stdout.write(
                f"Starter catalogue: {loaded.colors} colours, {loaded.items} items, "
                f"{loaded.lots} lots, {loaded.components} set contents."
            )
