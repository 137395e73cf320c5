"""Each import contract of pyproject.toml breaks when its violation is planted."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.guards.conftest import ROOT

LINT_IMPORTS = Path(sys.executable).parent / "lint-imports"
APPS = "Apps depend downwards only"
ROOMS = "Inside an app, rooms depend downwards only"
PURE = "Rules and file formats know neither Django, DRF nor Celery"
INWARDS = "Services, selectors, models and rules never reach for the outside rooms"


def verdicts(tree: Path) -> dict[str, str]:
    """Run import-linter on the tree; return contract -> KEPT or BROKEN."""
    done = subprocess.run(
        [LINT_IMPORTS, "--no-cache"],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    analysed = re.search(r"Analyzed (\d+) files", done.stdout)
    assert analysed, done.stdout + done.stderr
    assert int(analysed[1]) > 100
    return dict(re.findall(r"^(.+?) (KEPT|BROKEN)$", done.stdout, re.MULTILINE))


class TestImportContracts:
    def test_are_those_that_are_tried_here(self):
        config = tomllib.loads((ROOT / "pyproject.toml").read_text())

        names = {contract["name"] for contract in config["tool"]["importlinter"]["contracts"]}
        assert names == {APPS, ROOMS, PURE, INWARDS}

    def test_hold(self, planted):
        assert verdicts(planted({})) == dict.fromkeys((APPS, ROOMS, PURE, INWARDS), "KEPT")

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

        assert verdicts(tree) == dict.fromkeys((APPS, ROOMS, PURE, INWARDS), "BROKEN")

    def test_catch_an_app_and_a_room_that_nobody_declared(self, planted):
        tree = planted({"apps/newcomer/__init__.py": "", "apps/batches/odds.py": ""})

        assert verdicts(tree) == {APPS: "BROKEN", ROOMS: "BROKEN", PURE: "KEPT", INWARDS: "KEPT"}

    @pytest.mark.parametrize(
        ("lower", "upper"),
        [
            ("batches/services/batches.py", "listings"),
            ("marketplace/tasks.py", "listings"),
            ("lots/models.py", "inventory"),
        ],
    )
    def test_catch_a_lower_app_that_knows_an_upper(self, planted, lower, upper):
        tree = planted({f"apps/{lower}": f"import apps.{upper}.models"})

        assert verdicts(tree)[APPS] == "BROKEN"

    def test_catch_django_in_the_rules_of_an_app(self, planted):
        tree = planted({"apps/locations/rules/fit.py": "from django.conf import settings"})

        assert verdicts(tree)[PURE] == "BROKEN"
