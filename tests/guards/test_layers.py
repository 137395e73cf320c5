"""Each import contract of pyproject.toml breaks when its violation is planted.

`make guards` looks whether they hold.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.guards.conftest import ROOT

LINT_IMPORTS = Path(sys.executable).parent / "lint-imports"
APPS = "Apps depend downwards only"
ROOMS = "Inside an app, rooms depend downwards only"
PURE = "Rules and file formats know neither Django, DRF nor Celery"
INWARDS = "Services, selectors, models and rules never reach for the outside rooms"


def report_on(tree: Path) -> str:
    """Run import-linter on the tree; return what it prints."""
    done = subprocess.run(
        [LINT_IMPORTS, "--no-cache"],
        cwd=tree,
        env={**os.environ, "COLUMNS": "200"},  # names are not wrapped
        capture_output=True,
        text=True,
        check=False,
    )
    analysed = re.search(r"Analyzed (\d+) files", done.stdout)
    assert analysed, done.stdout + done.stderr
    assert int(analysed[1]) > 100
    return done.stdout


def verdicts(report: str) -> dict[str, str]:
    """Return contract -> KEPT or BROKEN."""
    return dict(re.findall(r"^(.+?) (KEPT|BROKEN)$", report, re.MULTILINE))


class TestImportContracts:
    def test_are_those_that_are_tried_here(self):
        config = tomllib.loads((ROOT / "pyproject.toml").read_text())

        names = {contract["name"] for contract in config["tool"]["importlinter"]["contracts"]}
        assert names == {APPS, ROOMS, PURE, INWARDS}

    def test_catch_an_import_across_each(self, planted):
        tree = planted(
            {
                "apps/core/money.py": "import apps.catalog.models",
                "apps/locations/models.py": "import apps.locations.services.locations",
                "apps/exchange/refusals.py": "import django",
                "apps/batches/services/batches.py": "import apps.inventory.api.urls",
                "apps/inventory/api/urls.py": "",
            }
        )

        assert verdicts(report_on(tree)) == dict.fromkeys((APPS, ROOMS, PURE, INWARDS), "BROKEN")

    def test_catch_an_app_and_a_room_that_nobody_declared(self, planted):
        tree = planted({"apps/newcomer/__init__.py": "", "apps/batches/odds.py": ""})

        assert verdicts(report_on(tree)) == {
            APPS: "BROKEN",
            ROOMS: "BROKEN",
            PURE: "KEPT",
            INWARDS: "KEPT",
        }

    def test_name_each_app_that_knows_an_upper_one_and_rules_that_know_django(self, planted):
        places = {
            "batches/services/batches": "apps.listings.models",
            "marketplace/tasks": "apps.listings.models",
            "lots/models": "apps.inventory.models",
            "locations/rules/fit": "django",
        }
        report = report_on(
            planted({f"apps/{lower}.py": f"import {upper}" for lower, upper in places.items()})
        )

        assert verdicts(report) == {APPS: "BROKEN", ROOMS: "KEPT", PURE: "BROKEN", INWARDS: "KEPT"}
        for lower, upper in places.items():
            assert f"apps.{lower.replace('/', '.')} -> {upper} " in report
