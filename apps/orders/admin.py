"""Operators can read orders; only their owner changes them."""

from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.orders.models import Order, OrderHook


@admin.register(Order)
class OrderAdmin(ReadOnlyAdmin):
    list_display = ("number", "owner", "channel", "state", "ordered_at")
    list_filter = ("state", "channel")
    list_select_related = ("owner",)
    search_fields = ("number", "buyer", "owner__email_address")


@admin.register(OrderHook)
class OrderHookAdmin(ReadOnlyAdmin):
    list_display = ("owner", "created_at", "heard_at")
    list_select_related = ("owner",)
    search_fields = ("owner__email_address",)
    exclude = ("secret",)
