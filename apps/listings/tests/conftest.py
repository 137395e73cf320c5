"""The demo store over real HTTP, as the marketplace's own tests have it."""

from apps.marketplace.tests.conftest import (
    KeptStores,
    connected,
    no_pauses,
    owl,
    owl_server,
    seller,
    store,
    store_server,
    unused_address,
)

__all__ = [
    "KeptStores",
    "connected",
    "no_pauses",
    "owl",
    "owl_server",
    "seller",
    "store",
    "store_server",
    "unused_address",
]
