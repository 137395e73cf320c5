"""`manage.py import_catalog`: whole catalogues from files, or fetched from Rebrickable."""

import signal
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from apps.catalog.providers.rebrickable import DownloadFailed, Downloads
from apps.catalog.services.imports import (
    ImportAlreadyRunning,
    ImportOptions,
    NothingToImport,
    Report,
    import_catalog,
)
from apps.core.clock import now
from apps.core.management.command import OperatorCommand
from apps.core.waiting import counted

REBRICKABLE = "https://cdn.rebrickable.com/media/downloads/"
SHOWN_REASONS = 12
HELP = """\
Import catalogue files: items, colours, categories, known lots, element codes, set contents.

What can be read, recognised by its header (plain, .gz or inside a .zip):
  Rebrickable   the CSV tables of https://rebrickable.com/downloads/ (all or some of them)
  BrickLink     the catalogue downloads, tab-delimited or XML; keep their names, because they
                tell the item type: Parts.txt, Sets.txt, Minifigures.txt, Gear.txt, Books.txt,
                Catalogs.txt, Instructions.txt, Original Boxes.txt, and colors, categories,
                codes; the contents of one item as S-10350-1.txt
  others        number,grams lists of part weights; colour and part maps; LDraw's part index

  manage.py import_catalog ~/Downloads/catalog             a folder, with its subfolders
  manage.py import_catalog bricklink/ rebrickable/         both catalogues, matched by the
                                                           element ids that they share
  manage.py import_catalog --fetch                         fetch Rebrickable's tables first
  manage.py import_catalog new/ --dry-run                  tell what would change

Run it again whenever files are newer: it renames and adds, retires what vanished (nothing is
ever deleted), and writes only rows that differ. Files that did not change since are not even
read. Where two files hold the same table, the one with more columns wins, then the later path.

Rows that cannot be read are refused, rows that point to something unknown are parked; both
stand in the report file with file, line and reason, and everything else is imported.

Exit code 0: done. 1: done, but a file was damaged, or more rows were refused than
--max-refused allows (with --strict: any row refused or parked). 2: nothing could be imported.
"""


class Command(OperatorCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="folder or file")
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="work in one transaction and take it back (on SQLite others wait meanwhile)",
        )
        parser.add_argument(
            "--report", type=Path, metavar="FILE", help="where refused rows go (CSV)"
        )
        parser.add_argument(
            "--fetch", action="store_true", help="download Rebrickable's tables and import them"
        )
        parser.add_argument(
            "--base-url",
            default=getattr(settings, "REBRICKABLE_DOWNLOADS_URL", REBRICKABLE),
            metavar="URL",
            help="where --fetch finds the files (default: %(default)s)",
        )
        parser.add_argument(
            "--reread", action="store_true", help="read files again that did not change"
        )
        parser.add_argument(
            "--retire",
            action="store_true",
            help="believe that a file is whole even if it lacks more than a fifth of the table",
        )
        parser.add_argument("--strict", action="store_true", help="fail on any refused row")
        parser.add_argument(
            "--max-refused",
            type=int,
            default=100,
            metavar="N",
            help="fail when more rows than this cannot be read (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        paths: list[Path] = options["paths"]
        line = _ProgressLine(self.stderr, is_shown=self.stderr.isatty())
        if not paths and not options["fetch"]:
            raise CommandError("Name a folder or file, or use --fetch.", returncode=2)
        report_path = options["report"] or (
            Path(settings.VAR_DIR) / "import-reports" / f"catalog-{now():%Y%m%d-%H%M%S}.csv"
        )
        _tidy_up_on_sigterm()
        try:
            if options["fetch"]:
                paths = [*_fetch(options["base_url"], line), *paths]
            report = import_catalog(
                paths=paths,
                options=ImportOptions(
                    dry_run=options["dry_run"],
                    reread=options["reread"],
                    retire_all=options["retire"],
                    report_path=report_path,
                    progress=line.show,
                ),
                clock=now,
            )
        except (NothingToImport, DownloadFailed) as problem:
            line.end()
            raise CommandError(str(problem), returncode=2) from problem
        except ImportAlreadyRunning as problem:
            line.end()
            raise CommandError(problem.text, returncode=1) from problem
        line.end()
        self._tell(report, is_dry=options["dry_run"])
        self._judge(report, options)

    def _tell(self, report: Report, *, is_dry: bool) -> None:
        for figures in report.files.values():
            if figures.state != "read":
                note = f": {figures.note}" if figures.note else ""
                self.stdout.write(f"{figures.name}: {figures.state}{note}")
        for name, table in report.tables.items():
            speed = f"{table.rows / table.seconds:,.0f} rows/s" if table.seconds else ""
            changes = ", ".join(
                f"{count:,} {what}"
                for count, what in (
                    (table.added, "added"),
                    (table.changed, "changed"),
                    (table.retired, "retired"),
                    (table.removed, "removed"),
                )
                if count
            )
            self.stdout.write(f"{name:16} {changes or 'nothing changed':44} {speed}".rstrip())
        for note in report.notes:
            self.stdout.write(f"Note: {note}.")
        for file, reason, count in report.reasons()[:SHOWN_REASONS]:
            self.stdout.write(f"{count:,} × {file}: {reason}")
        if report.refused or report.parked:
            self.stdout.write(
                f"{counted(report.refused, 'row')} refused, {report.parked:,} parked: {report.path}"
            )
        if not report.written:
            self.stdout.write("The catalogue is as it was.")
        elif is_dry:
            self.stdout.write(f"Dry run: {counted(report.written, 'row')} would be written.")
        else:
            self.stdout.write(f"{counted(report.written, 'row')} written.")

    def _judge(self, report: Report, options: dict[str, Any]) -> None:
        damaged = ", ".join(figures.name for figures in report.damaged)
        if damaged:
            raise CommandError(f"Damaged: {damaged}. The rest is imported.", returncode=1)
        if options["strict"] and (report.refused or report.parked):
            raise CommandError("Rows were refused or parked (--strict).", returncode=1)
        if report.refused > options["max_refused"]:
            raise CommandError(
                f"{report.refused:,} rows were refused, more than {options['max_refused']:,}.",
                returncode=1,
            )


class _ProgressLine:
    """One line that is written over and over; nothing where no person looks."""

    def __init__(self, stream: Any, *, is_shown: bool) -> None:
        self.stream, self.is_shown = stream, is_shown
        self.started = time.monotonic()

    def show(self, message: str) -> None:
        if self.is_shown:
            seconds = time.monotonic() - self.started
            self.stream.write(f"\r\033[K{seconds:5.0f} s  {message}", ending="")
            self.stream.flush()

    def end(self) -> None:
        if self.is_shown:
            self.stream.write("\r\033[K", ending="")


def _fetch(base_url: str, line: _ProgressLine) -> list[Path]:
    downloads = Downloads(
        base_url=base_url if base_url.endswith("/") else f"{base_url}/",
        folder=Path(settings.VAR_DIR) / "catalog-downloads",
        user_agent=f"{settings.PRODUCT_NAME} (catalogue import)",
        progress=line.show,
    )
    return downloads.fetch()


def _tidy_up_on_sigterm() -> None:
    """Let a polite kill end the run's row, so that the next import need not wait for it."""

    def stop(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    try:
        signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not the main thread: called from code, which sees to itself
        return
