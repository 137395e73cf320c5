from importlib import import_module

from django.apps import AppConfig


class BackupsConfig(AppConfig):
    name = "apps.backups"
    label = "backups"

    def ready(self) -> None:
        import_module("apps.backups.services.backups")
