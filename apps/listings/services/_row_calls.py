"""Makes one call to the store for each row of a sync and stores the answer as the row's state."""

import datetime as dt
from collections.abc import Callable
from typing import ClassVar

from apps.core.jobs.run import JobCancelled, JobInterrupted, JobRun
from apps.listings.models import StoreSyncRow, SyncKind, SyncRowState
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.providers.base import (
    Marketplace,
    NoAnswer,
    NotThere,
    Refused,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.providers.lots import LotChange
from apps.marketplace.services.calls import BudgetSpent
from apps.marketplace.services.connections import refused_job


class RowCalls:
    """Changes and deletes lots of the store, a row a call."""

    run: JobRun
    store: Marketplace
    connection: MarketplaceConnection
    clock: Callable[[], dt.datetime]

    #: The reason of a row whose lot the store no longer has.
    not_there: ClassVar[str]

    def _call(self, row: StoreSyncRow, change: LotChange) -> None:
        """Make the call of a row and store its result.

        Raises JobFailed, JobCancelled, BudgetSpent, Throttled, NoAnswer: the call was not made,
        and the row is planned again.
        """
        try:
            if row.kind == SyncKind.REMOVED:
                self.store.delete_lot(row.marketplace_lot_id)
            else:
                self.store.change_lot(row.marketplace_lot_id, change)
        except (BudgetSpent, JobCancelled, JobInterrupted):
            # Counted first, so it was not sent.
            StoreSyncRow.objects.filter(pk=row.pk).update(state=SyncRowState.PLANNED)
            raise
        except NotThere:
            self._gone(row)
        except SecretsRefused as refused:
            self._unsent(row)
            raise refused_job(self.connection, refused, now=self.clock()) from refused
        except Refused as refused:
            self._close(row, SyncRowState.FAILED, str(refused))
        except Throttled:
            self._unsent(row)
            raise
        except NoAnswer as problem:
            if problem.is_unsent:
                self._unsent(row)
                raise
            self._look(row)
        else:
            self._done_there(row)

    def _done_there(self, row: StoreSyncRow) -> None:
        with self.run.chunk():
            self._applied(row)

    def _unsent(self, row: StoreSyncRow) -> None:
        with self.run.chunk():
            row.state = SyncRowState.PLANNED
            row.save(update_fields=["state"])

    def _gone(self, row: StoreSyncRow) -> None:
        self._close(row, SyncRowState.SKIPPED, self.not_there)

    def _close(self, row: StoreSyncRow, state: SyncRowState, reason: str) -> None:
        with self.run.chunk():
            self._left(row, state, reason)

    def _look(self, row: StoreSyncRow) -> None:
        """Find out whether the store carried out a call without an answer."""
        raise NotImplementedError

    def _applied(self, row: StoreSyncRow) -> None:
        """Store that the store has applied the row. Runs in a chunk."""
        raise NotImplementedError

    def _left(self, row: StoreSyncRow, state: SyncRowState, reason: str) -> None:
        """Keep why the store has not done it, in a chunk."""
        raise NotImplementedError
