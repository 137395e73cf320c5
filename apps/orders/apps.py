"""The orders app: orders from their sale to picking, packing and shipping."""

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "apps.orders"
    label = "orders"
    verbose_name = "Orders"

    def ready(self) -> None:
        from apps.inventory.services.after_import import register_follower
        from apps.marketplace.services.arrivals import register_order_reader
        from apps.orders.services.pulling import read_store_orders
        from apps.orders.services.serving import serve_lacking

        register_order_reader(read_store_orders)
        register_follower(serve_lacking)
