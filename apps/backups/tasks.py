"""The jobs that write a backup and bring one back."""

from typing import Any

from apps.backups.services import backups, restores
from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun


@job_handler(backups.KIND)
def write_backup(run: JobRun, **_: Any) -> None:
    backups.write_backup(run=run, now=now())


@job_handler(restores.KIND)
def restore_backup(run: JobRun, *, file: str, **_: Any) -> None:
    restores.restore(run=run, file=file, now=now())
