"""The listings app: lists stock for sale, removes it from sale, compares it with the store."""

from django.apps import AppConfig


class ListingsConfig(AppConfig):
    name = "apps.listings"
    label = "listings"
    verbose_name = "Listings"

    def ready(self) -> None:
        from functools import partial

        from apps.batches.services import stowing
        from apps.core.clock import now
        from apps.inventory.services.after_import import prepare_import
        from apps.listings.services import left_listings, listing
        from apps.listings.services.store_pull import take_in_orders_first
        from apps.marketplace.services import connections

        stowing.list_stowed.provide(listing.list_stowed)
        connections.has_open_calls.provide(left_listings.has_open_calls)
        prepare_import.provide(partial(take_in_orders_first, clock=now))
