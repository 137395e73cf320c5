"""Catalogue files that an operator sends in the browser: kept, imported by a job, forgotten."""

import datetime as dt
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction

from apps.accounts.models import User
from apps.catalog.models import ImportRun
from apps.catalog.services.imports import (
    ImportAlreadyRunning,
    ImportOptions,
    NothingToImport,
    Report,
    import_catalog,
    recognise_files,
)
from apps.core.errors import UploadTooLarge
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun, TryLater
from apps.core.waiting import counted

KIND: Final = "catalog.import_files"
FOLDER: Final = "catalog-imports"
# A step of a whole catalogue may take this long before it can report progress.
STEP_SECONDS: Final = 600
SHOWN_REASONS: Final = 50
MIB: Final = 1024 * 1024


def start_file_import(*, files: Sequence[File[Any]], reread: bool, by: User) -> Job:
    """Keep the files and start the job that imports them. Raises NothingToImport, UploadTooLarge."""
    _refuse_large(files)
    if not files:
        raise NothingToImport(reason="Choose at least one file.")
    folder = f"{FOLDER}/{uuid.uuid4().hex}"
    kept: list[tuple[str, str]] = []
    try:
        for place, file in enumerate(files):
            stored = default_storage.save(f"{folder}/{place}", file)
            kept.append((stored, Path(file.name or "").name or str(place)))
        with transaction.atomic():
            return start_job(owner=by, kind=KIND, payload={"files": kept, "reread": reread})
    except BaseException:
        _forget(kept)
        raise


def check_files(*, files: Sequence[File[Any]]) -> list[dict[str, str]]:
    """Return what each file was recognised as, or why it is not read. Raises UploadTooLarge."""
    _refuse_large(files)
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for place, file in enumerate(files):
            path = Path(folder, str(place), Path(file.name or "").name or str(place))
            path.parent.mkdir()
            with path.open("wb") as copy:
                for chunk in file.chunks():
                    copy.write(chunk)
            paths.append(path)
        return [
            {"name": one.name, "table": one.table, "reason": one.note}
            for one in recognise_files(paths)
        ]


def _refuse_large(files: Sequence[File[Any]]) -> None:
    if sum(file.size or 0 for file in files) > settings.MAX_UPLOAD_BYTES:
        raise UploadTooLarge(limit_mib=settings.MAX_UPLOAD_BYTES // MIB)


def import_files(
    *, run: JobRun, files: Sequence[Sequence[str]], reread: bool, clock: Callable[[], dt.datetime]
) -> None:
    """Import the stored files, reporting each table as it begins; then delete them.

    Each step of an import commits by itself, so another attempt continues where one stopped.
    Raises NothingToImport, TryLater while another import runs, JobCancelled.
    """
    _end_what_broke_off(run)
    began = clock()
    with run.chunk(message="Reading the files"):
        run.state["began"] = began.isoformat()
    times = _first(began, clock)
    try:
        with _copies(files) as paths:
            report = import_catalog(
                paths=paths,
                options=ImportOptions(
                    reread=reread,
                    progress=lambda table: run.beat(
                        message=f"Importing {table}", lease_seconds=STEP_SECONDS
                    ),
                ),
                clock=times,
            )
    except ImportAlreadyRunning as problem:
        raise TryLater(problem.text) from problem
    except NothingToImport:
        _forget(files)
        raise
    for figures in report.files.values():
        if figures.note or figures.state not in {"read", "unchanged"}:
            run.fail_item({"name": figures.name, "reason": figures.note or figures.state})
    for name, reason, count in report.reasons()[:SHOWN_REASONS]:
        run.fail_item({"name": name, "reason": f"{counted(count, 'row')}: {reason}"})
    run.message = _summary(report)
    with run.finish(result=_result(report)):
        pass
    _forget(files)


def _end_what_broke_off(run: JobRun) -> None:
    """End the import of an earlier attempt at this job, whose worker is dead."""
    if began := run.state.get("began"):
        ImportRun.objects.filter(
            is_running=True, started_at=dt.datetime.fromisoformat(began)
        ).update(is_running=False, message="broke off: its worker was stopped")


def _first(moment: dt.datetime, clock: Callable[[], dt.datetime]) -> Callable[[], dt.datetime]:
    """Return the clock, but with `moment` first: by it the import's row is found again."""
    waiting = [moment]
    return lambda: waiting.pop() if waiting else clock()


@contextmanager
def _copies(files: Sequence[Sequence[str]]) -> Iterator[list[Path]]:
    """Yield local copies of the files, under the names from which their contents are recognised."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for place, (stored, name) in enumerate(files):
            path = Path(folder, str(place), Path(name).name)
            path.parent.mkdir()
            with default_storage.open(stored, "rb") as source, path.open("wb") as copy:
                shutil.copyfileobj(source, copy)
            paths.append(path)
        yield paths


def _forget(files: Sequence[Sequence[str]]) -> None:
    for stored, _name in files:
        default_storage.delete(stored)


def _summary(report: Report) -> str:
    written = f"{report.written:,} rows written" if report.written else "The catalogue is as it was"
    refused = f", {report.refused:,} refused" if report.refused else ""
    parked = f", {report.parked:,} parked" if report.parked else ""
    return f"{written}{refused}{parked}."


def _result(report: Report) -> dict[str, Any]:
    return {
        "written": report.written,
        "refused": report.refused,
        "parked": report.parked,
        "tables": {
            name: {"added": table.added, "changed": table.changed, "retired": table.retired}
            for name, table in report.tables.items()
            if table.written
        },
    }
