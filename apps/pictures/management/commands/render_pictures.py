"""`manage.py render_pictures`: pictures of the catalogue's parts from the LDraw library."""

import csv
import os
import sys
from argparse import ArgumentParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from apps.core.management.command import OperatorCommand
from apps.pictures.rules.finding import Rule
from apps.pictures.services.starter import write_pack
from vision.ldraw.library import NotALibrary

SHOWN = 12
HELP = """\
Draw one picture of each part of the catalogue from the LDraw parts library.

SOURCE is LDraw's own complete.zip (https://library.ldraw.org), a tar archive, or a folder that
holds `parts` and `p`. Nothing is unpacked; paths that lead out of the archive are refused.

A part's model is looked for by its number, by where LDraw moved it, by the numbers that LDraw
and other catalogues give it, and by its moulds. A print without a model is shown as its plain
mould, and the page says so; a part without one by the silhouette of its category.

Run it again whenever the library or the catalogue is newer: it draws only what is new or whose
model changed.

The library is CC BY: where you show its pictures, credit "The LDraw Parts Library". The app does.

Exit code 0: done. 1: done, but some models could not be drawn. 2: nothing could be read.
"""


class Command(OperatorCommand):
    help = HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path, metavar="SOURCE", help="archive or folder")
        parser.add_argument("--only", nargs="+", default=[], metavar="NUMBER", help="these parts")
        parser.add_argument(
            "--processes", type=int, default=os.cpu_count() or 1, help="default: one a core"
        )
        parser.add_argument(
            "--report", type=Path, metavar="FILE", help="where parts without a model go (CSV)"
        )
        parser.add_argument("--pack", type=Path, metavar="FILE", help="write a pack of pictures")
        parser.add_argument(
            "--beside", type=Path, metavar="FILE", help="a pack whose pictures it leaves out"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if find_spec("numba") is None:
            raise CommandError(
                "Drawing needs packages of its own: "
                "pip install -r requirements-render.txt -c constraints.txt",
                returncode=2,
            )
        # Imported here: it loads the packages that the line above checks.
        from vision.ldraw.rendering import render_pictures

        try:
            with self.progress() as line:
                report = render_pictures(
                    source=options["source"],
                    only=options["only"],
                    processes=max(1, options["processes"]),
                    progress=line,
                )
        except NotALibrary as problem:
            raise CommandError(str(problem), returncode=2) from problem
        write = self.stdout.write
        write(f"{report.parts:,} parts, {report.exact:,} with a model of their own:")
        order = list(Rule)
        for rule, count in sorted(report.hits.items(), key=lambda pair: order.index(pair[0])):
            write(f"  {count:>7,}  {rule.value}")
        write(
            f"{report.drawn:,} drawn in {report.seconds:.0f} s of CPU "
            f"({1000 * report.seconds / max(1, report.drawn):.0f} ms each, "
            f"{report.bytes / 1e6:.1f} MB), {report.kept:,} as they were."
        )
        for number, why in list(report.failed.items())[:SHOWN]:
            write(f"  {number} was not drawn: {why}.")
        if len(report.failed) > SHOWN:
            write(f"  … and {len(report.failed) - SHOWN:,} more.")
        if report.incomplete:
            names = ", ".join(list(report.incomplete)[:SHOWN])
            write(f"{len(report.incomplete):,} models name files that are missing: {names}.")
        if report.refused:
            write(
                f"{len(report.refused):,} paths were refused: {', '.join(report.refused[:SHOWN])}."
            )
        if options["report"]:
            _write_report(options["report"], report.without)
            write(f"Parts without a model: {options['report']}")
        if options["pack"]:
            count = write_pack(options["pack"], beside=options["beside"])
            size = options["pack"].stat().st_size
            write(f"{options['pack']}: {count:,} pictures, {size / 1e6:.1f} MB.")
        if report.failed:
            sys.exit(1)


def _write_report(path: Path, rows: list[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["number", "name"])
        writer.writerows(rows)
