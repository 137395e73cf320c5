"""The day's calls: counted before each is sent, and stopped at the mark of their kind."""

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from apps.core.concurrency import claim
from apps.core.errors import DomainError, ErrorCode
from apps.core.jobs.run import Clock, JobRun
from apps.inventory.models import Channel
from apps.marketplace.models import CallDay
from apps.marketplace.providers.base import CallKind, Marketplace
from apps.marketplace.providers.lots import StoreLot, UnreadLot
from apps.marketplace.rules import KIND_NAMES, SHARES, limit_of

#: How long nothing is sent after a refusal, and which part of a day's calls is tried then: the
#: marketplace's day may begin at another hour than ours.
REFUSED_FOR: Final = dt.timedelta(hours=1)
TRIED_AGAIN: Final = 20


class BudgetSpent(DomainError):
    code = ErrorCode.RATE_LIMITED
    message = "{limit} of today's {daily} calls are used: no more for {kind} before 00:00 UTC."


class LimitReached(BudgetSpent):
    message = (
        "The marketplace refused more calls today, after {limit} of ours: other tools that use the "
        "same account count too."
    )


def spend_call(
    *,
    channel: Channel,
    kind: CallKind,
    now: dt.datetime,
    up_to: int | None = None,
    of_kind: int | None = None,
) -> None:
    """Count one call of a channel today. Raises BudgetSpent, nothing counted.

    `up_to` bounds all calls of the day, `of_kind` those of this kind. Call it outside any
    transaction: what was sent stays counted, whatever comes of it.
    """
    daily = settings.MARKETPLACE_DAILY_CALLS
    limit = limit_of(kind, daily=daily)
    limit = limit if up_to is None else min(limit, up_to)
    day = now.astimezone(dt.UTC).date()
    today = CallDay.objects.filter(channel=channel, day=day)
    one_more = {"total": F("total") + 1, str(kind): F(kind) + 1}
    room = Q(total__lt=limit)
    if of_kind is not None:
        room &= Q(**{f"{kind}__lt": of_kind})
        limit = min(limit, of_kind)
    lowered = Q(total__lt=F("allowance") * SHARES[kind] / 100)
    room &= Q(allowance=None) | lowered
    if claim(today, where=room, set=one_more):
        return
    refused = today.exclude(allowance=None).values("allowance").first()
    if refused is not None:
        again = {"allowance": F("total") + daily // TRIED_AGAIN, "refused_at": now}
        due = {"allowance": refused["allowance"], "refused_at__lte": now - REFUSED_FOR}
        if claim(today, where=due, set=again) and claim(today, where=room, set=one_more):
            return
        raise LimitReached(limit=refused["allowance"])
    if not today.exists():
        try:
            with transaction.atomic():
                CallDay.objects.create(owner_id=channel.owner_id, channel=channel, day=day)
        except IntegrityError:
            pass  # another process counted first
        if claim(today, where=room, set=one_more):
            return
    raise BudgetSpent(limit=limit, daily=daily, kind=KIND_NAMES[kind].lower())


def note_limit(*, channel: Channel) -> None:
    """Lower the allowance of the call that was counted last: other tools used the day's others."""
    last = CallDay.objects.filter(channel=channel).order_by("-day").values("pk")[:1]
    CallDay.objects.filter(pk__in=last).update(allowance=F("total"), refused_at=Now())


class StoreCalls:
    """The calls of one attempt at a job to a channel: counted, fenced, and holding the lease."""

    def __init__(self, run: JobRun, channel: Channel, clock: Clock) -> None:
        self.run = run
        self.channel = channel
        self.clock = clock

    def spend(self, kind: CallKind) -> None:
        """Count the call before it is sent, and renew the lease. Raises BudgetSpent, JobFenced."""
        spend_call(channel=self.channel, kind=kind, now=self.clock())
        self.run.state["calls"] = self.run.state.get("calls", 0) + 1
        self.run.beat()

    def read(self, store: Marketplace, **only: Any) -> list[StoreLot | UnreadLot]:
        """Read the store's lots. Raises MarketplaceError."""
        with self.run.kept_alive():  # a whole store comes in one answer, slower than a lease
            return store.lots(**only)

    def each(
        self, store: Marketplace, *, is_known: Callable[[str], bool] | None = None
    ) -> Iterator[StoreLot | UnreadLot]:
        """Yield the store's lots one by one, read by one call.

        Raises MarketplaceError, and AnsweredAsBefore where `is_known` returns True.
        """
        with self.run.kept_alive():
            yield from store.each_lot(is_known=is_known)

    def need(self, count: int) -> None:
        """Raise BudgetSpent unless so many calls are left: one that cannot be read is not sent."""
        day = self.clock().astimezone(dt.UTC).date()
        today = CallDay.objects.filter(channel=self.channel, day=day).first()
        used, daily = (today.total, today.daily) if today else (0, settings.MARKETPLACE_DAILY_CALLS)
        limit = limit_of(CallKind.STOCK, daily=daily)
        if used + count > limit:
            raise BudgetSpent(limit=limit, daily=daily, kind=KIND_NAMES[CallKind.STOCK].lower())
