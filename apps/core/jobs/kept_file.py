"""The file that a job writes: none is left behind, however often its worker is killed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction

from apps.core.concurrency import after_commit
from apps.core.errors import StateConflict
from apps.core.jobs.dispatch import JobFinished, cancel_job
from apps.core.jobs.run import JobRun


class NotWrittenYet(StateConflict):
    message = "The {called} is not there: its job is {state}."


def open_written(row: Any) -> File[bytes]:
    """Return the content of a `WrittenFile`. Raises NotWrittenYet."""
    if not row.file:
        raise NotWrittenYet(called=row.called, state=row.job.state)
    return default_storage.open(str(row.file.name), "rb")


def delete_written(row: Any) -> None:
    """Delete a `WrittenFile` with its content; a job that still writes it stops."""
    with transaction.atomic():
        with suppress(JobFinished):
            cancel_job(job=row.job)
        row.delete()
        if row.file:
            after_commit(default_storage.delete, str(row.file.name))


@contextmanager
def kept_file(
    run: JobRun, out: IO[bytes], *, folder: str, suffix: str, done: int | None = None
) -> Iterator[str]:
    """Store `out` and yield its name in the storage; delete it if the body fails.

    The body's last chunk calls `now_named`, or finishes the job. Raises what a chunk raises.
    """
    name = f"{folder}/{run.job.pk.hex}-{run.token.hex}.{suffix}"
    with run.chunk(done=done, message="Keeping the file"):
        # Should this worker be killed, the next attempt removes the file it left.
        run.state["stored"] = name
    out.seek(0)
    default_storage.save(name, File(out))
    try:
        yield name
    except Exception:  # what a kill leaves is deleted by the next attempt
        default_storage.delete(name)
        raise


def now_named(run: JobRun) -> None:
    """Note, in the chunk that names the file in a row, that it is no longer one left behind."""
    run.state.pop("stored", None)


def forget_left_file(run: JobRun) -> None:
    """Delete the file of an attempt that was killed, at the start of the next one."""
    if left := run.state.pop("stored", ""):
        default_storage.delete(left)


def file_left_behind(run: JobRun, reason: str = "", **_: Any) -> None:
    """Delete the file of a job that was given up or cancelled; for `job_handler(stopped=…)`."""
    if left := run.state.pop("stored", ""):
        after_commit(default_storage.delete, left)
