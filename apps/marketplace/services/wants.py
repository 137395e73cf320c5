"""Requests for the prices of many lots: rows that one job works through."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.models import Lot
from apps.catalog.rules.kinds import REBRICKABLE_COLOR_BASE
from apps.catalog.rules.pricing import USED_FOR
from apps.catalog.selectors.pricing import market_figures, price_setting_of, rule_of
from apps.catalog.services.prices import Used
from apps.core.jobs.dispatch import cancel_job, start_job
from apps.core.jobs.models import Job, JobState
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.marketplace.models import ConnectionState, MarketplaceConnection, PriceWant
from apps.marketplace.providers.known import WITH_PRICES
from apps.marketplace.rules.wants import GUESS, Wanted, age_of, half_to_ask, urgency
from apps.marketplace.selectors import GET_PRICES, price_run_row, unknown_lots
from apps.marketplace.services.connections import connection_of, ensure_prices

KIND: Final = GET_PRICES
AT_ONCE: Final = 2_000
MOST_WANTED: Final = 5_000
#: How long nothing starts *Get prices* by itself after a person stopped it.
STOPPED_FOR: Final = dt.timedelta(hours=1)
Pair = tuple[int, str]  # lot id, condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The result of a request: lots that wait, lots already known, lots without any price."""

    lots: int = 0
    known: int = 0
    unknown: int = 0
    job: Job | None = None


def want_prices(
    *, owner: User, wanted: Iterable[Wanted], now: dt.datetime, is_unasked: bool = False
) -> Asked:
    """Have the prices of lots asked for as the owner's price rule needs them. Raises NotConnected, NoPricesThere.

    Figures of the last six hours are good enough, those of the last days where nobody asked, and
    what the marketplace did not know lately is not asked for again. In the demo whoever has no store gets the demo store.
    """
    ensure_prices(owner=owner, now=now)
    lots = _merged(wanted)
    rule = rule_of(price_setting_of(user=owner))
    currency = currency_of(owner)
    known = market_figures(lots, owner=owner, region=rule.region, currency=currency)
    nobody_knows = unknown_lots(
        {lot_id for lot_id, _ in lots}, owner=owner, currency=currency, now=now
    )
    to_ask = [
        pair
        for pair in lots
        if pair[0] not in nobody_knows
        and half_to_ask(rule, known[pair], now=now, is_unasked=is_unasked) is not None
    ]
    named = {pair[0] for pair in to_ask}
    there = set(
        Lot.objects.visible_to(owner)
        .filter(pk__in=named, color_id__lt=REBRICKABLE_COLOR_BASE)
        .values_list("pk", flat=True)
        if named
        else ()
    )
    rows = [
        PriceWant(
            owner=owner,
            lot_id=pair[0],
            condition=pair[1],
            is_unasked=is_unasked,
            urgency=urgency(
                quantity=lots[pair][0],
                price=lots[pair][1],
                age=age_of(rule, known[pair], now=now),
            ),
        )
        for pair in to_ask
        if pair[0] in there
    ]
    unknown = sum(lot_id in nobody_knows for lot_id, _ in lots) + len(to_ask) - len(rows)
    return Asked(
        lots=len(rows),
        known=len(lots) - len(rows) - unknown,
        unknown=unknown,
        job=_queue(owner, rows, is_unasked=is_unasked),
    )


def refresh_before_use(*, owner: User, wanted: Sequence[Used], now: dt.datetime) -> int:
    """Have old figures asked for before they are used; return of how many lots new ones come soon.

    As many as today's calls allow, the most money first. None where there is no store to ask, or
    where *Get prices* waits, or was stopped or failed within the hour. Called again meanwhile it
    only looks.
    """
    if not wanted:
        return 0
    stores = MarketplaceConnection.objects.owned_by(owner).filter(
        channel__marketplace__in=WITH_PRICES
    )
    last = Job.objects.filter(owner=owner, kind=KIND).order_by("-created_at").first()
    if not stores.exclude(state=ConnectionState.REFUSED).exists() or _rests(last, now):
        return 0
    wants = PriceWant.objects.owned_by(owner).filter(is_unasked=False)
    waiting = set(wants.values_list("lot_id", "condition"))
    # Those that had no answer are not asked for again and again.
    failed = (
        {each["id"] for each in last.failed}
        if last and _ended_within(last, USED_FOR, now)
        else set()
    )
    dearest = sorted(wanted, key=lambda one: one.quantity * (one.price or GUESS), reverse=True)
    new = [
        Wanted(one.lot_id, one.condition, one.quantity, one.price)
        for one in dearest
        if (one.lot_id, one.condition) not in waiting and one.lot_id not in failed
    ]
    left = price_run_row(owner=owner, now=now)["calls_left_today"] - len(waiting)
    if new and left > 0:
        want_prices(owner=owner, wanted=new[:left], now=now)
        waiting = set(wants.values_list("lot_id", "condition"))
    return len({(one.lot_id, one.condition) for one in wanted} & waiting)


