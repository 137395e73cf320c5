"""`manage.py restore_backup`: a backup back into an empty account."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import CommandError

from apps.accounts.models import User
from apps.accounts.selectors import owner_named
from apps.backups.services.restores import start_restore
from apps.core.errors import DomainError
from apps.core.jobs.foreground import run_in_foreground
from apps.core.jobs.models import JobState
from apps.core.management.command import OperatorCommand

SHOWN = 20
HELP = """\
Restore a backup into the account of a user, which must hold nothing yet. What cannot be
restored is left out row by row and listed; nothing else is lost.

  manage.py restore_backup ann.zip --user ann@example.org

Every row is checked before the first is written, and the ledger afterwards.
Exit code 0: done. 1: done, but rows or values were left out.
2: refused, nothing was changed.
"""


class Command(OperatorCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a backup")
        parser.add_argument("--user", required=True, metavar="EMAIL", help="whose it becomes")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_named(options["user"])
        job = self._restored(owner, Path(options["file"]))
        if job.state != JobState.SUCCEEDED:
            raise CommandError(job.message or f"The restore was {job.state}.", returncode=2)
        self.stdout.write(f"{job.result['rows']:,} rows restored for {owner.email_address}")
        for one in job.failed[:SHOWN]:
            self.stderr.write(f"{one['name']}: {one['reason']}")
        if job.failed_count:
            raise CommandError(f"{job.failed_count:,} rows or values were left out.", returncode=1)

    def _restored(self, owner: User, path: Path) -> Any:
        try:
            with self.progress() as line:
                with path.open("rb") as file:
                    job = start_restore(owner=owner, file=File(file), file_name=path.name)
                return run_in_foreground(job=job, tell=line)
        except OSError as problem:
            raise CommandError(f"{path}: {problem.strerror or problem}", returncode=2) from problem
        except DomainError as refusal:
            raise CommandError(refusal.text, returncode=2) from refusal
