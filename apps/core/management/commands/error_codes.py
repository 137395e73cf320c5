from typing import Any

from django.core.management.base import BaseCommand

from apps.core.errors import error_page


class Command(BaseCommand):
    help = "Write the documentation page of the API's error codes to the output."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(error_page(), ending="")
