"""The jobs that import catalogue files and delete old figures."""

import datetime as dt
from typing import Any

from apps.catalog.services import prices, uploads
from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun


@job_handler(uploads.KIND, folder=uploads.FOLDER)
def import_files(run: JobRun, *, files: list[list[str]], reread: bool = False, **_: Any) -> None:
    uploads.import_files(run=run, files=files, reread=reread, clock=now)


@job_handler("catalog.delete_old_figures", every=dt.timedelta(days=1))
def delete_old_figures(run: JobRun, **_: Any) -> None:
    prices.delete_old_figures(now=now())
    with run.finish():
        pass