def _rests(last: Job | None, now: dt.datetime) -> bool:
    """Return whether *Get prices* waits, or was stopped lately."""
    if last is None:
        return False
    if last.state in (JobState.QUEUED, JobState.RUNNING):
        return last.cancel_requested or (last.not_before is not None and last.not_before > now)
    return last.state != JobState.SUCCEEDED and _ended_within(last, STOPPED_FOR, now)


def _ended_within(job: Job, time: dt.timedelta, now: dt.datetime) -> bool:
    """Return whether it ended no longer ago, or has not ended."""
    return job.finished_at is None or now - job.finished_at < time


def resume_prices(*, owner: User, now: dt.datetime) -> Job | None:
    """Continue with the wanted prices; None without any. Raises NotConnected, NoPricesThere."""
    ensure_prices(owner=owner, now=now)
    _wake(owner)
    return _queue(owner, [], is_unasked=False)


@transaction.atomic
def stop_prices(*, owner: User) -> int:
    """Stop waiting for prices; return how many were wanted. Received figures are kept."""
    left: int = PriceWant.objects.owned_by(owner).filter(is_unasked=False).count()
    for job in Job.objects.unfinished().filter(owner=owner, kind=KIND, cancel_requested=False):
        cancel_job(job=job)
    forget_wants(owner=owner)
    return left


def forget_wants(*, owner: User) -> None:
    """Wait for no price any more."""
    PriceWant.objects.owned_by(owner).delete()


def change_guide_share(
    *, owner: User, share: int, now: dt.datetime, marketplace: str | None = None
) -> MarketplaceConnection:
    """Let *Get prices* use another share of the day's calls; it continues at once. Raises NotConnected, NoPricesThere."""
    connection = connection_of(owner=owner, marketplace=marketplace)
    connection.guide_share = share
    connection.updated_at = now
    connection.save(update_fields=["guide_share", "updated_at"])
    _wake(owner)
    return connection


@transaction.atomic
def _queue(owner: User, rows: list[PriceWant], *, is_unasked: bool) -> Job | None:
    """Store the wanted prices and start a job that gets them; one that pauses goes on pausing."""
    # First the job's row: it is held until the commit, so that a job which is about to end
    # sees these rows, or has ended and another one is started.
    is_there = not is_unasked and _waiting_job(owner).update(updated_at=Now()) > 0
    if rows and is_unasked:
        PriceWant.objects.bulk_create(rows, ignore_conflicts=True, batch_size=AT_ONCE)
    elif rows:
        PriceWant.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["owner", "lot", "condition"],
            update_fields=["urgency", "is_unasked", "updated_at"],
            batch_size=AT_ONCE,
        )
    wants = PriceWant.objects.owned_by(owner)
    if not is_there and not wants.exists():
        return None
    jobs = Job.objects.filter(owner=owner, kind=KIND)
    number = jobs.count()  # before the look for a running one: what begins between is seen then
    running = jobs.unfinished().order_by("created_at").first()
    if running is not None:
        return running
    # Two who ask at once make the same key, and so one job.
    return start_job(
        owner=owner,
        kind=KIND,
        payload={},
        key=f"{KIND}#{number}",
        total=wants.filter(is_unasked=False).count(),
        follows=is_unasked,
    )


def _wake(owner: User) -> None:
    """End the pause of the job: a person said so."""
    _waiting_job(owner).update(not_before=None, updated_at=Now())


def _waiting_job(owner: User) -> Any:
    return Job.objects.filter(owner=owner, kind=KIND, state__in=(JobState.QUEUED, JobState.RUNNING))


def _merged(wanted: Iterable[Wanted]) -> dict[Pair, tuple[int, Decimal | None]]:
    """Return pieces and the highest price of each lot in a condition."""
    lots: dict[Pair, tuple[int, Decimal | None]] = {}
    for each in wanted:
        if each.condition == UNKNOWN_CONDITION:
            continue  # no price is of it
        pieces, price = lots.get((each.lot_id, each.condition), (0, None))
        dearest = max((p for p in (price, each.price) if p is not None), default=None)
        lots[each.lot_id, each.condition] = (pieces + each.quantity, dearest)
    return lots
