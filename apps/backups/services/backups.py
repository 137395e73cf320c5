"""Ask for a backup, write it, hand it out, delete it."""

import datetime as dt
import json
import tempfile
import zipfile
from collections.abc import Iterator
from typing import IO, Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.services.users import preferences_of
from apps.backups.models import FOLDER, Backup
from apps.backups.rules import CONTENTS, FORMAT, HEAD, ITEMS, LOTS, PRODUCT, file_name_of
from apps.backups.services._archive import write_rows
from apps.backups.services._tables import (
    PERSON,
    PERSON_FIELDS,
    Meaning,
    Table,
    tables,
)
from apps.backups.services._values import to_file
from apps.catalog.models import Item, ItemInventory, Lot
from apps.core.concurrency import snapshot
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.kept_file import delete_written, forget_left_file, kept_file
from apps.core.jobs.run import JobFailed, JobRun
from apps.exchange.bsx_writer import write_bsx
from apps.exchange.csv_lots import write_lots_csv
from apps.inventory.models import InventoryItem
from apps.inventory.selectors import bsx_lots_of

# The ids of the catalogue that the rows name.
Named = dict[Meaning, set[int]]

KIND: Final = "backups.write_backup"
AT_ONCE: Final = 2_000
README: Final = f"""\
A backup of {PRODUCT}.

inventory.bsx   your inventory for BrickStore and other programs
inventory.csv   the same as a table
rows/           everything, one JSON object a line; this is what is restored
{HEAD}     what is in it

To bring it back: Settings, Backup, Restore, in an account that holds nothing yet,
or  manage.py restore_backup FILE --user EMAIL
"""


@transaction.atomic
def start_backup(*, owner: User, now: dt.datetime) -> Backup:
    """Ask for a zip of everything of `owner`; a job writes it."""
    job = start_job(owner=owner, kind=KIND, payload={})
    return Backup.objects.create(
        owner=owner, job=job, file_name=file_name_of(day=now.date().isoformat())
    )


def delete_backups(*, owner: User) -> None:
    """Delete the backups that are kept here, since they hold the data of a forgotten buyer."""
    for backup in Backup.objects.owned_by(owner).select_related("job").order_by("pk"):
        delete_written(backup)


def write_backup(*, run: JobRun, now: dt.datetime) -> None:
    """Write the backup that this job belongs to; it is there when it is whole.

    All rows are of one moment. Raises JobFailed, JobCancelled.
    """
    backup = Backup.objects.select_related("owner").filter(job_id=run.job.pk).first()
    if backup is None:
        raise JobFailed(reason="This backup was deleted.")
    forget_left_file(run)
    owner = backup.owner
    run.total = sum(table.rows_of(owner).count() for table in tables())
    with tempfile.TemporaryFile() as out:
        run.beat(message="Writing the rows")
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            with snapshot():
                counts = _write_everything(archive, owner)
            run.beat(done=run.total, message="Writing the inventory for other programs")
            _write_for_others(archive, owner)
            head = {
                "product": PRODUCT,
                "format": FORMAT,
                "made_at": now.isoformat(),
                "currency": preferences_of(user=owner).currency,
                "counts": counts,
            }
            archive.writestr(HEAD, json.dumps(head, indent=2))
        size = out.tell()
        with (
            kept_file(run, out, folder=FOLDER, suffix="zip", done=run.total) as stored,
            run.finish(result={"backup_id": backup.pk, "size": size, "counts": counts}),
        ):
            Backup.objects.filter(pk=backup.pk).update(
                file=stored, size=size, counts=counts, written_at=now, updated_at=now
            )


def _write_everything(archive: zipfile.ZipFile, owner: User) -> dict[str, int]:
    counts: dict[str, int] = {}
    named: Named = {Meaning.LOT: set(), Meaning.ITEM: set(), Meaning.CONTENTS: set()}
    for table in tables():
        counts[table.name] = write_rows(archive, table.name, _rows(table, owner, named))
    counts[CONTENTS] = write_rows(archive, CONTENTS, _contents(named))
    counts[LOTS] = write_rows(archive, LOTS, _lots(named[Meaning.LOT]))
    counts[ITEMS] = write_rows(archive, ITEMS, _items(named[Meaning.ITEM]))
    person = {name: getattr(owner, name) for name in PERSON_FIELDS}
    counts[PERSON] = write_rows(archive, PERSON, [person])
    return counts


def _rows(table: Table, owner: User, named: Named) -> Iterator[dict[str, Any]]:
    columns = table.stored
    rows = table.rows_of(owner).values_list(*(column.name for column in columns))
    for values in rows.iterator(chunk_size=AT_ONCE):
        row = {}
        for column, value in zip(columns, values, strict=True):
            if column.meaning is Meaning.PERSON:
                value = True if value == owner.pk else None
            elif column.meaning is Meaning.ELSEWHERE:
                value = None
            elif value is not None and column.meaning in named:
                named[column.meaning].add(value)
            row[column.name] = to_file(value)
        yield row


def _contents(named: Named) -> Iterator[dict[str, Any]]:
    for some in _in_pieces(named[Meaning.CONTENTS]):
        rows = ItemInventory.objects.filter(pk__in=some).order_by("pk")
        for row in rows.values("id", "item_id", "catalogue", "version"):
            named[Meaning.ITEM].add(row["item_id"])
            yield {**row}


def _lots(lot_ids: set[int]) -> Iterator[dict[str, Any]]:
    names = ("id", "item__item_type", "item__number", "item__name", "color_id", "color__name")
    told = ("id", "item_type", "number", "item_name", "color_id", "color_name")
    for some in _in_pieces(lot_ids):
        for values in Lot.objects.filter(pk__in=some).order_by("pk").values_list(*names):
            yield dict(zip(told, values, strict=True))


def _items(item_ids: set[int]) -> Iterator[dict[str, Any]]:
    names = ("id", "item_type", "number", "name")
    for some in _in_pieces(item_ids):
        yield from Item.objects.filter(pk__in=some).order_by("pk").values(*names)


def _in_pieces(ids: set[int]) -> Iterator[list[int]]:
    ordered = sorted(ids)
    return (ordered[start : start + AT_ONCE] for start in range(0, len(ordered), AT_ONCE))


def _write_for_others(archive: zipfile.ZipFile, owner: User) -> None:
    rows = InventoryItem.objects.owned_by(owner)
    with _part(archive, "inventory.bsx") as out:
        currency = preferences_of(user=owner).currency
        write_bsx(
            (lot for _pk, lot in bsx_lots_of(rows, with_promised=True)), out, currency=currency
        )
    places = dict(rows.values_list("pk", "location__name"))
    with _part(archive, "inventory.csv") as out:
        write_lots_csv(
            ((lot, places.get(pk) or "") for pk, lot in bsx_lots_of(rows, with_promised=True)),
            out,
            currency=currency,
        )
    archive.writestr("README.txt", README)


def _part(archive: zipfile.ZipFile, name: str) -> Any:
    part: IO[bytes] = archive.open(name, "w", force_zip64=True)
    return part
