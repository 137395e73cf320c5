"""Files that lost their process between being stored and being named by a row or a job."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django.apps import apps
from django.core.files.storage import default_storage
from django.db.models import FileField

from apps.core.jobs.models import Job, JobState
from apps.core.jobs.registry import folders

# Far longer than an upload takes to get its row.
KEPT_FOR: Final = dt.timedelta(days=1)


def forget_stray_files(*, now: dt.datetime) -> int:
    """Delete files of jobs that are older than a day and named by nothing. Return how many.

    A failed job may be tried again, so that its file counts as named.
    """
    found = {name for folder in set(folders().values()) for name in _files_in(folder)}
    if not found:
        return 0
    # In this order: a job may hand its file to a row meanwhile.
    stray = found - set(_named_by_jobs())
    stray -= set(_named_by_rows())
    gone = 0
    for name in sorted(stray):
        if default_storage.get_modified_time(name) < now - KEPT_FOR:
            default_storage.delete(name)
            gone += 1
    return gone


def _files_in(folder: str) -> Iterator[str]:
    try:
        inner, names = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    yield from (f"{folder}/{name}" for name in names)
    for one in inner:
        yield from _files_in(f"{folder}/{one}")


def _named_by_rows() -> Iterator[str]:
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, FileField):
                rows = model._base_manager.exclude(**{field.name: ""}).order_by()
                yield from rows.values_list(field.name, flat=True).iterator(2_000)


def _named_by_jobs() -> Iterator[str]:
    jobs = Job.objects.filter(kind__in=folders()).order_by()
    jobs = jobs.exclude(state__in=(JobState.SUCCEEDED, JobState.CANCELLED))
    for parts in jobs.values_list("payload", "checkpoint").iterator(500):
        yield from _texts(parts)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
