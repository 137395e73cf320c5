"""Each pinned package is imported or run by us, or says why; what runs imports none of the tests'."""

import re
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.guards.conftest import ROOT
from tests.guards.source import modules

# Package -> who uses it without an import of ours.
USED_OTHERWISE = {
    "celery-types": "mypy",
    "django-stubs": "mypy",
    "djangorestframework-stubs": "mypy",
    "lxml-stubs": "mypy",
    "types-reportlab": "mypy",
    "moto": "tests/production starts its server",
    "flask": "moto's server",
    "flask-cors": "moto's server",
    "py-partiql-parser": "moto's S3",
    "tzdata": "zoneinfo, on machines without time zones",
    "argon2-cffi": "Django's password hasher",
    "drf-spectacular-sidecar": "INSTALLED_APPS",
    "django-storages": "the settings name its class",
    "psycopg": "Django's PostgreSQL backend",
    "redis": "Django's cache and Celery's broker",
    "uharfbuzz": "reportlab, where scripts need their letters joined",
}
# Run by name: the Makefile, Procfile, .ci and the guards call them; pytest loads its plugins.
RUN_IN = ("Makefile", "Procfile", "Dockerfile", ".ci/run", "pyproject.toml", "tests/guards")


def pinned(requirements: str) -> list[str]:
    """Return the names in a requirements file, without extras."""
    return re.findall(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?==", requirements, re.MULTILINE)


def imported(root: Path) -> set[str]:
    packages = ("apps", "bricks", "simulators", "tests", "benchmarks")
    names = {
        name.split(".")[0] for module in modules(root, *packages) for _, name in module.imports()
    }
    text = (root / "conftest.py").read_text() + (root / "bricks/settings.py").read_text()
    return names | set(re.findall(r"\b[a-z_0-9]+\b", text))


def named(root: Path) -> str:
    """Return the files that run programs by their names."""
    found = []
    for place in RUN_IN:
        path = root / place
        files: Iterable[Path] = path.rglob("*.py") if path.is_dir() else [path]
        found += [file.read_text() for file in files if file.is_file() and file != Path(__file__)]
    return "\n".join(found)


def unused(requirements: str, root: Path) -> list[str]:
    """Return what is pinned, and neither imported, nor run, nor excused."""
    modules_of: dict[str, set[str]] = {}
    for module, packages in packages_distributions().items():
        for package in packages:
            modules_of.setdefault(_plain(package), set()).add(module)
    known, programs = imported(root), named(root)
    return [
        name
        for name in pinned(requirements)
        if not modules_of.get(_plain(name), set()) & known
        and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", programs)
        and name not in USED_OTHERWISE
        and not _is_plugin(name)
    ]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _is_plugin(name: str) -> bool:
    """pytest loads its plugins by itself."""
    return name.startswith("pytest-")


def imported_by_what_runs(root: Path, pins: Iterable[str]) -> dict[str, set[str]]:
    """Return which of these packages the modules of the app import: module name -> packages."""
    looked_for = {_plain(name): name for name in pins}
    distributions = packages_distributions()
    found: dict[str, set[str]] = {}
    for module in modules(root, "apps", "bricks", "simulators"):
        if module.is_test:
            continue
        for _, name in module.imports():
            for package in distributions.get(name.split(".")[0], []):
                if _plain(package) in looked_for:
                    found.setdefault(module.name, set()).add(looked_for[_plain(package)])
    return found


RUNS = (ROOT / "requirements.txt").read_text()
TESTS = (ROOT / "requirements-dev.txt").read_text()


class TestPackages:
    @pytest.mark.long("reads and parses all of our code, which other guards then know")
    def test_are_all_used(self):
        assert unused(RUNS + TESTS, ROOT) == []

    def test_would_be_caught_unused(self):
        assert unused("celery==5.7.0\nfactory_boy==3.3.3\n", ROOT) == ["factory_boy"]

    def test_are_excused_only_where_it_is_needed(self):
        assert set(USED_OTHERWISE) <= set(pinned(RUNS + TESTS))

    def test_of_tests_are_imported_by_nothing_that_runs(self):
        assert imported_by_what_runs(ROOT, pinned(TESTS)) == {}

    def test_of_tests_would_be_caught_in_what_runs(self):
        assert (
            "django-environ" in imported_by_what_runs(ROOT, ["django-environ"])["bricks.settings"]
        )
