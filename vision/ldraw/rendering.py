"""Draws the catalogue's parts with models: new and changed ones, in parallel processes."""

import hashlib
import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final

from django.db import connections

from apps.pictures.models import Render
from apps.pictures.rules.finding import EXACT, Rule, Shelf, Wanted, find, find_all
from apps.pictures.rules.headers import Header, read_header
from apps.pictures.services.faces import (
    FIGURE,
    assign_faces,
    wanted_figures,
    wanted_parts,
)
from vision.ldraw.drawing import VERSION, Layers, draw
from vision.ldraw.figures import Piece, figure_file
from vision.ldraw.library import Library
from vision.ldraw.parts import Assembler, Broken, TooLarge, read_colors

# The slowest part of the library takes 4 s; a hostile one no more than this.
PART_SECONDS: Final = 60
_CONFIG: Final = "ldconfig.ldr"


@dataclass
class Report:
    """The result of a run."""

    hits: Counter[Rule] = field(default_factory=Counter)
    without: list[tuple[str, str]] = field(default_factory=list)  # number, name
    drawn: int = 0
    kept: int = 0
    failed: dict[str, str] = field(default_factory=dict)  # model: why
    incomplete: dict[str, list[str]] = field(default_factory=dict)  # model: missing files
    refused: list[str] = field(default_factory=list)  # paths of the archive
    seconds: float = 0.0  # of CPU, for all that was drawn
    bytes: int = 0

    @property
    def parts(self) -> int:
        return sum(self.hits.values())

    @property
    def exact(self) -> int:
        return sum(count for rule, count in self.hits.items() if rule in EXACT)


@dataclass(frozen=True, slots=True)
class _Task:
    number: str
    title: str
    known: str  # the source of the render that is there


@dataclass(frozen=True, slots=True)
class _Drawn:
    number: str
    source: str = ""
    layers: Layers | None = None
    why: str = ""
    missing: tuple[str, ...] = ()
    seconds: float = 0.0


def render_pictures(
    *,
    source: Path,
    only: Sequence[str] = (),
    processes: int = 1,
    progress: Callable[[int, int | None, str], None] = lambda *_: None,
) -> Report:
    """Draw the parts of the catalogue and store the render of each. Raises NotALibrary.

    A later run draws only parts that are new or whose model changed. `only` names numbers of parts.
    """
    progress(0, None, f"Reading {source.name}")
    library = Library.open(source)
    try:
        report = Report(refused=library.refused)
        headers = _headers(library)
        shelf = shelf_of(headers)
        progress(0, None, "Finding models")
        models = _find_models(wanted_parts(), shelf, set(only), report)
        if not only:
            _add_figures(headers, shelf, library)
            models.update(number for number in headers if number.startswith(FIGURE))
        _draw_models(sorted(models), headers, library, processes, progress, report)
    finally:
        library.close()
    progress(0, None, "Assigning pictures")
    assign_faces()
    return report


def _headers(library: Library) -> dict[str, Header]:
    return {
        number: read_header(library.head(f"parts/{number}.dat"))
        for number in library.part_numbers()
    }


def shelf_of(headers: dict[str, Header]) -> Shelf:
    """Return the models of a library by all their numbers."""
    shelf = Shelf()
    for number, header in headers.items():
        shelf.add(number, header)
    return shelf


def _find_models(
    parts: dict[int, Wanted], shelf: Shelf, only: set[str], report: Report
) -> set[str]:
    models = set()
    for part, found in find_all(parts, shelf):
        if only and part.number not in only:
            continue
        report.hits[found.rule if found else Rule.NONE] += 1
        if found:
            models.add(found.model)
        else:
            report.without.append((part.number, part.name))
    return models


def _add_figures(headers: dict[str, Header], shelf: Shelf, library: Library) -> None:
    """Add a model of each minifig that can be put together from its parts."""
    parts = wanted_parts()
    for number, name, contents in wanted_figures():
        pieces = []
        for part, rgb, quantity in contents:
            found = find(parts[part], shelf, parts.get)
            # A head without its face would be somebody else.
            if found is not None and found.rule in EXACT:
                title = shelf.titles[found.model].lstrip("~=_ ")
                pieces.append(Piece(found.model, title, rgb, quantity))
        if text := figure_file(pieces):
            model = f"{FIGURE}{number}"
            library.made[f"parts/{model}.dat"] = text.encode()
            headers[model] = Header(f"Minifig {name}")


