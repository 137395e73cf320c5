"""Run a pure function over untrusted bytes in a process of its own, with limits.

What decodes files of strangers runs here: a decoder that loops, or takes all memory, costs
its process and one request, never the site. Processes are kept and used again, since
starting one takes about 100 ms of CPU; one that broke a limit is killed.

    python -m apps.core.isolated apps.recognition.rules.pictures:small_jpeg 300000000
"""

import atexit
import contextlib
import importlib
import json
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_HEAD: Final = struct.Struct(">QQ")
_USES: Final = 200
#: Of one caller: one call that runs, and one that waits for it.
CALLS_OF_ONE: Final = 2
# Pages come first: they take little, a decoder may take all that it gets.
_NICENESS: Final = 10
# CPU time is limited; on a busy machine the wall-clock time is longer.
_WALL_PER_CPU: Final = 5


_here = threading.local()


def take_spent() -> float:
    """Return the seconds that calls took in this thread since the last time this was asked.

    The wait for a process is not counted.
    """
    seconds: float = getattr(_here, "seconds", 0.0)
    _here.seconds = 0.0
    return seconds


class OutOfLimits(Exception):
    """The function needed more time or memory than it may have; its process was killed."""


class NoRoom(Exception):
    """All processes are busy, and none came free in time."""


class Raised(Exception):
    """The function raised `kind`, the name of the class, with this text."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may take: seconds of CPU, and bytes of memory, the interpreter's included."""

    cpu_seconds: float
    memory_bytes: int


@dataclass(slots=True)
class _Process:
    popen: "subprocess.Popen[bytes]"
    uses: int = 0


@dataclass(slots=True)
class _Turns:
    """The calls of one caller."""

    calls: int = 0
    running: threading.Lock = field(default_factory=threading.Lock)


@dataclass
class Isolated:
    """A function `module:name` of `bytes` and keyword arguments that returns `bytes`.

    The module must not need Django. At most `processes` run at a time for each process of
    ours; a call waits up to `patience` seconds for one. Of one caller (`whose`) one call runs
    and one waits, so that the others find a process, and a thread of the server that waits
    for it.
    """

    function: str
    limits: Limits
    processes: int = 2
    patience: float = 10.0
    _idle: list[_Process] = field(default_factory=list)
    _owner: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _places: threading.BoundedSemaphore = field(init=False)
    _turns: dict[Hashable, "_Turns"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._places = threading.BoundedSemaphore(self.processes)

    def __call__(self, content: bytes, *, whose: Hashable = None, **arguments: Any) -> bytes:
        """Return the function's result. Raises Raised, OutOfLimits, NoRoom."""
        if whose is None:
            return self._call(content, arguments)
        with self._turn_of(whose):
            return self._call(content, arguments)

    @contextlib.contextmanager
    def _turn_of(self, whose: Hashable) -> Iterator[None]:
        with self._lock:
            turns = self._turns.setdefault(whose, _Turns())
            if turns.calls >= CALLS_OF_ONE:
                raise NoRoom
            turns.calls += 1
        try:
            if not turns.running.acquire(timeout=self.patience):
                raise NoRoom
            try:
                yield
            finally:
                turns.running.release()
        finally:
            with self._lock:
                turns.calls -= 1
                if not turns.calls:
                    del self._turns[whose]

    def _call(self, content: bytes, arguments: dict[str, Any]) -> bytes:
        if not self._places.acquire(timeout=self.patience):
            raise NoRoom
        try:
            process = self._take()
            started = time.monotonic()
            try:
                answer = self._ask(process, content, arguments)
            except BaseException:
                _kill(process)
                raise
            finally:
                _here.seconds = getattr(_here, "seconds", 0.0) + time.monotonic() - started
            self._keep(process)
        finally:
            self._places.release()
        return answer

    def close(self) -> None:
        """End the processes that wait for work."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            _kill(process)

    def _take(self) -> _Process:
        with self._lock:
            if self._owner != os.getpid():  # a fork shares its pipes with its parent: leave them
                self._idle, self._owner = [], os.getpid()
                atexit.register(self.close)
            while self._idle:
                process = self._idle.pop()
                if process.popen.poll() is None:
                    return process
                _kill(process)
        return _Process(
            subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "apps.core.isolated",
                    self.function,
                    str(self.limits.memory_bytes),
                ],
                cwd=_ROOT,
                # Nothing of ours: no secret is within reach of a decoder that was taken over.
                env={"PYTHONPATH": str(_ROOT), "LC_ALL": "C.UTF-8"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )

    def _keep(self, process: _Process) -> None:
        process.uses += 1
        if process.uses >= _USES:
            _kill(process)
            return
        with self._lock:
            self._idle.append(process)

    def _ask(self, process: _Process, content: bytes, arguments: dict[str, Any]) -> bytes:
        head = json.dumps({**arguments, "__cpu_seconds__": self.limits.cpu_seconds}).encode()
        stdin, stdout = process.popen.stdin, process.popen.stdout
        assert stdin is not None
        assert stdout is not None
        until = time.monotonic() + _WALL_PER_CPU * self.limits.cpu_seconds + 5
        # The other side reads all of it before it begins, so that writing does not wait long.
        try:
            stdin.write(_HEAD.pack(len(head), len(content)) + head + content)
            stdin.flush()
        except OSError as problem:
            raise OutOfLimits from problem
        sizes = _HEAD.unpack(_read(stdout, _HEAD.size, until))
        problem_text, answer = _read(stdout, sizes[0], until), _read(stdout, sizes[1], until)
        if problem_text:
            told = json.loads(problem_text)
            if told["kind"] == "MemoryError":
                raise OutOfLimits
            raise Raised(str(told["kind"]), str(told["text"]))
        return answer


def _kill(process: _Process) -> None:
    process.popen.kill()
    for pipe in (process.popen.stdin, process.popen.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.popen.wait()


def _read(pipe: IO[bytes], size: int, until: float) -> bytes:
    """Read so many bytes. Raises OutOfLimits at the end of the pipe or of the time."""
    got = bytearray()
    # `select.select` takes no number of a file from 1,024 on, which a busy process has.
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    while len(got) < size:
        ready = waiting.poll(max(0.0, until - time.monotonic()) * 1_000)
        part = os.read(pipe.fileno(), size - len(got)) if ready else b""
        if not part:
            raise OutOfLimits
        got += part
    return bytes(got)


def _serve(function: str, memory_bytes: int) -> None:
    """Answer one call after the other until the pipe ends."""
    module, name = function.split(":")
    run = getattr(importlib.import_module(module), name)
    os.nice(_NICENESS)
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_CORE):
        value = memory_bytes if limit == resource.RLIMIT_AS else 0
        resource.setrlimit(limit, (value, value))
    source, out = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(_HEAD.size):
        head_size, content_size = _HEAD.unpack(head)
        arguments = json.loads(source.read(head_size))
        # The signal's own action ends the process, in the midst of a decoder as well.
        signal.setitimer(signal.ITIMER_PROF, arguments.pop("__cpu_seconds__"))
        try:
            problem, answer = b"", run(source.read(content_size), **arguments)
        except MemoryError:
            problem, answer = json.dumps({"kind": "MemoryError", "text": ""}).encode(), b""
        except Exception as raised:  # noqa: BLE001  (handed over, by name)
            told = {"kind": type(raised).__name__, "text": str(raised)}
            problem, answer = json.dumps(told).encode(), b""
        signal.setitimer(signal.ITIMER_PROF, 0)
        out.write(_HEAD.pack(len(problem), len(answer)) + problem + answer)
        out.flush()


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
