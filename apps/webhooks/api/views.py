from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.webhooks.api import serializers as wire
from apps.webhooks.models import Delivery, Webhook
from apps.webhooks.services.sending import send_again
from apps.webhooks.services.webhooks import make_webhook, resume

MOST_SHOWN = 100


def _mine(request: Request, pk: int) -> Webhook:
    found: Any = get_object_or_404(Webhook.objects.owned_by(request.user), pk=pk)
    return found


class WebhooksView(ApiView):
    applies_once = False  # it answers with a secret, which must not be stored

    @extend_schema(responses=wire.WebhookRow(many=True))
    def get(self, request: Request) -> Response:
        """Return the webhooks, newest first."""
        found = Webhook.objects.owned_by(request.user).order_by("-pk")
        return Response(wire.WebhookRow(found, many=True).data)

    @extend_schema(request=wire.NewWebhook, responses={201: wire.NewWebhookRow})
    def post(self, request: Request) -> Response:
        """Make a webhook; its secret is in this answer only."""
        given = self.validated(wire.NewWebhook, request.data)
        hook, secret = make_webhook(owner=store_of(request), **given)
        row = {**wire.WebhookRow(hook).data, "secret": secret}
        return Response(row, status=status.HTTP_201_CREATED)


class WebhookView(ApiView):
    @extend_schema(responses={200: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a webhook with its log."""
        _mine(request, pk).delete()
        return Response(None)


class ResumeView(ApiView):
    @extend_schema(request=None, responses=wire.WebhookRow)
    def post(self, request: Request, pk: int) -> Response:
        """Call a stopped webhook again."""
        resume(_mine(request, pk))
        return Response(wire.WebhookRow(_mine(request, pk)).data)


class DeliveriesView(ApiView):
    @extend_schema(responses=wire.DeliveryRow(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the latest deliveries of a webhook, at most 100. They are kept for 30 days."""
        found = Delivery.objects.filter(webhook=_mine(request, pk)).order_by("-pk")
        return Response(wire.DeliveryRow(found[:MOST_SHOWN], many=True).data)


class SendAgainView(ApiView):
    @extend_schema(request=None, responses=wire.DeliveryRow)
    def post(self, request: Request, pk: int, delivery: int) -> Response:
        """Send a delivery again, with its old id."""
        rows = Delivery.objects.filter(webhook=_mine(request, pk))
        row = get_object_or_404(rows, pk=delivery)
        send_again(row, now=now())
        return Response(wire.DeliveryRow(rows.get(pk=delivery)).data)
