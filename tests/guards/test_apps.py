"""Each folder of `apps` is an app of Django's: it has an apps.py and stands in INSTALLED_APPS.

An app that is left out has no tables, no routes and no jobs, and nothing else complains of it.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

from django.conf import settings

from tests.guards.conftest import ROOT

# Knows no Django by contract: file formats and no more.
LIBRARIES = {"exchange"}


def left_out(root: Path, installed: Collection[str]) -> Iterator[str]:
    for folder in sorted((root / "apps").iterdir()):
        name = folder.name
        if name in LIBRARIES or not any(folder.glob("**/*.py")):
            continue
        if not (folder / "apps.py").exists():
            yield f"apps/{name} has no apps.py"
        if f"apps.{name}" not in installed:
            yield f"apps.{name} is not in INSTALLED_APPS"


class TestOurApps:
    def test_are_all_installed(self):
        assert list(left_out(ROOT, settings.INSTALLED_APPS)) == []

    def test_would_be_caught_left_out(self, tmp_path):
        for file in ("newcomer/models.py", "halfway/apps.py", "exchange/lots.py", "notes/README"):
            (tmp_path / "apps" / file).parent.mkdir(parents=True)
            (tmp_path / "apps" / file).touch()

        assert list(left_out(tmp_path, {"apps.exchange"})) == [
            "apps.halfway is not in INSTALLED_APPS",
            "apps/newcomer has no apps.py",
            "apps.newcomer is not in INSTALLED_APPS",
        ]

    def test_are_libraries_only_where_it_is_true(self):
        assert {name for name in LIBRARIES if (ROOT / "apps" / name / "apps.py").exists()} == set()
        assert set(LIBRARIES) <= {folder.name for folder in (ROOT / "apps").iterdir()}
