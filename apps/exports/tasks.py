"""The task that writes an export; Celery runs it (apps/core/jobs)."""

from typing import Any

from apps.core.clock import now
from apps.core.jobs.kept_file import file_left_behind
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.exports.models import FOLDER
from apps.exports.services import exports


@job_handler(exports.KIND, stopped=file_left_behind, folder=FOLDER)
def write_file(run: JobRun, **_: Any) -> None:
    exports.write_export(run=run, now=now())
