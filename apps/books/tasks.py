"""The job of the books: the names of buyers leave invoices when their time is over."""

import datetime as dt
from typing import Any

from apps.books.services import invoices
from apps.core.clock import now
from apps.core.jobs.registry import job_handler
from apps.core.jobs.run import JobRun


@job_handler("books.forget_old_invoices", every=dt.timedelta(days=1))
def forget_old_invoices(run: JobRun, **_: Any) -> None:
    invoices.forget_old_invoices(now=now())
    with run.finish():
        pass
