"""The connection, its calls and price refreshes on the wire."""

from typing import Any

from rest_framework import serializers

from apps.core.api.fields import WholeNumber
from apps.marketplace.providers.base import Secrets
from apps.marketplace.services.refreshes import MOST_LOTS

STATES = ["none", "untested", "ok", "refused"]


class AllowanceRow(serializers.Serializer[Any]):
    kind = serializers.CharField()
    name = serializers.CharField()
    used = serializers.IntegerField()
    limit = serializers.IntegerField(
        help_text="of all calls of the day; beyond it, none of this kind"
    )
    left = serializers.IntegerField()


class CallsRow(serializers.Serializer[Any]):
    used = serializers.IntegerField()
    limit = serializers.IntegerField()
    resetsAt = serializers.DateTimeField()
    kinds = AllowanceRow(many=True)


class ConnectionRow(serializers.Serializer[Any]):
    """A connection as it is told: never with its secrets."""

    marketplace = serializers.CharField()
    marketplace_name = serializers.CharField()
    is_demo = serializers.BooleanField(help_text="calls go to the demo store, not to BrickLink")
    state = serializers.ChoiceField(choices=STATES)
    problem = serializers.CharField()
    outgoing_address = serializers.CharField(
        help_text="ours as the marketplace saw it, when it refused a token bound to another"
    )
    connectedAt = serializers.DateTimeField(allow_null=True)
    testedAt = serializers.DateTimeField(allow_null=True)
    calls = CallsRow()


def _secret(help_text: str) -> serializers.RegexField:
    return serializers.RegexField(
        r"^[A-Za-z0-9]+$",
        min_length=8,
        max_length=128,
        write_only=True,
        help_text=help_text,
        error_messages={"invalid": "Letters and digits only, as the marketplace shows it."},
    )


class SecretsWrite(serializers.Serializer[Any]):
    """The four secrets of the marketplace's registration page. They are never sent back."""

    consumer_key = _secret("ConsumerKey")
    consumer_secret = _secret("ConsumerSecret")
    token = _secret("TokenValue")
    token_secret = _secret("TokenSecret")

    def secrets(self) -> Secrets:
        """Return what was told, once it is valid."""
        return Secrets(**self.validated_data)


class RefreshWrite(serializers.Serializer[Any]):
    """Which lots' prices to ask for."""

    lot_ids = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=2**63 - 1), min_length=1, max_length=MOST_LOTS
    )
