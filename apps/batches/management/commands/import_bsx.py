"""`manage.py import_bsx`: a BSX file over a user's inventory, or as a new batch."""

from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.management.base import CommandError

from apps.accounts.models import User
from apps.accounts.selectors import owner_named
from apps.batches.services import bsx_import
from apps.core.errors import DomainError
from apps.core.jobs.foreground import run_in_foreground
from apps.core.jobs.models import Job, JobState
from apps.core.management.command import OperatorCommand
from apps.inventory.models import InventorySync, SyncTarget
from apps.inventory.selectors.syncs import sync_rows
from apps.inventory.services import bsx_sync
from apps.lots.rules import name_to_show

SHOWN = 20
HELP = """\
Import a BSX file (BrickStore, BrickStock, BrickSync, …) for a user.

  manage.py import_bsx store.bsx --user ann@example.org --as inventory
      The file is the truth about the store: rows are made and changed as it says, lots that
      it lacks go to quantity 0, nothing is deleted. Remarks name the locations; those that
      are missing are made with --create-locations. It can be undone on the Inventory page.
      Remarks such as B-07;C-01 name several locations: --several-locations says what becomes
      of them, by default nothing.
      When more than a tenth of the lots would fall to 0, give their number: --confirm-zeroed.

  manage.py import_bsx lot.bsx --user ann@example.org --as batch --batch-name "Flea market"
      The lots become a new batch, which appears when it is whole. Remarks that name a
      location plan the lot for it.

  manage.py import_bsx store.bsx --user ann@example.org --as inventory --dry-run
      Tell what would be done and change nothing. (The list of imports shows the preview of an
      inventory as cancelled.)

A file in another currency than the user's store is refused until you say what its amounts
are: --currency-action relabel (they are the store's already), or convert with --rate (how
much one unit of the file's currency is in the store's). A file without a currency is in USD.
A file that stops in the middle is refused; --repair imports its whole lots.

Progress goes to the standard error. Ctrl+C stops between two pieces of work; of an
inventory what was imported so far stays (and can be undone), of a batch nothing does.

Exit code 0: done. 1: done, but some lots could not be read (they are listed). 2: refused,
nothing was imported.
"""


