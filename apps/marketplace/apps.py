"""The marketplace app: the connection to a store, its calls and its prices."""

from importlib import import_module

from django.apps import AppConfig


class MarketplaceConfig(AppConfig):
    name = "apps.marketplace"
    label = "marketplace"
    verbose_name = "Marketplace"

    def ready(self) -> None:
        # It registers how figures are refreshed.
        import_module("apps.marketplace.services.wants")
