"""The listings app: lists stock for sale, removes it from sale, compares it with the store."""

from django.apps import AppConfig


class ListingsConfig(AppConfig):
    name = "apps.listings"
    label = "listings"
    verbose_name = "Listings"

    def ready(self) -> None:
        from functools import partial

        from apps.batches.services.lister import register_lister
        from apps.core.clock import now
        from apps.inventory.services.after_import import register_preparer
        from apps.listings.services.left_listings import has_open_calls
        from apps.listings.services.store_pull import take_in_orders_first
        from apps.listings.services.stow_and_list import StowedItems
        from apps.marketplace.services.connections import register_open_calls

        register_lister(StowedItems())
        register_open_calls(has_open_calls)
        register_preparer(partial(take_in_orders_first, clock=now))
