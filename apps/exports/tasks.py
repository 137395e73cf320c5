"""The job that writes an export."""

from typing import Any

from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun
from apps.exports.services import exports


@job_handler(exports.KIND)
def write_file(run: JobRun, **_: Any) -> None:
    exports.write_export(run=run, now=now())
