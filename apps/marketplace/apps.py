"""The marketplace app: the connection to a store, its calls and its prices."""

from django.apps import AppConfig


class MarketplaceConfig(AppConfig):
    name = "apps.marketplace"
    label = "marketplace"
    verbose_name = "Marketplace"

    def ready(self) -> None:
        from apps.catalog.services import prices
        from apps.marketplace.services import wants

        prices.refresh_before_use.provide(wants.refresh_before_use)
