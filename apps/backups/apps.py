from django.apps import AppConfig


class BackupsConfig(AppConfig):
    name = "apps.backups"
    label = "backups"

    def ready(self) -> None:
        from apps.backups.services.backups import delete_backups
        from apps.orders.services.forgetting import delete_copies

        delete_copies.provide(delete_backups)
