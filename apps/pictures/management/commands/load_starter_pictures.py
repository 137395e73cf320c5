from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.pictures.services.starter import load_starter_pictures


class Command(BaseCommand):
    help = (
        "Load the pictures that the project carries and give every part the one that shows it. "
        "Run it again at any time, after import_catalog too: it makes what is missing and leaves "
        "the rest alone. render_pictures draws the rest from the LDraw parts library."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--small", action="store_true", help="only those of the few hundred commonest parts"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        made, _ = load_starter_pictures(whole=not options["small"])
        if made:
            self.stdout.write(f"Starter pictures: {made}. Models: The LDraw Parts Library.")
