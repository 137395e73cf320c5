"""The handlers of listing jobs: list, look a second time, clean up. All use one course.

A job is about items of a batch (`batch_id`) or rows of stock, which it lists or `unlists`.
"""

from collections.abc import Sequence
from typing import Any, Final

from apps.core.jobs.run import Clock, JobRun
from apps.listings.services._course import ListingCourse
from apps.listings.services._item_course import ItemCourse
from apps.listings.services._stock_course import StockCourse
from apps.listings.services.listing import LIST_KIND, LIST_STOCK_KIND, UNLIST_STOCK_KIND

LIST_KINDS: Final = (LIST_KIND, LIST_STOCK_KIND, UNLIST_STOCK_KIND)
SETTLE_KINDS: Final = (ItemCourse.settle_kind, StockCourse.settle_kind)


def run_listing(
    *,
    run: JobRun,
    stockroom: str | None,
    refused: Sequence[dict[str, Any]],
    clock: Clock,
    **about: Any,
) -> None:
    """List what the job is about, or take it off sale; see ListingCourse.go."""
    _course(run, clock, **about).execute(_ids(**about), stockroom=stockroom, refused=refused)


def listing_stopped(*, run: JobRun, reason: str, clock: Clock, **about: Any) -> dict[str, Any]:
    """Release the unsent listings of a cancelled or failed job. Return the result of the job."""
    return _course(run, clock, **about).stop(_ids(**about), reason)


def run_settling(*, run: JobRun, listing_ids: Sequence[int], clock: Clock, **about: Any) -> None:
    """Look a second time for listings whose outcome is unknown; see ListingCourse.settle."""
    _course(run, clock, **about).settle(listing_ids)


def settling_stopped(
    *, run: JobRun, listing_ids: Sequence[int], reason: str, clock: Clock, **about: Any
) -> dict[str, Any]:
    """Release the listings of a cancelled or failed second look. Return the result of the job."""
    return _course(run, clock, **about).give_up(listing_ids, reason)


def _course(
    run: JobRun,
    clock: Clock,
    *,
    batch_id: int | None = None,
    unlists: bool | None = None,
    **_: Any,
) -> ListingCourse:
    """Return the course of a job. Raises JobFailed where its batch was deleted."""
    if batch_id is not None:
        return ItemCourse(run, batch_id, clock)
    is_off = run.job.kind == UNLIST_STOCK_KIND if unlists is None else unlists
    return StockCourse(run, unlists=is_off, clock=clock)


def _ids(
    *, item_ids: Sequence[int] | None = None, row_ids: Sequence[int] = (), **_: Any
) -> Sequence[int]:
    return row_ids if item_ids is None else item_ids
