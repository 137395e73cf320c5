"""`manage.py back_up`: everything of a user as a zip."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from apps.accounts.models import User
from apps.accounts.selectors import owner_named
from apps.backups.models import Backup
from apps.backups.services.backups import start_backup
from apps.core.clock import now
from apps.core.jobs.foreground import run_in_foreground
from apps.core.jobs.kept_file import delete_written, open_written
from apps.core.jobs.models import JobState
from apps.core.management.command import OperatorCommand, write_whole

HELP = """\
Write everything that a user keeps here into one zip: the inventory as BSX and CSV for other
programs, and every row (locations, stock with its ledger, batches, sets, settings) for
restore_backup. Secrets of marketplaces and sign-ins are not in it.

  manage.py back_up --user ann@example.org --to ann.zip

All rows are of one moment. The file appears when it is whole.
Exit code 0: done. 2: refused, no file was written.
"""


class Command(OperatorCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True, metavar="EMAIL", help="whose it is")
        parser.add_argument("--to", required=True, metavar="FILE", help="the zip to write")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_named(options["user"])
        backup = self._written(owner)
        path = Path(options["to"])
        try:
            with open_written(backup) as file:
                write_whole(file, path)
        finally:
            delete_written(backup)  # it is in the file now, not among the user's own
        rows = sum(backup.counts.values())
        self.stdout.write(f"{rows:,} rows written to {path} ({backup.size:,} bytes)")

    def _written(self, owner: User) -> Backup:
        with self.progress() as line:
            backup = start_backup(owner=owner, now=now())
            job = run_in_foreground(job=backup.job, tell=line)
        if job.state != JobState.SUCCEEDED:
            delete_written(backup)
            raise CommandError(job.message or f"The backup was {job.state}.", returncode=2)
        backup.refresh_from_db()
        return backup
