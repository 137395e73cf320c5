"""The task that writes an export; Celery runs it (apps/core/jobs)."""

from typing import Any

from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.exports.services import exports


def _stopped(run: JobRun, reason: str, **_: Any) -> None:
    exports.export_stopped(run=run)


@job_handler(exports.KIND, stopped=_stopped)
def write_file(run: JobRun, **_: Any) -> None:
    exports.write_export(run=run, now=now())
