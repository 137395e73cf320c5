"""How far getting prices is, and what came of asking: of a batch and a set too."""

import datetime as dt
import uuid
from typing import Annotated, Any

from rest_framework import serializers

from apps.accounts.models import User
from apps.core.api.serializers import AnswerSerializer
from apps.core.clock import now
from apps.core.jobs.models import JobState
from apps.marketplace.selectors import price_run_row
from apps.marketplace.services.wants import Asked

STATES = ["none", *JobState.values]


class PriceRunRow(AnswerSerializer):
    """How far *Get prices* is."""

    job_id: uuid.UUID | None
    state = serializers.ChoiceField(choices=STATES)
    message: Annotated[str, "what it waits for, or why it failed"]
    lots_done: int
    lots_left: int
    lots_failed: Annotated[int, "those the marketplace does not know"]
    waitsUntil: dt.datetime | None
    expectedAt: Annotated[dt.datetime | None, "when it will be done"]
    share: Annotated[int, "percent of a day's calls that it may use"]
    calls_a_day: int
    calls_left_today: int


class WantedPricesRow(PriceRunRow):
    """What came of asking: of these lots, how many are waited for and known already."""

    lots_wanted: int
    lots_known: Annotated[int, "their figures are of the last six hours"]
    lots_unknown: Annotated[int, "the marketplace does not know them"]


def wanted_row(asked: Asked, owner: User) -> dict[str, Any]:
    """Return the wire form of what came of asking."""
    return {
        **price_run_row(owner=owner, now=now()),
        "lots_wanted": asked.lots,
        "lots_known": asked.known,
        "lots_unknown": asked.unknown,
    }
