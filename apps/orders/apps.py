"""The orders app: orders from their sale to picking, packing and shipping."""

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "apps.orders"
    label = "orders"
    verbose_name = "Orders"

    def ready(self) -> None:
        from apps.inventory.services.after_import import follow_import
        from apps.marketplace import selectors
        from apps.marketplace.services.arrivals import read_orders
        from apps.orders.selectors.sold_twice import orders_close_together
        from apps.orders.services.pulling import read_store_orders
        from apps.orders.services.serving import serve_lacking

        selectors.orders_close_together.provide(orders_close_together)
        read_orders.provide(read_store_orders)
        follow_import.provide(serve_lacking)
