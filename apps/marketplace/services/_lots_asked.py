"""Ask the marketplace for lots one after the other, each claimed first: two jobs never ask at once."""

import datetime as dt
from typing import Any, Final

from django.db.models import Q

from apps.catalog.models import Lot
from apps.core.concurrency import claim
from apps.core.jobs.run import Clock, JobRun, Pause
from apps.marketplace.models import ConnectionState, LotRefresh, MarketplaceConnection
from apps.marketplace.providers.base import MarketplaceError, Refused, Throttled
from apps.marketplace.rules import FRESH_FOR
from apps.marketplace.services.connections import note_success

#: So many lots in a row without any answer: the marketplace is away, not the lot.
SILENCE: Final = 3
#: A lot whose job died is free again after this; the job itself may go on at once.
CLAIMED_FOR: Final = dt.timedelta(minutes=5)
THROTTLED_FOR: Final = dt.timedelta(hours=1)


class LotsAsked:
    """One attempt at a job that asks for lots: the open store, and the counts."""

    def __init__(
        self, run: JobRun, connection: MarketplaceConnection, currency: str, clock: Clock
    ) -> None:
        self.run = run
        self.connection = connection
        self.currency = currency
        self.clock = clock
        self.silent = 0

    def claimed(self, lot_id: int, *, unless_fresh: bool = False) -> bool:
        """Claim the lot, unless another job has it or, if asked, its figures are of just now.

        Times far beyond those that are noted now are of a clock that was set back since.
        """
        LotRefresh.objects.bulk_create(
            [LotRefresh(owner=self.run.owner, lot_id=lot_id, currency=self.currency)],
            ignore_conflicts=True,
        )
        mine, now = str(self.run.job.pk), self.clock()
        until = now + CLAIMED_FOR
        free = Q(claimed_until=None) | Q(claimed_by=mine)
        free |= Q(claimed_until__lt=now) | Q(claimed_until__gt=until + CLAIMED_FOR)
        if unless_fresh:
            old = Q(refreshed_at=None) | Q(refreshed_at__lt=now - FRESH_FOR)
            free &= old | Q(refreshed_at__gt=now + FRESH_FOR)
        return claim(
            self.rows(lot_id), where=free, set={"claimed_by": mine, "claimed_until": until}
        )

    def rows(self, lot_id: int) -> Any:
        mine = LotRefresh.objects.owned_by(self.run.owner)
        return mine.filter(lot_id=lot_id, currency=self.currency)

    def release(self, lot_id: int, **result: Any) -> None:
        """Release the lot and store the result."""
        mine = self.rows(lot_id).filter(claimed_by=str(self.run.job.pk))
        mine.update(claimed_by="", claimed_until=None, **result)

    def throttled(self, problem: Throttled) -> Pause:
        """Return the pause that the marketplace asks for."""
        wait = problem.wait_seconds
        pause = THROTTLED_FOR if wait is None else dt.timedelta(seconds=max(wait, 1))
        return self.pause(str(problem), self.clock() + pause)

    def pause(self, why: str, until: dt.datetime) -> Pause:
        return Pause(f"{why} {self.run.done} of {self.run.total} lots are done.", until=until)

    def answered(self) -> None:
        """Keep that the store works, if its last call failed."""
        self.silent = 0
        if self.connection.state != ConnectionState.OK:
            self.connection = note_success(self.connection, now=self.clock())

    def fail(self, lot: Lot, problem: MarketplaceError) -> None:
        """Report a lot without an answer, in a chunk."""
        if isinstance(problem, Refused):
            self.release(lot.pk, unknown_at=self.clock())
        name = " ".join(filter(None, (lot.item.number, lot.color.name if lot.color_id else "")))
        self.run.fail_item({"id": lot.pk, "name": name, "reason": str(problem)})

    def count(self, what: str, more: float = 1) -> None:
        self.run.state[what] = self.run.state.get(what, 0) + more
