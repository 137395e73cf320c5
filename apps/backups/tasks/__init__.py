"""The jobs that write a backup and bring one back."""

from typing import Any

from apps.backups.models import FOLDER
from apps.backups.services import backups, restores
from apps.backups.tasks.row_checks import row_checks
from apps.core.clock import now
from apps.core.jobs.kept_file import file_left_behind
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun


def _restore_stopped(run: JobRun, reason: str, *, file: str, **_: Any) -> None:
    restores.restore_stopped(run=run, file=file)


@job_handler(backups.KIND, stopped=file_left_behind, folder=FOLDER)
def write_backup(run: JobRun, **_: Any) -> None:
    backups.write_backup(run=run, now=now())


@job_handler(restores.KIND, stopped=_restore_stopped, folder=FOLDER)
def restore_backup(run: JobRun, *, file: str, **_: Any) -> None:
    restores.restore(run=run, file=file, checks=row_checks(), now=now())
