from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    name = "apps.accounts"
    label = "accounts"

    def ready(self) -> None:
        post_migrate.connect(make_roles_at_the_end, dispatch_uid="accounts.make_roles")


def make_roles_at_the_end(sender: AppConfig, **_: Any) -> None:
    """Grant the staff's groups their rights once the last app has made its own."""
    if sender is [config for config in apps.get_app_configs() if config.models_module][-1]:
        from apps.accounts.services.roles import make_roles

        make_roles()
