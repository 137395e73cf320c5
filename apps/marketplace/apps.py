"""The marketplace app: the connection to a store, its calls and its prices."""

from django.apps import AppConfig


class MarketplaceConfig(AppConfig):
    name = "apps.marketplace"
    label = "marketplace"
    verbose_name = "Marketplace"
