"""Operators can read webhooks and deliveries, and no secret."""

from django.contrib import admin

from apps.core.operating import ReadOnlyAdmin
from apps.webhooks.models import Delivery, Webhook


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    list_display = ("address", "owner", "failures", "failing_since", "stopped_at")
    list_select_related = ("owner",)
    search_fields = ("address", "owner__email_address")
    exclude = ("sealed",)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ("event", "owner", "webhook", "attempts", "due_at", "delivered_at", "told")
    list_select_related = ("owner", "webhook")
    search_fields = ("owner__email_address", "event")
    exclude = ("body",)
