"""Whether what Brickstow leans on is well: store, recogniser, last files in and out."""

import datetime as dt
from dataclasses import asdict
from typing import Any, Final

from django.core.cache import cache

from apps.backups.models import Backup
from apps.batches.services import bsx_import
from apps.core.jobs.models import Job, JobState
from apps.exports.models import Export, Scope
from apps.inventory.models import InventorySync, SyncState
from apps.marketplace.selectors import connection_row
from apps.recognition.services.identify import RecognitionState, recognition_state

Row = dict[str, Any]
PROBE_SECONDS: Final = 0.3
WELL_FOR_SECONDS: Final = 60
ILL_FOR_SECONDS: Final = 300
_KEY: Final = "home.recognition"


def recogniser() -> Row:
    """Return which recogniser is used and whether it answers.

    The answer is cached and the probe has a short timeout, so that home never waits for it long.
    """
    state: RecognitionState | None = cache.get(_KEY)
    if state is None:
        state = recognition_state(seconds=PROBE_SECONDS)
        cache.set(_KEY, state, WELL_FOR_SECONDS if state.is_reachable else ILL_FOR_SECONDS)
    return asdict(state)


def health(*, owner: Any, now: dt.datetime) -> Row:
    """Return the state of everything outside."""
    return {
        "marketplace": _marketplace(owner=owner, now=now),
        "recognition": recogniser(),
        "last_import": _last_import(owner=owner),
        "last_backup": _last_backup(owner=owner),
    }


def _marketplace(*, owner: Any, now: dt.datetime) -> Row:
    """Return the connection without what only its settings show."""
    row = connection_row(owner=owner, now=now)
    shown = ("marketplace_name", "is_demo", "has_store", "state", "problem")
    return {**{name: row[name] for name in shown}, "calls_left": row["calls"]["left"]}


def _last_import(*, owner: Any) -> Row | None:
    """Return the newest file that came in, into the stock or as a batch."""
    sync = (
        InventorySync.objects.owned_by(owner)
        .filter(state=SyncState.APPLIED, applied_at__isnull=False)
        .order_by("-pk")
        .values("file_name", "applied_at")
        .first()
    )
    job = (
        Job.objects.owned_by(owner)
        .filter(kind=bsx_import.KIND, state=JobState.SUCCEEDED, finished_at__isnull=False)
        .order_by("-created_at")
        .values("payload", "finished_at")
        .first()
    )
    found: list[Row] = []
    if sync is not None:
        found.append({"name": sync["file_name"], "at": sync["applied_at"], "into": "inventory"})
    if job is not None:
        found.append(
            {"name": _file_name(job["payload"]), "at": job["finished_at"], "into": "batch"}
        )
    return max(found, key=lambda one: one["at"], default=None)


def _file_name(payload: Row) -> str:
    return str(payload.get("file_name") or "")


def _last_backup(*, owner: Any) -> Row | None:
    """Return the newest copy: a backup of everything, or a file of the whole inventory."""
    newest = ("id", "file_name", "written_at")
    backup = (
        Backup.objects.owned_by(owner)
        .filter(written_at__isnull=False)
        .order_by("-created_at")
        .values(*newest)
        .first()
    )
    export = (
        Export.objects.owned_by(owner)
        .filter(scope=Scope.INVENTORY, written_at__isnull=False)
        .order_by("-created_at")
        .values(*newest)
        .first()
    )
    found = [
        {"id": row["id"], "name": row["file_name"], "at": row["written_at"], "of": of}
        for of, row in (("everything", backup), ("inventory", export))
        if row is not None
    ]
    return max(found, key=lambda one: one["at"], default=None)
