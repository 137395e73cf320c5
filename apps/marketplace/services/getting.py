"""Get the prices that people wait for: most urgent first, inside the day's calls, over days."""

import datetime as dt
from typing import Any, Final

from django.conf import settings

from apps.accounts.selectors import currency_of
from apps.catalog.rules.pricing import PriceRule
from apps.catalog.selectors.pricing import market_figures, price_setting_of, rule_of
from apps.catalog.services.prices import record_figures
from apps.core.jobs.run import Clock, JobFailed, JobRun
from apps.marketplace.models import MarketplaceConnection, PriceWant
from apps.marketplace.providers.base import (
    CallKind,
    Marketplace,
    MarketplaceError,
    NoAnswer,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.rules import background_limit, guide_limit, next_day
from apps.marketplace.rules.wants import half_to_ask
from apps.marketplace.services._lots_asked import SILENCE, LotsAsked
from apps.marketplace.services.calls import BudgetSpent, spend_call
from apps.marketplace.services.connections import (
    NotConnected,
    connection_of,
    open_store,
    refused_job,
)
from apps.marketplace.services.guide import asked_figures, sold_figures
from apps.marketplace.services.wants import Pair, forget_wants

AT_ONCE: Final = 20
# How often a lot that gets no answer is tried while others get theirs.
TRIES: Final = 3
AWAY_FOR: Final = dt.timedelta(minutes=10)
BUSY_FOR: Final = dt.timedelta(minutes=1)


class _MoreWanted(Exception):
    """Something was asked for while the job was about to end."""


def get_prices(*, run: JobRun, clock: Clock) -> None:
    """Ask for each price that the owner waits for; each is a chunk of the job.

    Raises Pause where the day's calls are used or the marketplace is away, and JobFailed
    without a connection or where the secrets are refused; what is left then stays wanted.
    """
    try:
        connection = connection_of(owner=run.owner)
    except NotConnected as problem:
        raise JobFailed(reason=problem.text) from problem
    _Getting(run, connection, clock).execute()


def tidy_up_prices(run: JobRun, reason: str) -> dict[str, Any]:
    """Delete the wanted prices once a person stopped the job; after a failure they stay."""
    if run.job.cancel_requested or run.job.state == "cancelled":
        forget_wants(owner=run.owner)
    return dict(run.state)


class _Getting(LotsAsked):
    """One attempt at the job."""

    def __init__(self, run: JobRun, connection: MarketplaceConnection, clock: Clock) -> None:
        super().__init__(run, connection, "", clock)
        self.rule: PriceRule
        self.later: set[int] = set()
        self.is_unasked = False

    def execute(self) -> None:
        with open_store(self.connection, spend=self.spend) as store:
            while True:
                for want in self.next_wants():
                    self.one(store, want)
                if not self.wants().exclude(pk__in=self.later).exists():
                    if self.later:
                        raise self.pause("Some lots had no answer.", self.clock() + BUSY_FOR)
                    if self.ended():
                        return

    def ended(self) -> bool:
        """End the job, unless more was asked for in this very moment."""
        counted = {name: self.run.state.get(name, 0) for name in ("asked", "known", "calls")}
        try:
            with self.run.finish(result={**counted, "failed_count": self.run.failed_count}):
                if self.wants().exists():
                    raise _MoreWanted
        except _MoreWanted:
            return False
        return True

    def wants(self) -> Any:
        return PriceWant.objects.owned_by(self.run.owner)

    def next_wants(self) -> list[PriceWant]:
        """Return the most urgent wants, as the owner's rule is now."""
        user = self.run.owner
        self.rule = rule_of(price_setting_of(user=user))
        self.currency = currency_of(user)
        self.connection.refresh_from_db(fields=["guide_share"])
        wants = self.wants()
        self.run.total = self.run.done + wants.filter(is_unasked=False).count()
        some = wants.exclude(pk__in=self.later).select_related("lot__item", "lot__color")
        return list(some.order_by("is_unasked", "-urgency", "pk")[:AT_ONCE])

    def one(self, store: Marketplace, want: PriceWant) -> None:
        """Ask for what the rule still needs of one lot: at most one call, two if nothing sold."""
        if not self.claimed(want.lot_id):
            self.later.add(want.pk)
            return
        self.is_unasked = want.is_unasked
        began, calls = self.clock(), self.run.state.get("calls", 0)
        try:
            self.ask(store, want)
        except BudgetSpent:
            self.budget_spent(want)
        except SecretsRefused as refused:
            raise refused_job(self.connection, refused, now=self.clock()) from refused
        except Throttled as problem:
            raise self.throttled(problem) from problem
        except MarketplaceError as problem:
            self.failed(want, problem)
        else:
            made = self.run.state.get("calls", 0) - calls
            with self.run.chunk():
                want.delete()
                self.count("asked" if made else "known")
                self.count("seconds", round((self.clock() - began).total_seconds(), 3))
                self.run.done += not want.is_unasked
            self.answered()
        finally:
            # Also when the job is cancelled or stopped in between.
            self.release(want.lot_id)

    def ask(self, store: Marketplace, want: PriceWant) -> None:
        pair = (want.lot_id, want.condition)
        region = self.rule.region
        # Another job may have asked for it since it was wanted.
        while (is_sold := self.half(pair)) is not None:
            ask = sold_figures if is_sold else asked_figures
            told = ask(
                store,
                want.lot,
                condition=want.condition,
                region=region,
                currency=self.currency,
            )
            # At once: the answer of a counted call is stored even if the next call fails.
            record_figures(owner=self.run.owner, figures=told, now=self.clock())

    def half(self, pair: Pair) -> bool | None:
        known = market_figures(
            [pair], owner=self.run.owner, region=self.rule.region, currency=self.currency
        )[pair]
        return half_to_ask(self.rule, known, now=self.clock(), is_unasked=self.is_unasked)

    def spend(self, _: CallKind) -> None:
        """Count the call before it is sent; the lease is renewed with it."""
        daily = settings.MARKETPLACE_DAILY_CALLS
        spend_call(
            channel=self.connection.channel,
            kind=CallKind.GUIDE,
            now=self.clock(),
            up_to=background_limit(daily=daily) if self.is_unasked else None,
            of_kind=guide_limit(self.connection.guide_share, daily=daily),
        )
        self.count("calls")
        self.run.beat()

    def budget_spent(self, want: PriceWant) -> None:
        """Continue tomorrow with the lots that a person asked for, and drop the rest."""
        if want.is_unasked:
            with self.run.chunk():
                self.wants().filter(is_unasked=True).delete()
            return
        raise self.pause("Today's calls for prices are used.", next_day(self.clock()))

    def failed(self, want: PriceWant, problem: MarketplaceError) -> None:
        if isinstance(problem, NoAnswer):
            self.silent += 1
            if self.silent >= SILENCE:
                raise self.pause(str(problem), self.clock() + AWAY_FOR) from problem
            tries = self.run.state.get("tries", {})
            tried = tries.get(str(want.pk), 0) + 1
            if tried < TRIES:
                with self.run.chunk():
                    self.run.state["tries"] = {**tries, str(want.pk): tried}
                self.later.add(want.pk)
                return
        with self.run.chunk():
            self.fail(want.lot, problem)
            want.delete()
            self.run.done += not want.is_unasked
