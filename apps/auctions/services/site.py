"""Selects the site, checks whether calls are allowed, and makes one call at a time."""

import datetime as dt
import threading
from collections.abc import Callable
from typing import Final, TypeVar

from django.conf import settings
from django.db.models import Q

from apps.auctions.models import SiteState
from apps.auctions.providers.base import AuctionSite, ListingGone, SiteFailed, SiteForbids
from apps.auctions.providers.shopgoodwill import ShopGoodwill
from apps.core.concurrency import claim
from apps.core.errors import DomainError, ErrorCode, StateConflict
from apps.core.jobs.run import Clock

SITE_NAME: Final = ShopGoodwill.name
# After a 403 or 429 nothing is sent for this long.
HALT: Final = dt.timedelta(hours=1)
# What an operator stopped stays stopped.
STOPPED: Final = dt.timedelta(days=3650)
HALT_DEMO: Final = dt.timedelta(seconds=10)
# A person does not wait longer for a turn.
PATIENCE: Final = dt.timedelta(seconds=8)

Answer = TypeVar("Answer")


class SiteIsOff(StateConflict):
    message = (
        "This installation does not ask the auction site by itself. Enter the listing, or paste "
        "its link; the operator may switch the connection on."
    )


class SiteHalted(DomainError):
    code = ErrorCode.SERVICE_UNAVAILABLE
    message = "The auction site is left alone until {until:%H:%M} UTC: {because}."


class SiteDidNotAnswer(DomainError):
    code = ErrorCode.UPSTREAM_ERROR
    message = "The auction site gave no usable answer: {because}. What is known stays as it is."


class NoSuchListing(DomainError):
    code = ErrorCode.NOT_FOUND
    message = "The auction site has no such listing (any more)."


class SiteIsBusy(DomainError):
    code = ErrorCode.RATE_LIMITED
    message = "The auction site is asked slowly, one call after the other. Try again soon."


def is_on() -> bool:
    """Return whether calls are allowed: the simulator always, the real site if switched on."""
    return bool(settings.AUCTIONS_IS_DEMO or settings.AUCTIONS_LIVE)


def open_site() -> AuctionSite:
    """Return the site. Raises SiteIsOff."""
    if not is_on():
        raise SiteIsOff
    return ShopGoodwill(settings.AUCTIONS_URL)


def ask(
    question: Callable[[AuctionSite], Answer],
    *,
    clock: Clock,
    wait: Callable[[float], object] | None = None,
) -> Answer:
    """Call the site, after the gap since the last call. A refusal stops all calls for an hour.

    `wait(seconds)` waits for the gap. Raises SiteIsOff, SiteHalted, SiteIsBusy, SiteDidNotAnswer,
    NoSuchListing.
    """
    site = open_site()
    _take_turn(clock, wait or threading.Event().wait)
    try:
        return question(site)
    except SiteForbids as problem:
        now = clock()
        until = now + (HALT_DEMO if settings.AUCTIONS_IS_DEMO else HALT)
        SiteState.objects.filter(pk=1).update(halted_until=until, halted_because=str(problem))
        raise SiteHalted(until=until, because=str(problem)) from problem
    except ListingGone as problem:
        raise NoSuchListing from problem
    except SiteFailed as problem:
        raise SiteDidNotAnswer(because=str(problem)) from problem


def ensure_state() -> None:
    """Make the row that all calls pass by, if it is not there."""
    SiteState.objects.get_or_create(pk=1)


def halt(*, now: dt.datetime) -> tuple[dt.datetime | None, str]:
    """Return the end of the halt and its reason, (None, '') if calls are allowed."""
    state = SiteState.objects.filter(pk=1, halted_until__gt=now).first()
    return (state.halted_until, state.halted_because) if state else (None, "")


def stop_asking(*, now: dt.datetime) -> None:
    """Stop all calls to the site until an operator resumes them."""
    SiteState.objects.update_or_create(
        pk=1, defaults={"halted_until": now + STOPPED, "halted_because": "the operator stopped it"}
    )


def lift_halt() -> None:
    """Resume calls to the site at once. Called by an operator's action."""
    SiteState.objects.filter(pk=1).update(halted_until=None, halted_because="")


def _take_turn(clock: Clock, wait: Callable[[float], object]) -> None:
    gap = dt.timedelta(milliseconds=settings.AUCTIONS_CALL_GAP_MS)
    ensure_state()
    begun = clock()
    while True:
        now = clock()
        until, because = halt(now=now)
        if until is not None:
            raise SiteHalted(until=until, because=because)
        free = Q(next_call_at=None) | Q(next_call_at__lte=now)
        # A turn far ahead was left by a clock that was wrong.
        free |= Q(next_call_at__gt=now + gap + PATIENCE)
        if claim(SiteState.objects.filter(pk=1), where=free, set={"next_call_at": now + gap}):
            return
        if now - begun > PATIENCE:
            raise SiteIsBusy
        wait(0.1)
