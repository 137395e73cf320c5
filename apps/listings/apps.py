"""The listings app: what is put up for sale, taken off sale, and compared with the store."""

from django.apps import AppConfig


class ListingsConfig(AppConfig):
    name = "apps.listings"
    label = "listings"
    verbose_name = "Listings"

    def ready(self) -> None:
        from apps.batches.services.lister import register_lister
        from apps.listings.services.stow_and_list import StowedItems

        register_lister(StowedItems())
