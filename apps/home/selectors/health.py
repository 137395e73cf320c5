"""Whether what Brickstow leans on is well: store, recogniser, last files in and out."""

import datetime as dt
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, TypedDict

from django.core.cache import cache
from django.db.models import F, QuerySet

from apps.accounts.models import User
from apps.backups.services.waiting import newest_copy
from apps.core.waiting import Asked, Question, facts_of, finds
from apps.inventory.models import InventorySync, SyncState, SyncTarget
from apps.marketplace.selectors import connection_row
from apps.recognition.services.identify import RecognitionState, recognition_state

PROBE_SECONDS: Final = 0.3
WELL_FOR_SECONDS: Final = 60
ILL_FOR_SECONDS: Final = 300
_KEY: Final = "home.recognition"


class MarketplaceState(TypedDict):
    marketplace_name: str
    is_demo: bool
    has_store: bool
    state: Literal["none", "untested", "ok", "refused"]
    problem: str
    calls_left: int


class ImportedFile(TypedDict):
    name: str
    at: dt.datetime
    into: Literal["inventory", "batch"]


class BackupFile(TypedDict):
    id: int
    name: str
    at: dt.datetime
    of: Annotated[Literal["everything", "inventory"], "a backup, or an export of the inventory"]


class Health(TypedDict):
    marketplace: MarketplaceState
    recognition: RecognitionState
    last_import: ImportedFile | None
    last_backup: BackupFile | None


def recogniser() -> RecognitionState:
    """Return which recogniser is used and whether it answers.

    The answer is cached and the probe has a short timeout, so that home never waits for it long.
    """
    state: RecognitionState | None = cache.get(_KEY)
    if state is None:
        state = recognition_state(seconds=PROBE_SECONDS)
        cache.set(_KEY, state, WELL_FOR_SECONDS if state.is_reachable else ILL_FOR_SECONDS)
    return state


def health(asked: Asked) -> Health:
    """Return the state of everything outside."""
    return {
        "marketplace": _marketplace(owner=asked.owner, now=asked.now),
        "recognition": recogniser(),
        "last_import": _last_import(asked),
        "last_backup": _last_backup(asked),
    }


def _marketplace(*, owner: User, now: dt.datetime) -> MarketplaceState:
    """Return the first connection that is refused, else the first, without what only settings show."""
    row = connection_row(owner=owner, now=now)
    refused = [one["marketplace"] for one in row["choices"] if one["state"] == "refused"]
    if refused and row["state"] != "refused":
        row = connection_row(owner=owner, now=now, marketplace=refused[0])
    return {
        "marketplace_name": row["marketplace_name"],
        "is_demo": row["is_demo"],
        "has_store": row["has_store"],
        "state": row["state"],
        "problem": row["problem"],
        "calls_left": row["calls"]["left"],
    }


@finds("home.imports")
def _imports(asked: Question) -> Iterator[QuerySet[Any, Any]]:
    syncs = InventorySync.objects.owned_by(asked.owner).filter(
        state=SyncState.APPLIED, applied_at__isnull=False
    )
    newest = syncs.order_by("-applied_at")[:1]
    yield facts_of("imports", newest, name=F("file_name"), text=F("target"), at=F("applied_at"))


def _last_import(asked: Asked) -> ImportedFile | None:
    """Return the newest file that came in, into the stock or as a batch."""
    for one in asked.facts("imports"):
        is_batch = one.text == SyncTarget.BATCH
        return {"name": one.name, "at": one.at, "into": "batch" if is_batch else "inventory"}
    return None


def _last_backup(asked: Asked) -> BackupFile | None:
    """Return the newest copy: a backup of everything, or a file of the whole inventory."""
    copy = newest_copy(asked)
    if copy is None:
        return None
    is_all = copy.text == "everything"
    of: Literal["everything", "inventory"] = "everything" if is_all else "inventory"
    return {"id": copy.id, "name": copy.name, "at": copy.at, "of": of}
