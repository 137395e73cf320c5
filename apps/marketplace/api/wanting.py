"""How far getting prices is, and what came of asking: of a batch and a set too."""

from typing import Any

from rest_framework import serializers

from apps.accounts.models import User
from apps.core.clock import now
from apps.core.jobs.models import JobState
from apps.marketplace.selectors import price_run_row
from apps.marketplace.services.wants import Asked

STATES = ["none", *JobState.values]


class PriceRunRow(serializers.Serializer[Any]):
    """How far *Get prices* is."""

    job_id = serializers.UUIDField(allow_null=True)
    state = serializers.ChoiceField(choices=STATES)
    message = serializers.CharField(help_text="what it waits for, or why it failed")
    lots_done = serializers.IntegerField()
    lots_left = serializers.IntegerField()
    lots_failed = serializers.IntegerField(help_text="those the marketplace does not know")
    waitsUntil = serializers.DateTimeField(allow_null=True)
    expectedAt = serializers.DateTimeField(allow_null=True, help_text="when it will be done")
    share = serializers.IntegerField(help_text="percent of a day's calls that it may use")
    calls_a_day = serializers.IntegerField()
    calls_left_today = serializers.IntegerField()


class WantedPricesRow(PriceRunRow):
    """What came of asking: of these lots, how many are waited for and known already."""

    lots_wanted = serializers.IntegerField()
    lots_known = serializers.IntegerField(help_text="their figures are of the last days")
    lots_unknown = serializers.IntegerField(help_text="the marketplace does not know them")


def wanted_row(asked: Asked, owner: User) -> dict[str, Any]:
    """Return the wire form of what came of asking."""
    return {
        **price_run_row(owner=owner, now=now()),
        "lots_wanted": asked.lots,
        "lots_known": asked.known,
        "lots_unknown": asked.unknown,
    }
