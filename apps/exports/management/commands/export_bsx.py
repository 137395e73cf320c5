"""`manage.py export_bsx`: a batch or the inventory of a user as a BSX file."""

import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from apps.accounts.models import User
from apps.accounts.selectors import owner_named
from apps.batches.models import Batch
from apps.core.clock import now
from apps.core.jobs.foreground import run_in_foreground
from apps.core.jobs.models import JobState
from apps.core.management.command import OperatorCommand, write_whole
from apps.exports.models import Export
from apps.exports.services.exports import ExportOptions, open_file, start_export

SHOWN = 20
HELP = """\
Write a batch, or the whole inventory, of a user as a BSX file that BrickStore opens.

  manage.py export_bsx --user ann@example.org --inventory -o store.bsx
  manage.py export_bsx --user ann@example.org --batch 12            (named after the batch)
  manage.py export_bsx --user ann@example.org --batch 12 -o -       (to the standard output)

Every field of a lot is written, tags of other programs included. What no BSX file can hold
is left out and listed. Remarks name the location, in front of what they say.

Progress and what was left out go to the standard error. The file appears when it is whole.

Exit code 0: done. 1: done, but some lots were left out. 2: refused, no file was written.
"""


class Command(OperatorCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True, metavar="EMAIL", help="whose it is")
        scope = parser.add_mutually_exclusive_group(required=True)
        scope.add_argument("--batch", type=int, metavar="ID")
        scope.add_argument("--inventory", action="store_true")
        parser.add_argument("-o", "--output", metavar="FILE", help="- is the standard output")
        parser.add_argument(
            "--without-zero", action="store_true", help="leave out lots with quantity 0"
        )
        parser.add_argument(
            "--compatible",
            action="store_true",
            help="for BrickSync and BrickStock: a DOCTYPE, and no currency",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_named(options["user"])
        batch = None
        if options["batch"] is not None:
            batch = Batch.objects.owned_by(owner).ready().filter(pk=options["batch"]).first()
            if batch is None:
                raise CommandError(
                    f"{owner.email_address} has no batch {options['batch']}.", returncode=2
                )
        export = self._written(owner, batch, options)
        where = options["output"] or export.file_name
        self._hand_over(export, where)
        self._tell_left_out(export)
        for one in export.notices[:SHOWN]:
            row = "The file" if one["id"] is None else f"{one['id']}"
            self.stderr.write(f"{row}, {one['field']}: {one['message']}")
        if where != "-":
            self.stdout.write(f"{export.row_count:,} lots written to {where}")
        if export.failed_count:
            raise CommandError(f"{export.failed_count:,} lots were left out.", returncode=1)

    def _tell_left_out(self, export: Export) -> None:
        for one in export.failed[:SHOWN]:
            self.stderr.write(f"{one['id']} ({one['name']}): {one['reason']}")

    def _written(self, owner: User, batch: Batch | None, options: dict[str, Any]) -> Export:
        with self.progress() as line:
            export = start_export(
                owner=owner,
                batch=batch,
                options=ExportOptions(
                    include_zero_quantity=not options["without_zero"],
                    compatible=options["compatible"],
                ),
                now=now(),
            )
            job = run_in_foreground(job=export.job, tell=line)
        export.refresh_from_db()
        if job.state != JobState.SUCCEEDED:
            self._tell_left_out(export)
            raise CommandError(job.message or f"The export was {job.state}.", returncode=2)
        if not export.file:
            raise CommandError(job.message, returncode=2)
        return export

    def _hand_over(self, export: Export, where: str) -> None:
        with open_file(export=export) as file:
            if where == "-":
                shutil.copyfileobj(file, sys.stdout.buffer)
                return
            write_whole(file, Path(where))
