"""Small BSX files, and a sync driven through its jobs as the worker drives it."""

from contextlib import contextmanager

from django.core.files.uploadedfile import SimpleUploadedFile

from apps.core.jobs.models import Job
from apps.core.jobs.run import progressed
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.services.bsx_sync import SyncOptions, start_apply, start_sync, start_undo


def lot(number="3001", color=5, qty=1, price="0.100", condition="U", kind="P", **tags):
    """One `<Item>`; further tags by name."""
    fields = {
        "ItemID": number,
        "ItemTypeID": kind,
        "ColorID": color,
        "Qty": qty,
        "Price": price,
        "Condition": condition,
        **tags,
    }
    inner = "".join(f"<{tag}>{text}</{tag}>" for tag, text in fields.items())
    return f"<Item>{inner}</Item>"


def bsx(*lots, currency="EUR"):
    """A whole file."""
    named = f' Currency="{currency}"' if currency else ""
    body = "\n".join(lots)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<BrickStoreXML>\n<Inventory{named}>\n'
        f"{body}\n</Inventory>\n</BrickStoreXML>\n"
    ).encode()


def preview(owner, content, name="store.bsx", **options):
    """Upload and preview a file. Return the sync after its job."""
    sync = start_sync(
        owner=owner,
        file=SimpleUploadedFile(name, content),
        file_name=name,
        options=SyncOptions(**options),
        by=owner,
    )
    run_jobs()
    sync.refresh_from_db()
    return sync


def apply(sync, confirm_zeroed=None):
    """Apply a preview. Return the sync after its job."""
    start_apply(sync=sync, confirm_zeroed=confirm_zeroed, by=sync.owner)
    run_jobs()
    sync.refresh_from_db()
    return sync


@contextmanager
def cancelled_when(is_time):
    """Press cancel when `is_time(run)`, between two chunks of a job, as a person would."""

    def press(*, run, **_):
        if is_time(run):
            Job.objects.filter(pk=run.job.pk).update(cancel_requested=True)

    progressed.connect(press)
    try:
        yield
    finally:
        progressed.disconnect(press)


def undo(sync, **choice):
    start_undo(sync=sync, by=sync.owner, **choice)
    run_jobs()
    sync.refresh_from_db()
    return sync


def sync_file(owner, content, **options):
    """Preview and apply a file, confirming all rows set to 0."""
    sync = preview(owner, content, **options)
    return apply(sync, confirm_zeroed=sync.counts["zeroed"])


def stock(owner):
    """Everything that a row says, by id: what an undo has to restore."""
    rows = InventoryItem.objects.owned_by(owner).order_by("pk")
    return list(
        rows.values("id", "quantity", "lot_id", "location_id", "piece_grams", *FILE_COLUMNS)
    )
