"""Saved searches, and the job that runs them."""

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import partial
from operator import methodcaller
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from apps.accounts.models import User
from apps.auctions.models import AuctionListing, AuctionSearch
from apps.auctions.providers.base import AuctionSite, FoundListing, FoundPage
from apps.auctions.services.listings import keep_found
from apps.auctions.services.site import (
    Clock,
    NoSuchListing,
    SiteDidNotAnswer,
    SiteHalted,
    SiteIsBusy,
    SiteIsOff,
    ask,
    is_on,
)
from apps.core.errors import Invalid, StateConflict, ValueRefused
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobFailed, JobRun
from apps.core.waiting import counted

KIND: Final = "auctions.refresh_listings"
# As many as a person looks through; the others end later and come with the next run.
MOST_PAGES: Final = 5
# Watched and shown listings that no search found are asked for one by one.
MOST_SINGLE: Final = 40


class NothingToRefresh(StateConflict):
    message = "There is nothing to refresh: add a saved search or paste a listing link first."


def save_search(*, owner: User, fields: Mapping[str, Any]) -> AuctionSearch:
    """Keep a search. Raises Invalid for one that is there."""
    return _saved(AuctionSearch(owner=owner), fields)


def edit_search(*, search: AuctionSearch, changes: Mapping[str, Any]) -> AuctionSearch:
    """Change its words, or switch it on and off. Raises Invalid."""
    return _saved(search, changes)


def _saved(search: AuctionSearch, fields: Mapping[str, Any]) -> AuctionSearch:
    for name, value in fields.items():
        setattr(search, name, value)
    if not search.text.replace('"', "").strip():
        raise Invalid(fields={"text": ["needs a word to look for"]})
    try:
        with transaction.atomic():
            if search.pk is None:
                search.save(force_insert=True)
            else:
                search.save(update_fields=[*fields, "updated_at"])
    except IntegrityError:
        raise ValueRefused(fields={"text": ["is another saved search of yours"]}) from None
    return search


@transaction.atomic
def start_refresh(*, owner: User, now: dt.datetime, shown: Sequence[int] = ()) -> Job:
    """Start a job that runs the owner's searches and reads watched or `shown` listings.

    Returns the running job if there is one. Raises SiteIsOff, NothingToRefresh.
    """
    if not is_on():
        raise SiteIsOff
    searches = AuctionSearch.objects.owned_by(owner).filter(is_active=True)
    if not searches.exists() and not _wanted(owner, now, shown).exists():
        raise NothingToRefresh
    running = Job.objects.filter(owner=owner, kind=KIND, state__in=("queued", "running")).first()
    return running or start_job(owner=owner, kind=KIND, payload={"shown": list(shown)})


def refresh_all(*, run: JobRun, clock: Clock, shown: Sequence[int] = ()) -> None:
    """Run the owner's searches, then read each watched or `shown` (ids) listing that no search
    found.

    A failed search stores its reason, and the next one is run. Raises JobFailed if the site is off
    or asked us to stop, JobCancelled. A retried job resumes after the last search.
    """
    searches = list(AuctionSearch.objects.owned_by(run.owner).filter(is_active=True).order_by("pk"))
    done = run.state.setdefault("searches", [])
    counts = run.state.setdefault("counts", {"new": 0, "renewed": 0})
    run.total = len(searches)
    begun = clock()
    try:
        for search in searches:
            if search.pk not in done:
                _run_search(run, search, clock)
        _ask_singly(run, begun, clock, shown)
    except (SiteIsOff, SiteHalted) as problem:
        raise JobFailed(reason=problem.text) from problem
    with run.finish(result=dict(counts)):
        pass


def _run_search(run: JobRun, search: AuctionSearch, clock: Clock) -> None:
    fresh = dt.timedelta(seconds=settings.AUCTIONS_FRESH_SECONDS)
    found: list[FoundListing] = []
    problem = ""
    if search.run_at is None or clock() - search.run_at >= fresh:
        try:
            found, refused = _found(run, search.text, clock)
        except (SiteDidNotAnswer, SiteIsBusy) as failure:
            problem = failure.text
            run.fail_item({"error": failure.text, "context": search.text})
        else:
            unread = f"{counted(refused, 'listing')} could not be read" if refused else ""
            problem = "" if found else unread
            if unread:
                run.fail_item({"error": unread, "context": search.text})
    with run.chunk(done=len(run.state["searches"]) + 1, message=f"Searched for {search.text}"):
        now = clock()
        if not problem:
            new, renewed = keep_found(owner=run.owner, found=found, now=now)
            run.state["counts"]["new"] += new
            run.state["counts"]["renewed"] += renewed
        values: dict[str, Any] = {"problem": problem}
        if not problem and found:
            values |= {"run_at": now, "found_count": len(found)}
        elif not problem and search.run_at is None:
            values |= {"run_at": now, "found_count": 0}
        AuctionSearch.objects.filter(pk=search.pk).update(**values)
        run.state["searches"].append(search.pk)


def _found(run: JobRun, text: str, clock: Clock) -> tuple[list[FoundListing], int]:
    """Return the listings of all pages, and how many rows could not be read."""
    found: dict[str, FoundListing] = {}
    refused = 0
    for page in range(1, MOST_PAGES + 1):
        run.beat(message=f"Searching for {text}, page {page}")
        answer, is_last = ask(partial(_page_of, text=text, page=page), clock=clock)
        refused += answer.refused
        found |= {one.external_id: one for one in answer.listings}
        if is_last:
            break
    return list(found.values()), refused


def _page_of(site: AuctionSite, *, text: str, page: int) -> tuple[FoundPage, bool]:
    """Return a page of found listings, and whether it is the last."""
    answer = site.search(text=text, category=site.category, page=page)
    return answer, page * site.page_size >= answer.total or not (answer.listings or answer.refused)


def _ask_singly(run: JobRun, begun: dt.datetime, clock: Clock, shown: Sequence[int]) -> None:
    stale = _wanted(run.owner, begun, shown).exclude(checked_at__gte=begun)
    for external_id in stale.values_list("external_id", flat=True)[:MOST_SINGLE]:
        run.beat(message=f"Asking for listing {external_id}")
        try:
            found = ask(methodcaller("listing", external_id), clock=clock)
        except (SiteDidNotAnswer, SiteIsBusy, NoSuchListing) as failure:
            run.fail_item({"error": failure.text, "context": external_id})
            continue
        with run.chunk():
            keep_found(owner=run.owner, found=[found], now=clock())
            run.state["counts"]["renewed"] += 1


def _wanted(owner: User, now: dt.datetime, shown: Sequence[int]) -> Any:
    """Return the open listings of the site that the owner watches, has a bid on or looks at."""
    return (
        AuctionListing.objects.owned_by(owner)
        .exclude(external_id="")
        .filter(Q(watch="watching") | Q(my_bid__isnull=False) | Q(pk__in=shown))
        .filter(Q(end_time=None) | Q(end_time__gt=now))
        .order_by("end_time", "pk")
    )
