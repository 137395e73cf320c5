"""Open work of no particular app: failed jobs."""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, Final
from uuid import UUID

from django.db.models import F, QuerySet, Value
from django.db.models.functions import Cast, Concat

from apps.core.jobs.models import Job, JobState
from apps.core.prepared import TEXT
from apps.core.waiting import MOST_OF_A_KIND, Asked, Question, Waiting, facts_of, finds, waits
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


@finds("home.failed_jobs")
def _failed(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    rows = (
        Job.objects.owned_by(asked.owner)
        .filter(created_at__gte=asked.days_ago(FAILED_DAYS), state=JobState.FAILED)
        # The last sync has a line of its own.
        .exclude(kind=SYNC_KIND)
        .order_by("-created_at")[:MOST_OF_A_KIND]
    )
    id_and_kind = Concat(Cast("pk", TEXT), Value(" "), "kind")
    yield facts_of("failed_jobs", rows, name=id_and_kind, text=F("message"), at=F("created_at"))


@waits("home.failed_jobs")
def failed_jobs(asked: Asked) -> Iterator[Waiting]:
    """Yield the exports, imports and other jobs that failed lately, the latest first."""
    for job in sorted(asked.facts("failed_jobs"), key=attrgetter("at"), reverse=True):
        pk, _, kind = job.name.partition(" ")
        words = WORDS.get(kind) or kind.partition(".")[2].replace("_", " ")
        yield Waiting(
            id=f"job-{UUID(pk)}",
            title=f"Try again to {words}",
            # The page puts its age behind it.
            note=job.text.rstrip(".") or "It failed",
            count=1,
            since=job.at,
            is_pressing=True,
            to=PLACES.get(kind.partition(".")[0], "/app/batches"),
        )
