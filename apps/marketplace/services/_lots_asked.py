"""Take a lot before the marketplace is asked for it, so that two jobs do not ask at once."""

import datetime as dt
from typing import Any, Final

from django.db.models import Q

from apps.core.concurrency import claim
from apps.core.jobs.models import Job
from apps.marketplace.models import LotRefresh
from apps.marketplace.rules import FRESH_FOR

#: A lot whose job died is free again after this; the job itself may go on at once.
CLAIMED_FOR: Final = dt.timedelta(minutes=5)


def claim_lot(
    lot_id: int, *, currency: str, job: Job, now: dt.datetime, unless_fresh: bool = False
) -> bool:
    """Take the lot for a job, unless another has it or, if asked, its figures are of just now.

    Times far beyond those that are noted now are of a clock that was set back since.
    """
    LotRefresh.objects.bulk_create(
        [LotRefresh(lot_id=lot_id, currency=currency)], ignore_conflicts=True
    )
    mine = str(job.pk)
    until = now + CLAIMED_FOR
    free = Q(claimed_until=None) | Q(claimed_by=mine)
    free |= Q(claimed_until__lt=now) | Q(claimed_until__gt=until + CLAIMED_FOR)
    if unless_fresh:
        old = Q(refreshed_at=None) | Q(refreshed_at__lt=now - FRESH_FOR)
        free &= old | Q(refreshed_at__gt=now + FRESH_FOR)
    rows = LotRefresh.objects.filter(lot_id=lot_id, currency=currency)
    return claim(rows, where=free, set={"claimed_by": mine, "claimed_until": until})


def release_lot(lot_id: int, *, currency: str, job: Job, **result: Any) -> None:
    """Let the lot go and store the result."""
    rows = LotRefresh.objects.filter(lot_id=lot_id, currency=currency)
    rows.filter(claimed_by=str(job.pk)).update(claimed_by="", claimed_until=None, **result)
