"""The orders app: orders from their sale to picking, packing and shipping."""

from django.apps import AppConfig


class OrdersConfig(AppConfig):
    name = "apps.orders"
    label = "orders"
    verbose_name = "Orders"

    def ready(self) -> None:
        from apps.marketplace.services.arrivals import register_order_reader
        from apps.orders.services.pulling import read_store_orders

        register_order_reader(read_store_orders)
