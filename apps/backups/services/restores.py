"""Restore a backup into an empty account: every row that can be, in one transaction."""

import datetime as dt
import tempfile
from contextlib import suppress
from pathlib import PurePath
from typing import IO, Any, Final

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import DataError, IntegrityError, transaction

from apps.accounts.models import User
from apps.backups.models import FOLDER
from apps.backups.services._archive import Archive, BackupRefused
from apps.backups.services._reading import Reading
from apps.backups.services._tables import tables
from apps.backups.services.row_checks import Checks
from apps.core.concurrency import after_commit, lock_in_order
from apps.core.errors import DomainError, StateConflict, UploadTooLarge
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.run import JobCancelled, JobFailed, JobRun
from apps.inventory.selectors.ledger import QuantityDifference
from apps.inventory.services.ledger_check import book_differences, check_ledger
from apps.orders.models import Order
from apps.orders.services.forgetting import erase_again

KIND: Final = "backups.restore_backup"
MIB: Final = 1024 * 1024
SHOWN: Final = 3
NOTE: Final = "The backup lacked movements of this row."


class AccountNotEmpty(StateConflict):
    message = (
        "A backup goes into an account that holds nothing yet; this one has {what}. "
        "Nothing was changed."
    )


def start_restore(*, owner: User, file: File[bytes], file_name: str) -> Job:
    """Keep the zip and start the job that brings it back into `owner`'s empty account.

    Its head is read at once. Raises BackupRefused, AccountNotEmpty, UploadTooLarge; nothing
    is kept then.
    """
    if (file.size or 0) > settings.MAX_UPLOAD_BYTES:
        raise UploadTooLarge(limit_mib=settings.MAX_UPLOAD_BYTES // MIB)
    Archive(_seekable(file))
    _refuse_unless_empty(owner)
    file.seek(0)
    stored = default_storage.save(f"{FOLDER}/restore.zip", file)
    try:
        with transaction.atomic():
            return start_job(
                owner=owner,
                kind=KIND,
                payload={"file": stored, "file_name": PurePath(file_name).name[:200]},
            )
    except BaseException:
        default_storage.delete(stored)
        raise


def restore(*, run: JobRun, file: str, checks: Checks, now: dt.datetime) -> None:
    """Check every row of the zip, then write those that passed in one transaction.

    `checks` checks each value as the API does. What is left out is among the job's failed items.

    Raises BackupRefused, AccountNotEmpty, JobFailed (the kept file was removed), JobCancelled.
    """
    if not default_storage.exists(file):
        raise JobFailed(reason="The uploaded backup is no longer there. Please upload it again.")
    try:
        with default_storage.open(file, "rb") as kept, tempfile.TemporaryFile() as local:
            for chunk in kept.chunks():
                local.write(chunk)
            local.seek(0)
            _restore(run, Archive(local), checks, now)
    except (DomainError, JobCancelled):
        default_storage.delete(file)
        raise
    with suppress(OSError):
        default_storage.delete(file)


def restore_stopped(*, run: JobRun, file: str) -> None:
    """Remove the kept zip of a restore that was cancelled just now; a failed one may be retried."""
    if run.job.state == JobState.CANCELLED:
        after_commit(default_storage.delete, file)


def _restore(run: JobRun, archive: Archive, checks: Checks, now: dt.datetime) -> None:
    owner: Any = run.job.owner
    run.total = archive.total
    reading = Reading(archive, owner, checks, report=run.fail_item)
    run.beat(done=0, message="Checking the rows")
    reading.check(tell=lambda done: run.beat(done=done))
    run.beat(done=run.total, message="Writing the rows")
    result: dict[str, Any] = {"made_at": archive.made_at}
    try:
        with run.finish(result=result):
            # Of two restores one waits, and nothing else can be added to the account until then.
            lock_in_order(User.objects.filter(pk=owner.pk), to_delete=True)
            _refuse_unless_empty(owner)
            reading.find_lots(now=now)
            reading.write()
            erase_again(orders=Order.objects.owned_by(owner), now=now)
            result["counts"] = reading.written
            result["rows"] = sum(reading.written.values())
            for wrong in book_differences(owner=owner, note=NOTE, now=now):
                run.fail_item(_correction(wrong))
            if not check_ledger(owner=owner, fix_counters=True).is_sound:
                raise BackupRefused(reason="The quantities of this backup do not add up.")
    except (IntegrityError, DataError) as problem:
        said = str(problem).splitlines()[0]
        raise BackupRefused(reason=f"This backup contradicts itself ({said}).") from problem


def _correction(wrong: QuantityDifference) -> dict[str, Any]:
    return {
        "id": wrong.item_id,
        "name": f"Inventory row {wrong.item_id}",
        "reason": f"Its movements in the backup make {wrong.booked:,} pieces, not "
        f"{wrong.quantity:,}. The difference was booked as a correction.",
    }


def _refuse_unless_empty(owner: User) -> None:
    """Raise AccountNotEmpty with the counts of the existing rows."""
    found = []
    for table in tables():
        if table.is_setting or table.to_owner != "owner":
            continue
        if count := table.model._base_manager.filter(owner=owner).count():
            found.append(f"{count:,} {table.name.replace('_', ' ')}")
    if found:
        raise AccountNotEmpty(what=", ".join(found[:SHOWN]))


def _seekable(file: File[bytes]) -> IO[bytes]:
    raw: Any = file.file if hasattr(file, "file") else file
    raw.seek(0)
    opened: IO[bytes] = raw
    return opened
