"""A docstring or comment states a number of queries only with the test that checks it.

Counts belong in `tests/query_counts.json`: a number in prose is wrong as soon as code changes.
"""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.guards.conftest import ROOT
from tests.guards.source import Module, modules

_NUMBER = (
    r"(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|\d+)"
)
_BETWEEN = r"(?:\s+(?:more|other|extra|further|single|bare|SQL))*"
STATED = re.compile(
    rf"\b{_NUMBER}{_BETWEEN}\s+(?:quer(?:y|ies)|statements?|round\s+trips?)\b"
    r"|\b(?:quer(?:y|ies)|statements?)\s*[:(]\s*(?:at most\s+)?\d+\b"
    rf"|\bat\s+most\s+{_NUMBER}\s+(?:quer(?:y|ies)|statements?)\b",
    re.IGNORECASE,
)
NAMED_TEST = re.compile(r"\btest_\w+")
PACKAGES = ("apps", "bricks", "simulators", "benchmarks")


def prose(module: Module) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of each docstring and of each run of comment lines."""
    for node in module.nodes:
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
    with tokenize.open(module.path) as file:
        comments = [
            token
            for token in tokenize.generate_tokens(file.readline)
            if token.type == tokenize.COMMENT
        ]
    run: list[tokenize.TokenInfo] = []
    for token in comments:
        if run and token.start[0] != run[-1].start[0] + 1:
            yield run[0].start[0], _text(run)
            run = []
        run.append(token)
    if run:
        yield run[0].start[0], _text(run)


def _text(run: list[tokenize.TokenInfo]) -> str:
    return " ".join(token.string.lstrip("# ") for token in run)


@cache
def names_of_tests(root: Path) -> frozenset[str]:
    """Return the names of all test functions, and of the files they lie in."""
    found: set[str] = set()
    for module in modules(root, "apps", "tests"):
        if module.is_test:
            found.add(module.path.stem)
            found |= {node.name for node in module.nodes if isinstance(node, ast.FunctionDef)}
    return frozenset(found)


def unchecked(module: Module, tests: frozenset[str]) -> list[str]:
    """Return the statements of a number of queries that name no test there is."""
    if not STATED.search(re.sub(r"\s*\n[\s#]*", " ", module.path.read_text())):
        return []  # parsing is slow, and hardly any file needs it
    return [
        f"{module.name}:{line} states “{stated[0]}”: name the test that checks it, or leave it out"
        for line, text in prose(module)
        if (stated := STATED.search(" ".join(text.split())))
        and not set(NAMED_TEST.findall(text)) & tests
    ]


class TestNumbersOfQueries:
    def test_are_checked_by_a_test_or_not_stated(self):
        found = [module for module in modules(ROOT, *PACKAGES) if not module.is_test]
        assert len(found) > 500, "the walk found no code"

        assert [one for module in found for one in unchecked(module, names_of_tests(ROOT))] == []

    @pytest.mark.parametrize(
        "text",
        [
            '"""Return the rows. 2 queries."""',
            '"""Return the rows.\n\nAt most six\nstatements, whatever their number.\n"""',
            "rows = 1  # read in one query",
            "# Reads them in three\n# further queries.",
            '"""Return the rows. 2 queries: test_that_is_not_there."""',
        ],
    )
    def test_would_be_caught(self, tmp_path, text):
        path = tmp_path / "planted.py"
        path.write_text(text)

        problems = unchecked(Module("apps.core.planted", path), names_of_tests(ROOT))

        assert len(problems) == 1
        assert problems[0].startswith("apps.core.planted:1 states")

    @pytest.mark.parametrize(
        "text",
        [
            '"""Return the rows. 2 queries: `test_are_checked_by_a_test_or_not_stated`."""',
            '"""Add to rows what needs a query for all of them together."""',
            '"""Return the rows of a query."""',
        ],
    )
    def test_may_stand_with_their_test_or_say_no_number(self, tmp_path, text):
        path = tmp_path / "allowed.py"
        path.write_text(text)

        assert unchecked(Module("apps.core.allowed", path), names_of_tests(ROOT)) == []
