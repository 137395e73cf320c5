"""Webhooks and deliveries on the wire."""

from typing import Annotated

from rest_framework import serializers

from apps.core.api.fields import ListOf, WebAddress
from apps.core.api.serializers import AnswerSerializer
from apps.webhooks.models import Webhook
from apps.webhooks.rules import EVENTS


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
