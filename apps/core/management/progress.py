"""Progress of a command on one line, rewritten in place on a terminal."""

from django.core.management.base import OutputWrapper

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
