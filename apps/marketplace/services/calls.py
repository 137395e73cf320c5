"""The day's calls: counted before each is sent, and stopped at the mark of their kind."""

import datetime as dt
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F

from apps.core.concurrency import claim
from apps.core.errors import DomainError, ErrorCode
from apps.marketplace.models import CallDay
from apps.marketplace.providers.base import CallKind
from apps.marketplace.rules import KIND_NAMES, limit_of


class BudgetSpent(DomainError):
    code = ErrorCode.RATE_LIMITED
    status = 429
    message = "{limit} of today's {daily} calls are used: no more for {kind} before 00:00 UTC."


def spend_call(*, owner: Any, kind: CallKind, now: dt.datetime, up_to: int | None = None) -> None:
    """Count one call of today. Raises BudgetSpent, nothing counted. 1 query, 2 on a new day.

    Call it outside any transaction: what was sent stays counted, whatever comes of it.
    """
    daily = settings.MARKETPLACE_DAILY_CALLS
    limit = limit_of(kind, daily=daily)
    limit = limit if up_to is None else min(limit, up_to)
    day = now.astimezone(dt.UTC).date()
    today = CallDay.objects.filter(owner=owner, day=day)
    one_more = {"total": F("total") + 1, str(kind): F(kind) + 1}
    if claim(today, where={"total__lt": limit}, set=one_more):
        return
    if not today.exists():
        try:
            with transaction.atomic():
                CallDay.objects.create(owner=owner, day=day)
        except IntegrityError:
            pass  # another process counted first
        if claim(today, where={"total__lt": limit}, set=one_more):
            return
    raise BudgetSpent(limit=limit, daily=daily, kind=KIND_NAMES[kind].lower())
