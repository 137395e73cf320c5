"""Get prices from the marketplace: of the lots on a page, and of the most valuable ones."""

import datetime as dt
from collections.abc import Sequence
from typing import Final

from apps.accounts.models import User
from apps.accounts.services.users import preferences_of
from apps.catalog.models import Lot
from apps.catalog.selectors.pricing import price_setting_of
from apps.catalog.services.prices import GuideFigures, record_figures
from apps.core.errors import Invalid, UnknownReference
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import Clock, JobFailed, JobRun, TryLater
from apps.marketplace.models import ConnectionState, MarketplaceConnection
from apps.marketplace.providers.base import (
    CallKind,
    Marketplace,
    MarketplaceError,
    NoAnswer,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.providers.known import WITH_PRICES
from apps.marketplace.rules.wants import Wanted
from apps.marketplace.selectors import most_valuable_stock
from apps.marketplace.services._lots_asked import SILENCE, LotsAsked
from apps.marketplace.services.calls import BudgetSpent, spend_call
from apps.marketplace.services.connections import (
    NotConnected,
    connection_of,
    ensure_prices,
    open_store,
    refused_job,
)
from apps.marketplace.services.guide import figures_of
from apps.marketplace.services.wants import want_prices

KIND: Final = "marketplace.refresh_prices"
VALUABLE_KIND: Final = "marketplace.refresh_valuable"
MOST_LOTS: Final = 500
MOST_UNASKED: Final = 100
# How often the lots of most value are looked at.
HOURS: Final = 6


def start_refresh(*, owner: User, lot_ids: Sequence[int], now: dt.datetime) -> Job:
    """Start a job that asks for the prices of these lots. Raises NotConnected, Invalid.

    In the demo, a person without a store gets the demo store.
    """
    wanted = list(dict.fromkeys(lot_ids))
    if not 1 <= len(wanted) <= MOST_LOTS:
        raise Invalid(fields={"lot_ids": [f"1 to {MOST_LOTS} lots at a time"]})
    there = set(Lot.objects.visible_to(owner).filter(pk__in=wanted).values_list("pk", flat=True))
    missing = [lot_id for lot_id in wanted if lot_id not in there]
    if missing:
        raise UnknownReference(fields={"lot_ids": [f"there is no lot {missing[0]}"]})
    ensure_prices(owner=owner, now=now)
    return start_job(
        owner=owner,
        kind=KIND,
        payload={"lot_ids": wanted, "currency": preferences_of(user=owner).currency},
        total=len(wanted),
    )


def want_valuable_prices(*, now: dt.datetime) -> int:
    """Have the old figures of the most valuable stock asked for, in each connected store.

    Return how many lots that are.
    """
    lots = 0
    connections = (
        MarketplaceConnection.objects.filter(channel__marketplace__in=WITH_PRICES)
        .exclude(state=ConnectionState.REFUSED)
        .select_related("owner")
    )
    for connection in connections.order_by("pk"):
        rows = most_valuable_stock(owner=connection.owner, now=now, most=MOST_UNASKED)
        wanted = [
            Wanted(row["lot_id"], row["condition"], row["pieces"], row["dearest"]) for row in rows
        ]
        if wanted:
            lots += want_prices(
                owner=connection.owner, wanted=wanted, now=now, is_unasked=True
            ).lots
    return lots


def refresh_lots(*, run: JobRun, lot_ids: Sequence[int], currency: str, clock: Clock) -> None:
    """Ask for the figures of each lot, one after the other; each lot is a chunk of the job.

    A lot that another job asks for, or that was asked for just now, is left out. What the
    marketplace does not know is told in `failed`. Raises TryLater or Pause where the marketplace
    is away or wants fewer calls, and JobFailed where going on is useless: no connection,
    refused secrets, no calls left.
    """
    try:
        connection = connection_of(owner=run.owner)
        _Refresh(run, connection, currency, clock).execute(lot_ids)
    except (NotConnected, BudgetSpent) as problem:
        raise JobFailed(reason=f"{problem.text} {_so_far(run)}") from problem


class _Refresh(LotsAsked):
    """One attempt at the job."""

    def __init__(
        self, run: JobRun, connection: MarketplaceConnection, currency: str, clock: Clock
    ) -> None:
        super().__init__(run, connection, currency, clock)
        # The last lots, which had no answer. They are done with once another lot has one.
        self.unanswered: list[tuple[Lot, NoAnswer]] = []
        self.region = price_setting_of(user=run.owner).region

    def execute(self, lot_ids: Sequence[int]) -> None:
        run = self.run
        with open_store(self.connection, spend=self.spend) as store:
            for place, lot_id in enumerate(lot_ids):
                if place >= run.done:
                    self.one(store, lot_id, place + 1)
        if self.unanswered:
            with run.chunk(done=len(lot_ids)):
                self.tell_unanswered()
        state = run.state
        with run.finish(
            result={
                "refreshed": state.get("refreshed", 0),
                "left_out": state.get("left_out", 0),
                "failed_count": run.failed_count,
            }
        ):
            pass

    def spend(self, kind: CallKind) -> None:
        """Count the call before it is sent; the lease is renewed with it."""
        spend_call(channel=self.connection.channel, kind=kind, now=self.clock())
        self.run.beat()

    def one(self, store: Marketplace, lot_id: int, done: int) -> None:
        """Refresh one lot, or leave it out; either way it is done with, unless nobody answers."""
        if not self.claimed(lot_id, unless_fresh=True):
            self.count("left_out")
            if not self.unanswered:
                with self.run.chunk(done=done):
                    pass
            return
        lot = Lot.objects.select_related("item", "color").get(pk=lot_id)
        told: list[GuideFigures] = []
        try:
            for figures in figures_of(store, lot, currency=self.currency, region=self.region):
                told.append(figures)
        except BudgetSpent:
            with self.run.chunk():  # keep the figures of calls that were made
                record_figures(owner=self.run.owner, figures=told, now=self.clock())
            raise
        except SecretsRefused as refused:
            raise refused_job(self.connection, refused, now=self.clock()) from refused
        except Throttled as problem:
            raise self.throttled(problem) from problem
        except NoAnswer as problem:
            self.unanswered.append((lot, problem))
            if len(self.unanswered) >= SILENCE:
                text = f"{str(problem).rstrip('.')}. {_so_far(self.run)}"
                raise TryLater(text, until_back=True) from problem
        except MarketplaceError as problem:
            with self.run.chunk(done=done):
                self.tell_unanswered()
                self.fail(lot, problem)
        else:
            with self.run.chunk(done=done):
                self.tell_unanswered()
                record_figures(owner=self.run.owner, figures=told, now=self.clock())
                self.release(lot_id, refreshed_at=self.clock(), unknown_at=None)
                self.count("refreshed")
            self.answered()
        finally:
            # Also when the job is cancelled or stopped in between.
            self.release(lot_id)

    def tell_unanswered(self) -> None:
        """Report them, in a chunk: the marketplace answers for other lots."""
        for lot, problem in self.unanswered:
            self.fail(lot, problem)
        self.unanswered.clear()


def _so_far(run: JobRun) -> str:
    return f"{run.state.get('refreshed', 0)} of {run.total} lots were refreshed."
