"""The listings app: lists stock for sale, removes it from sale, compares it with the store."""

from django.apps import AppConfig


class ListingsConfig(AppConfig):
    name = "apps.listings"
    label = "listings"
    verbose_name = "Listings"

    def ready(self) -> None:
        from apps.batches.services.lister import register_lister
        from apps.listings.services.stow_and_list import StowedItems

        register_lister(StowedItems())