def _draw_models(
    models: list[str],
    headers: dict[str, Header],
    library: Library,
    processes: int,
    progress: Callable[[int, int | None, str], None],
    report: Report,
) -> None:
    known = dict(Render.objects.filter(number__in=models).values_list("number", "source"))
    former: dict[str, list[str]] = {}
    shelf = shelf_of(headers)
    for number in shelf.moved:
        to = shelf.at(number)
        if to:
            former.setdefault(to, []).append(number)
    tasks = [_Task(number, headers[number].title, known.get(number, "")) for number in models]
    for done, drawn in enumerate(_in_processes(tasks, library, processes), start=1):
        progress(done, len(tasks), "Drawing")
        report.seconds += drawn.seconds
        if drawn.missing:
            report.incomplete[drawn.number] = list(drawn.missing)
        if drawn.why:
            report.failed[drawn.number] = drawn.why
        elif drawn.layers is None:
            report.kept += 1
        else:
            report.drawn += 1
            header = headers[drawn.number]
            _store(drawn, header, former.get(drawn.number, []))
        if drawn.layers is not None:
            report.bytes += len(drawn.layers.shape) + len(drawn.layers.own_colors)


def _store(drawn: _Drawn, header: Header, former: list[str]) -> None:
    assert drawn.layers is not None
    Render.objects.update_or_create(
        number=drawn.number,
        defaults={
            "title": header.title[:300],
            "digest": digest_of(drawn.number, drawn.layers),
            "source": drawn.source,
            "moved_from": sorted(former),
            "bricklink": sorted(set(header.bricklink)),
            "shape": drawn.layers.shape,
            "own_colors": drawn.layers.own_colors,
        },
    )


def digest_of(number: str, layers: Layers) -> str:
    """Return what addresses name a render by: its content, and whose it is."""
    content = hashlib.blake2b(number.encode() + b"\0" + layers.shape, digest_size=6)
    content.update(layers.own_colors)
    return content.hexdigest()


# -- In a process of its own -----------------------------------------------------------

_assembler: Assembler | None = None
_colors: dict[int, tuple[str, bool]] = {}
_library: Library | None = None


def _in_processes(tasks: list[_Task], library: Library, processes: int) -> Iterator[_Drawn]:
    """Yield what became of each task, in any order."""
    global _library
    if not tasks:
        return
    _library = library
    if processes <= 1:
        _start()
        yield from map(_draw_one, tasks)
        return
    # A connection must not be shared with the processes.
    connections.close_all()
    context = multiprocessing.get_context("fork")
    with context.Pool(processes, initializer=_start_in_process) as pool:
        yield from pool.imap_unordered(_draw_one, tasks, chunksize=4)


def _start_in_process() -> None:
    # The pool ends its processes by SIGTERM: a handler that Python was given before the fork can
    # miss it while the process waits for its next task.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _start()


def _start() -> None:
    global _assembler, _colors
    assert _library is not None
    _assembler = Assembler(_library.read, _library.__contains__)
    _colors = read_colors(_library.read(_CONFIG)) if _CONFIG in _library else {}


def _stop(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError


def _draw_one(task: _Task) -> _Drawn:
    import time

    assert _assembler is not None
    begun = time.process_time()
    before = signal.signal(signal.SIGALRM, _stop)
    signal.alarm(PART_SECONDS)
    try:
        source = f"{VERSION}-{_assembler.digest(task.number)}"
        missing = tuple(_assembler.missing(task.number))
        if source == task.known:
            return _Drawn(task.number, source, missing=missing)
        layers = draw(_assembler.part(task.number), title=task.title, colors=_colors)
    except (Broken, TooLarge) as problem:
        return _Drawn(task.number, why=str(problem))
    except TimeoutError:
        return _Drawn(task.number, why=f"it took longer than {PART_SECONDS} s")
    except (MemoryError, KeyError, ValueError, OSError, RecursionError) as problem:
        return _Drawn(task.number, why=f"{type(problem).__name__}: {problem}")
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return _Drawn(task.number, source, layers, missing=missing, seconds=time.process_time() - begun)
