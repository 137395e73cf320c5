from typing import Annotated, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.core.api.fields import ListOf, WebAddress
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import ApiView
from apps.core.clock import now
from apps.webhooks.models import Delivery, Webhook
from apps.webhooks.rules import EVENTS
from apps.webhooks.services.sending import send_again
from apps.webhooks.services.webhooks import make_webhook, resume

MOST_SHOWN = 100


class NewWebhook(serializers.Serializer[Webhook]):
    address = WebAddress(max_length=500)
    events = ListOf(
        child=serializers.ChoiceField(choices=EVENTS), min_length=1, max_length=len(EVENTS)
    )


class WebhookRow(AnswerSerializer):
    id: int
    address: str
    events: list[str]
    failingSince = serializers.DateTimeField(source="failing_since", allow_null=True)
    stoppedAt = serializers.DateTimeField(
        source="stopped_at", allow_null=True, help_text="after a day of failures"
    )
    createdAt = serializers.DateTimeField(source="created_at")


class NewWebhookRow(WebhookRow):
    secret: Annotated[str, "its calls are signed with it; it is shown this once"]


class DeliveryRow(AnswerSerializer):
    id: int
    event_id: str
    event: str
    about: str
    attempts: int
    told: Annotated[str, "the last answer"]
    createdAt = serializers.DateTimeField(source="created_at")
    dueAt = serializers.DateTimeField(
        source="due_at", allow_null=True, help_text="null: delivered or given up"
    )
    deliveredAt = serializers.DateTimeField(source="delivered_at", allow_null=True)


def _mine(request: Request, pk: int) -> Webhook:
    found: Any = get_object_or_404(Webhook.objects.owned_by(request.user), pk=pk)
    return found


class WebhooksView(ApiView):
    applies_once = False  # it answers with a secret, which must not be stored

    @extend_schema(responses=WebhookRow(many=True))
    def get(self, request: Request) -> Response:
        """Return the webhooks, newest first."""
        found = Webhook.objects.owned_by(request.user).order_by("-pk")
        return Response(WebhookRow(found, many=True).data)

    @extend_schema(request=NewWebhook, responses={201: NewWebhookRow})
    def post(self, request: Request) -> Response:
        """Make a webhook; its secret is in this answer only."""
        given = self.validated(NewWebhook, request.data)
        hook, secret = make_webhook(owner=store_of(request), **given)
        row = {**WebhookRow(hook).data, "secret": secret}
        return Response(row, status=status.HTTP_201_CREATED)


class WebhookView(ApiView):
    @extend_schema(responses={200: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a webhook with its log."""
        _mine(request, pk).delete()
        return Response(None)


class ResumeView(ApiView):
    @extend_schema(request=None, responses=WebhookRow)
    def post(self, request: Request, pk: int) -> Response:
        """Call a stopped webhook again."""
        resume(_mine(request, pk))
        return Response(WebhookRow(_mine(request, pk)).data)


class DeliveriesView(ApiView):
    @extend_schema(responses=DeliveryRow(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the latest deliveries of a webhook, at most 100. They are kept for 30 days."""
        found = Delivery.objects.filter(webhook=_mine(request, pk)).order_by("-pk")
        return Response(DeliveryRow(found[:MOST_SHOWN], many=True).data)


class SendAgainView(ApiView):
    @extend_schema(request=None, responses=DeliveryRow)
    def post(self, request: Request, pk: int, delivery: int) -> Response:
        """Send a delivery again, with its old id."""
        rows = Delivery.objects.filter(webhook=_mine(request, pk))
        row = get_object_or_404(rows, pk=delivery)
        send_again(row, now=now())
        return Response(DeliveryRow(rows.get(pk=delivery)).data)
