from typing import Any

from django.core.management.base import BaseCommand

from apps.catalog.services.starter import load_starter_catalog
from apps.core.clock import now


class Command(BaseCommand):
    help = (
        "Load the starter catalogue that the project carries: all colours, a few hundred of the "
        "commonest parts with their weights, some sets and minifigs. Run it again at any time: "
        "it makes what is missing and leaves the rest alone. import_catalog loads everything."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        loaded = load_starter_catalog(now=now())
        if loaded.anything:
            self.stdout.write(
                f"Starter catalogue: {loaded.colors} colours, {loaded.items} items, "
                f"{loaded.lots} lots, {loaded.components} set contents."
            )