class Command(OperatorCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--user", required=True, metavar="EMAIL", help="whose it becomes")
        parser.add_argument("--as", required=True, choices=["inventory", "batch"], dest="what")
        parser.add_argument("--batch-name", default="", metavar="NAME", help="else the file's")
        parser.add_argument(
            "--create-locations", action="store_true", help="make locations that Remarks name"
        )
        parser.add_argument(
            "--several-locations",
            choices=["ignore", "first", "whole"],
            default="ignore",
            help="of Remarks that name several: none, the first, the text as one name",
        )
        parser.add_argument(
            "--split-quantities",
            action="store_true",
            help="a row for each where Remarks say how many lie in which",
        )
        parser.add_argument("--dry-run", action="store_true", help="change nothing")
        parser.add_argument("--currency-action", choices=["relabel", "convert"], default="")
        parser.add_argument("--rate", type=_rate, help="for convert: store's units for one")
        parser.add_argument("--repair", action="store_true", help="take a truncated file")
        parser.add_argument(
            "--confirm-zeroed", type=int, metavar="N", help="so many lots may fall to 0"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_named(options["user"])
        path: Path = options["file"]
        act = self._preview if options["dry_run"] else self._import
        try:
            with self.progress() as self.line, path.open("rb") as stream:
                refused = act(owner, File(stream, name=path.name), options)
        except OSError as problem:
            raise CommandError(f"{path}: {problem.strerror or problem}", returncode=2) from problem
        except DomainError as refusal:
            raise CommandError(refusal.text, returncode=2) from refusal
        if refused:
            raise CommandError(f"{refused:,} lots could not be read.", returncode=1)

    def _import(self, owner: User, file: File[bytes], options: dict[str, Any]) -> int:
        sync = self._previewed(owner, file, options)
        sync = bsx_sync.start_apply(sync=sync, confirm_zeroed=options["confirm_zeroed"], by=owner)
        job = self._run(_job_of(sync))
        sync.refresh_from_db()
        if sync.target == SyncTarget.BATCH:
            self.stdout.write(f"Batch {sync.batch_id} “{job.result['name']}”:")
        self._tell_counts(sync, sync.applied_counts, "")
        return self._tell_unreadable(sync)

    def _preview(self, owner: User, file: File[bytes], options: dict[str, Any]) -> int:
        sync = self._previewed(owner, file, options)
        self._tell_counts(sync, sync.counts, "would be ")
        bsx_sync.start_preview(
            sync=sync, options=bsx_sync.SyncOptions(currency_action="stop"), by=owner
        )
        return self._tell_unreadable(sync)

    def _previewed(self, owner: User, file: File[bytes], options: dict[str, Any]) -> InventorySync:
        reading = bsx_sync.SyncOptions(
            create_locations=options["create_locations"],
            several_locations=options["several_locations"],
            split_quantities=options["split_quantities"],
            currency_action=options["currency_action"],
            rate=str(options["rate"] or ""),
            repair=options["repair"],
        )
        name = str(file.name)
        if options["what"] == "batch":
            sync = bsx_import.start_import(
                owner=owner,
                file=file,
                file_name=name,
                options=bsx_import.ImportOptions(
                    name=options["batch_name"], reading=reading, always_waits=True
                ),
                by=owner,
            )
        else:
            sync = bsx_sync.start_sync(
                owner=owner, file=file, file_name=name, options=reading, by=owner
            )
        self._run(_job_of(sync))
        sync.refresh_from_db()
        return sync

    def _tell_counts(self, sync: InventorySync, counts: dict[str, Any], would: str) -> None:
        made = counts.get("created", 0) + counts.get("unknown_created", 0)
        found = sync.counts
        conditions = found.get("unknown_conditions", 0)
        pieces = f"{found['lots']:,} lots, {found['pieces']:,} pieces ({sync.currency})"
        if sync.target == SyncTarget.BATCH:
            self.stdout.write(
                f"{pieces}: {made:,} {would}made, {found['unknown'] - conditions:,} of them are unknown to the "
                "catalogue."
            )
        else:
            changed = counts.get("changed", 0) + counts.get("unknown_changed", 0)
            odd = found["unknown"] - found["unknown_created"] - found["unknown_changed"]
            self.stdout.write(
                f"{pieces}: {made:,} {would}made, {changed:,} {would}changed, "
                f"{counts.get('zeroed', 0):,} {would}set to 0, "
                f"{found['unchanged'] + odd:,} as they were. "
                f"{found['unknown'] - conditions:,} of them are unknown to the catalogue."
            )
        if conditions:
            self.stdout.write(f"Lots whose condition was not understood: {conditions:,}.")
        self._tell_locations(sync.new_locations, f"{would}made")
        for warning in sync.warnings:
            self.stdout.write(warning["message"])
        warned = sync_rows(sync=sync, kind="warnings", offset=0, limit=SHOWN)
        self._tell_warnings(warned.rows, warned.total)

    def _tell_unreadable(self, sync: InventorySync) -> int:
        found = sync_rows(sync=sync, kind="unreadable", offset=0, limit=SHOWN)
        for row in found.rows:
            name = name_to_show(
                name=row["item_name"], number=row["item_number"], color=row["color_name"]
            )
            self.stdout.write(f"Lot {row['index'] + 1} ({name}): {row['reason']}")
        if found.total > SHOWN:
            self.stdout.write(f"… and {found.total - SHOWN:,} more.")
        return found.total

    def _run(self, job: Job) -> Job:
        """Run a job here, telling its progress. Raises CommandError when it does not succeed."""
        job = run_in_foreground(job=job, tell=self.line)
        self.line.end()
        if job.state != JobState.SUCCEEDED:
            raise CommandError(job.message or f"The import was {job.state}.", returncode=2)
        return job

    def _tell_locations(self, names: list[str], verb: str) -> None:
        if names:
            shown = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
            self.stdout.write(f"{len(names):,} locations {verb}: {shown}")

    def _tell_warnings(self, warnings: list[dict[str, Any]], count: int) -> None:
        if not count:
            return
        verb = "1 value was" if count == 1 else f"{count:,} values were"
        self.stdout.write(f"{verb} read otherwise than written:")
        for one in warnings:
            self.stdout.write(f"Lot {one['index'] + 1}: {one['message']}")
        if count > SHOWN:
            self.stdout.write(f"… and {count - SHOWN:,} more.")


def _rate(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(text) from None


def _job_of(sync: InventorySync) -> Job:
    if sync.job is None:
        raise CommandError("The job of this import is gone.", returncode=2)
    return sync.job
