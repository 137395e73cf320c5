"""Exports as tests ask for them."""

import datetime as dt
import io

from apps.core.testing.jobs import run_jobs
from apps.exchange.bsx_reader import read_bsx
from apps.exports.models import ExportKind
from apps.exports.services.exports import ExportOptions, open_file, start_export

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


def export_of(owner, batch=None, *, kind=ExportKind.BSX, **options):
    """A written export of a batch, or of the inventory."""
    export = start_export(
        owner=owner, batch=batch, kind=kind, options=ExportOptions(**options), now=NOON
    )
    run_jobs()
    export.refresh_from_db()
    return export


def content_of(export):
    """The bytes of the written file."""
    with open_file(export=export) as file:
        return file.read()


def lots_in(export):
    """The lots of the written file, read again."""
    return list(read_bsx(io.BytesIO(content_of(export))))
