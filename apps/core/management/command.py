"""The base of operators' commands: help text, progress, files written completely or not at all."""

import shutil
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, OutputWrapper

REFUSED = 2
STEP_PERCENT = 10


class ProgressLine:
    """Call it with `(done, total, message)`; `end()` clears the line.

    On a terminal the line is written over and over; elsewhere (a log) it is written at
    each tenth of the way and whenever the message changes without a total.
    """

    def __init__(self, stream: OutputWrapper) -> None:
        self._stream = stream
        self._is_terminal = bool(stream.isatty())
        self._told: tuple[int, str] | None = None

    def __call__(self, done: int, total: int | None, message: str) -> None:
        percent = 100 * done // total if total else None
        share = f"{percent:3d} %  {done:,} of {total:,}" if percent is not None else f"{done:,}"
        text = f"{share}  {message}".rstrip()
        if self._is_terminal:
            self._stream.write(f"\r\033[K{text}", ending="")
            self._stream.flush()
            return
        step = (percent // STEP_PERCENT, "") if percent is not None else (0, message)
        if step != self._told:
            self._told = step
            self._stream.write(text)

    def end(self) -> None:
        """Clear the line."""
        if self._is_terminal:
            self._stream.write("\r\033[K", ending="")


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
