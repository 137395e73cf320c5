"""Open work of no particular app: failed jobs."""

from collections.abc import Iterator
from typing import Final

from apps.core.jobs.models import Job, JobState
from apps.core.waiting import MOST_OF_A_KIND, Asked, Waiting, waits
from apps.listings.services.store_sync import KIND as SYNC_KIND

FAILED_DAYS: Final = 14
#: What a kind of job does, where its name does not say it.
WORDS: Final = {"inventory.preview_sync": "read a file", "batches.import_bsx": "read a file"}
#: By the app of a kind of job: where its work is done.
PLACES: Final = {
    "inventory": "/app/inventory?acts=1",
    "backups": "/app/settings#backup",
    "marketplace": "/app/settings#integrations",
    "listings": "/app/store",
    "orders": "/app/orders",
    "sets": "/app/userSets",
}


@waits("home.failed_jobs")
def failed_jobs(asked: Asked) -> Iterator[Waiting]:
    """Yield the exports, imports and other jobs that failed lately."""
    rows = (
        Job.objects.owned_by(asked.owner)
        .filter(created_at__gte=asked.days_ago(FAILED_DAYS), state=JobState.FAILED)
        # The last sync has a line of its own.
        .exclude(kind=SYNC_KIND)
        .order_by("-created_at")
        .values_list("id", "kind", "message", "created_at")
    )
    for pk, kind, message, at in rows[:MOST_OF_A_KIND]:
        words = WORDS.get(kind) or kind.partition(".")[2].replace("_", " ")
        yield Waiting(
            id=f"job-{pk}",
            title=f"Try again to {words}",
            # The page puts its age behind it.
            note=message.rstrip(".") or "It failed",
            count=1,
            since=at,
            is_pressing=True,
            to=PLACES.get(kind.partition(".")[0], "/app/batches"),
        )
