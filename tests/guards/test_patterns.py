"""Every regular expression takes time in proportion to its text.

Python's engine cannot be stopped from outside, and texts come from strangers: one pattern that
is not linear holds a process for minutes. Each is tried, by the methods that the code calls, with
long runs of its own characters.
"""

import ast
import gc
import importlib
import re
import types
from collections.abc import Iterator

import pytest

from tests.guards.conftest import ROOT
from tests.processor import limited

LENGTH = 15_000
#: Of the processor, not of the clock: a linear pattern needs a hundredth, a quadratic one a second.
SECONDS = 0.2
METHODS = {"search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
CALLS = re.compile(rf"\.({'|'.join(sorted(METHODS))})\b")
#: Patterns whose callers cut the text, and where.
CUT_AT = {
    "apps.exchange.colors._NAME_AND_NUMBER": 100,
    "apps.exchange.table_signs._END": 60,
    "apps.locations.rules.several._COUNTED": 300,
}
Use = tuple[str, "re.Pattern[str] | re.Pattern[bytes]", str]


APPS = sorted(path.parent.name for path in (ROOT / "apps").glob("*/__init__.py"))


def uses_in(app: str) -> Iterator[Use]:
    """Yield each pattern that an app uses, with the method that it calls."""
    for path in sorted((ROOT / "apps" / app).rglob("*.py")):
        place = path.relative_to(ROOT).with_suffix("")
        if not {"tests", "migrations"} & set(place.parts) and CALLS.search(
            text := path.read_text()
        ):
            module = importlib.import_module(".".join(place.parts).removesuffix(".__init__"))
            yield from uses_of(ast.parse(text), module)


def uses_of(tree: ast.AST, module: types.ModuleType) -> Iterator[Use]:
    """Yield each pattern that a module uses, with the method that it calls."""
    owners = [module, *(one for one in vars(module).values() if type(one) is type)]
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        method, owner = node.func.attr, node.func.value
        if method not in METHODS:
            continue
        name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
        if name == "re":
            if node.args and isinstance(node.args[0], ast.Constant):
                pattern = re.compile(node.args[0].value)
                yield f"{module.__name__}:{node.lineno}", pattern, method
            continue
        for place in owners:
            found = vars(place).get(name)
            if type(found) is re.Pattern:
                yield f"{module.__name__}.{name}", found, method


def runs_of(pattern: "re.Pattern[str] | re.Pattern[bytes]") -> Iterator[str]:
    """Yield units to repeat: the pattern's own characters, and the beginnings of its words."""
    text = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    plain = re.sub(r"\\[bBAZdDwWsS]|\\(.)", r"\1", text)
    yield from sorted(set(plain) | set("a0 \n"))
    for words in re.findall(r"[^()|?*+\[\]^$]{2,}", plain):
        yield from (words[:size] for size in range(2, min(len(words), 16) + 1))
    literal = re.sub(r"\[[^\]]*\][*+?]*|[()|?*+^$]", "", text).replace("\\", "")
    yield literal[:40] or "a"
    yield from (f"{literal[:40]}{sign}" for sign in "[(<")


def slow_run(name: str, pattern: "re.Pattern[str] | re.Pattern[bytes]", method: str) -> str:
    """Return the run that takes too long, '' for none."""
    length = CUT_AT.get(name, LENGTH)
    for unit in runs_of(pattern):
        for end in ("", "\0"):
            text = unit * (length // len(unit)) + end
            given = text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")
            try:
                with limited(SECONDS):
                    if method in ("sub", "subn"):
                        getattr(pattern, method)(given[:0], given)
                    elif method == "finditer":
                        list(pattern.finditer(given))  # type: ignore[arg-type]
                    else:
                        getattr(pattern, method)(given)
            except TimeoutError:
                return unit
    return ""


@pytest.fixture(autouse=True)
def no_collection() -> Iterator[None]:
    """Without a garbage collection, which may take longer than a pattern and lose its TimeoutError."""
    gc.disable()
    yield
    gc.enable()


class TestPatterns:
    @pytest.mark.long("tries each pattern with long runs of each of its characters")
    @pytest.mark.parametrize("app", APPS)
    def test_take_time_in_proportion_to_the_text(self, app):
        slow = {
            f"{name} by {method}": unit
            for name, pattern, method in dict.fromkeys(uses_in(app))
            if (unit := slow_run(name, pattern, method))
        }

        assert slow == {}

    @pytest.mark.parametrize(
        "pattern", [r"[\[(][^\])]*[\])]", r"<!DOCTYPE[^>\[]*(?:\[.*?\])?[^>]*>", r"\s+$"]
    )
    def test_that_are_not_linear_would_be_caught(self, pattern):
        assert slow_run("", re.compile(pattern), "search")
