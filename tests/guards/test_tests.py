"""What no test may do: speak to the network, assert how fast a machine is, or lie where none looks."""

import ast
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_socket import SocketConnectBlockedError

from tests.guards.conftest import ROOT
from tests.guards.source import Module, modules

CLOCKS = {"time.monotonic", "time.perf_counter", "time.process_time", "time.time"}


def timed_assertions(module: Module) -> Iterator[str]:
    """Yield assertions about what a clock of the machine measured, directly or by a name."""
    if "time." not in module.path.read_text():
        return
    for test in module.nodes:
        if not isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        measured: set[str] = set()
        for node in ast.walk(test):
            if isinstance(node, ast.Assign) and _reads_a_clock(node.value, measured):
                measured |= {one.id for one in node.targets if isinstance(one, ast.Name)}
        for node in ast.walk(test):
            if isinstance(node, ast.Assert) and _reads_a_clock(node.test, measured):
                yield f"{module.name}:{node.lineno} asserts a time of the machine"


def _reads_a_clock(code: ast.AST, measured: set[str]) -> bool:
    return any(
        (isinstance(node, ast.Call) and ast.unparse(node.func) in CLOCKS)
        or (isinstance(node, ast.Name) and node.id in measured)
        for node in ast.walk(code)
    )


def is_marked(module: Module, mark: str) -> bool:
    wanted = f"pytest.mark.{mark}"
    if wanted not in module.path.read_text():  # most have none, and need not be parsed
        return False
    return any(ast.unparse(node) == wanted for node in module.nodes if type(node) is ast.Attribute)


def timed(root: Path) -> list[str]:
    found = [one for one in modules(root, "apps", "simulators", "tests", "vision") if one.is_test]
    assert len(found) > 100, "the walk found no tests"
    return [problem for module in found for problem in timed_assertions(module)]


class TestOurTests:
    def test_assert_no_time_of_the_machine(self):
        assert timed(ROOT) == []

    @pytest.mark.parametrize(
        "lines",
        [
            ["began = time.monotonic()", "assert time.monotonic() - began < 1"],
            [
                "began = time.perf_counter()",
                "took = time.perf_counter() - began",
                "assert took < 1",
            ],
        ],
    )
    def test_would_be_caught_doing_it(self, tmp_path, lines):
        path = tmp_path / "test_planted.py"
        path.write_text("\n    ".join(["def test_it():", *lines]))

        problems = list(timed_assertions(Module("apps.core.tests.test_planted", path)))

        assert problems == [
            f"apps.core.tests.test_planted:{len(lines) + 1} asserts a time of the machine"
        ]

    @pytest.mark.parametrize(
        ("mark", "folder"), [("browser", "tests.e2e"), ("production", "tests.production")]
    )
    def test_lie_in_one_folder_when_they_drive_a_browser_or_production(self, mark, folder):
        # Other runs leave them out by their mark, and theirs collects that folder alone.
        found = [
            one for one in modules(ROOT, "apps", "simulators", "tests", "vision") if one.is_test
        ]
        marked = {one.name for one in found if is_marked(one, mark)}

        assert marked == {one.name for one in found if one.name.startswith(f"{folder}.test_")}

    @pytest.mark.filterwarnings("ignore:A test tried to use")
    def test_reach_no_other_machine(self):
        # An address for documentation, which nobody answers.
        with pytest.raises(SocketConnectBlockedError):
            socket.create_connection(("192.0.2.1", 80), timeout=1)

    def test_reach_this_machine(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), timeout=5).close()
