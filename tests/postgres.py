"""What PostgreSQL may do otherwise than SQLite, and the tests that are run on it for that.

Every test of the database runs on SQLite. Of these, CI runs on PostgreSQL those marked
`postgres`; `make test-postgres` runs them all, before a release.

A *door* is a function that writes its own SQL, asks for the vendor, locks rows or answers a
constraint: it is found in the code. `conftest.py` marks each test that touches a module with a
door itself, by name or through a helper of its file, and tests of threads, query plans, jobs
delivered twice, migrations and real transactions: so nobody can forget it. The walks over the
whole API are marked by hand. What a fixture or a factory calls is not what a test is about: by
that rule nearly every test would be marked, since each row of the catalogue is indexed for search.

A run of the marked tests fails where a door was never opened: a new one needs a marked test.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

from tests.guards.source import Module, modules

ROOT: Final = Path(__file__).resolve().parent.parent
LOCKS: Final = ("lock_in_order", "lock_ids_in_order", "hold_ids_in_order", "snapshot")
# To parse all modules takes seconds, and few have a door.
HINT: Final = re.compile(
    rf"\.vendor\b|\.cursor\(|\.raw\(|RawSQL\(|except.*IntegrityError|\b(?:{'|'.join(LOCKS)})\("
)
# SQLite's own.
NO_DOORS: Final = re.compile(r"apps\.core\.sqlite3\.|\._sqlite")
ANSWERS_FOR_ANOTHER: Final = "constraint of its caller"
# What tests call.
SHOWS_IT: Final = ("apps.core.testing.threads", "apps.core.testing.plans")
# Names that say it wherever they come from.
SAID: Final = frozenset({"IntegrityError", "run_twice", "vendor", "cursor"})
DJANGO_PASSES_ON: Final = ("/utils/connection.py", "/utils/asyncio.py", "/contextlib.py")


class Door(NamedTuple):
    """A function of the product and what it does: statement, vendor, lock or constraint."""

    kind: str
    function: str


@cache
def doors() -> frozenset[Door]:
    """Return all doors of the product. To look for them takes a second."""
    return frozenset(_doors_in(ROOT))


def _doors_in(root: Path) -> Iterator[Door]:
    return (door for module in _with_doors(root) for door in _doors_of(module))


@cache
def modules_with_doors() -> set[str]:
    return {module.name for module in _with_doors(ROOT)}


def _with_doors(root: Path) -> tuple[Module, ...]:
    return tuple(
        module
        for module in modules(root, "apps")
        if not (module.is_test or ".migrations." in module.name or ".testing." in module.name)
        and HINT.search(module.path.read_text())
        and any(True for _ in _doors_of(module))
    )


def _doors_of(module: Module) -> Iterator[Door]:
    for path, node in _inside(module.nodes[0], ()):
        function = ".".join((module.name, *path))
        if (kind := _kind(node)) and not NO_DOORS.search(function):
            yield Door(kind, function)


def _inside(node: ast.AST, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ast.AST]]:
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, ast.FunctionDef | ast.ClassDef)
        inner = (*path, child.name) if named else path
        yield inner, child
        yield from _inside(child, inner)


def _kind(node: ast.AST) -> str | None:
    match node:
        case ast.Attribute(attr="vendor"):
            return "vendor"
        case ast.Call(func=ast.Attribute(attr="cursor" | "raw") | ast.Name(id="RawSQL")):
            return "statement"
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in LOCKS:
            return "lock"
        case ast.Try(handlers=handlers) if any(
            one.type is not None and "IntegrityError" in ast.unparse(one.type) for one in handlers
        ):
            # A context manager answers for its caller, and is on no stack meanwhile.
            is_for_another = any(isinstance(one, ast.Yield) for one in ast.walk(node))
            return ANSWERS_FOR_ANOTHER if is_for_another else "constraint"
    return None


def touches_a_door(item: Any) -> bool:
    """Tell whether the test touches by itself what may differ on PostgreSQL."""
    marker = item.get_closest_marker("django_db")
    if marker is not None and marker.kwargs.get("transaction"):
        return True
    if {"transactional_db", "migrate"} & set(item.fixturenames):
        return True
    touched = modules_with_doors() | set(SHOWS_IT)
    return _names_one_of(touched, item.function, item.function.__globals__, set())


def _names_one_of(
    touched: set[str], function: Any, known: dict[str, Any], passed: set[CodeType]
) -> bool:
    code = getattr(function, "__code__", None)
    if code is None or code in passed:
        return False
    passed.add(code)
    for name in _names(code):
        if name in SAID:
            return True
        found = known.get(name)
        if isinstance(found, ModuleType) and found.__name__ in touched:
            return True
        if isinstance(found, FunctionType) and (
            found.__module__ in touched
            or (found.__globals__ is known and _names_one_of(touched, found, known, passed))
        ):
            return True
    return False


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


class OpenedDoors:
    """Notes which doors are opened while tests run."""

    def __init__(self) -> None:
        self.seen: set[Door] = set()

    def watch(self, patch: Any) -> None:
        """Begin to note, until `patch` is undone."""
        from django.db import connections
        from django.db.models import QuerySet
        from django.db.models.expressions import RawSQL
        from django.db.utils import DatabaseErrorWrapper

        wrapper = type(connections["default"])
        vendor = wrapper.vendor
        note_own, note_any = self._note_own, self._note_any

        def read_vendor(_: Any) -> str:
            note_own("vendor")
            return vendor

        def before(owner: Any, name: str, note: Any) -> None:
            usual = getattr(owner, name)

            def noted(*args: Any, **named: Any) -> Any:
                note(*args)
                return usual(*args, **named)

            patch.setattr(owner, name, noted)

        def note_refusal(_: Any, kind: Any = None, *__: Any) -> None:
            if kind is not None and kind.__name__.endswith(("Violation", "IntegrityError")):
                note_any("constraint")

        patch.setattr(wrapper, "vendor", property(read_vendor))
        before(wrapper, "cursor", lambda *_: note_own("statement"))
        before(QuerySet, "raw", lambda *_: note_any("statement"))
        before(RawSQL, "__init__", lambda *_: note_any("statement"))
        before(QuerySet, "select_for_update", lambda *_: note_any("lock"))
        before(DatabaseErrorWrapper, "__exit__", note_refusal)

    def _note_own(self, kind: str) -> None:
        """Note who asks the connection itself; Django asks it all the time."""
        for frame in _frames():
            file = frame.f_code.co_filename
            if function := _product(frame):
                self.seen.add(Door(kind, function))
                if kind == "statement":
                    self._note_any("lock")
                return
            if "/django/" in file and not file.endswith(DJANGO_PASSES_ON):
                return

    def _note_any(self, kind: str) -> None:
        """Note all who wait for the answer."""
        self.seen |= {Door(kind, name) for frame in _frames() if (name := _product(frame))}


def _frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


APPS: Final = f"{ROOT}/apps/"


def _product(frame: FrameType) -> str | None:
    """Return the dotted name of the function of the product that this frame is in."""
    code = frame.f_code
    if not code.co_filename.startswith(APPS):
        return None
    module = code.co_filename.removeprefix(f"{ROOT}/").removesuffix(".py").removesuffix("/__init__")
    function = [part for part in code.co_qualname.split(".") if not part.startswith("<")]
    return ".".join((*module.split("/"), *function))


def never_opened(seen: Iterable[Door], root: Path = ROOT) -> list[str]:
    """Return what to say of each door that no test opened."""
    return [
        f"{door.function}: no test marked `postgres` reaches its {door.kind}"
        for door in sorted({*(doors() if root == ROOT else _doors_in(root))} - set(seen))
        if door.kind != ANSWERS_FOR_ANOTHER
    ]


class EveryDoor:
    """Fails a run that left a door shut; workers tell what they opened when they end."""

    def __init__(self, config: pytest.Config) -> None:
        self._worker = getattr(config, "workeroutput", None)
        self._opened = OpenedDoors()
        self._patch = pytest.MonkeyPatch()

    def pytest_collection_finish(self) -> None:
        self._opened.watch(self._patch)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node) -> None:
        self._opened.seen |= {
            Door(*one) for one in getattr(node, "workeroutput", {}).get("doors", ())
        }

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._patch.undo()
        if self._worker is not None:
            self._worker["doors"] = [tuple(one) for one in self._opened.seen]
        elif never_opened(self._opened.seen):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter) -> None:
        for line in never_opened(self._opened.seen):
            terminalreporter.write_line(f"FAILED {line}")
