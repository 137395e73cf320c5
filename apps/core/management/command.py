"""The base of operators' commands: help text, progress, files written completely or not at all."""

import shutil
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from apps.core.management.progress import ProgressLine

REFUSED = 2


class OperatorCommand(BaseCommand):
    """A command whose help keeps its line breaks."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        return super().create_parser(
            prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs
        )

    @contextmanager
    def progress(self) -> Iterator[ProgressLine]:
        """Yield a line of progress, cleared at the end. Ctrl+C raises CommandError."""
        line = ProgressLine(self.stderr)
        try:
            yield line
        except KeyboardInterrupt:
            raise CommandError("Stopped.", returncode=REFUSED) from None
        finally:
            line.end()


def write_whole(file: IO[bytes], path: Path) -> None:
    """Write a file that appears at `path` when it is whole. Raises CommandError."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as out:
            shutil.copyfileobj(file, out)
        part.replace(path)
    except OSError as problem:
        part.unlink(missing_ok=True)
        raise CommandError(
            f"{path}: {problem.strerror or problem}", returncode=REFUSED
        ) from problem
