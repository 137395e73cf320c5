"""The job that imports catalogue files."""

from typing import Any

from apps.catalog.services import uploads
from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun


@job_handler(uploads.KIND, folder=uploads.FOLDER)
def import_files(run: JobRun, *, files: list[list[str]], reread: bool = False, **_: Any) -> None:
    uploads.import_files(run=run, files=files, reread=reread, clock=now)
