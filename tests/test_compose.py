"""compose.yaml: valid, whole, and naming only what somebody reads."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
# https://github.com/compose-spec/compose-spec/blob/main/spec.md, what of it is used here.
TOP = {"name", "services", "volumes"}
SERVICE = {
    "build",
    "command",
    "depends_on",
    "deploy",
    "environment",
    "healthcheck",
    "image",
    "ports",
    "restart",
    "stop_grace_period",
    "volumes",
}
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}
READ_BY = ("bricks/settings.py", "bricks/gunicorn.py")


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((ROOT / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def ours(compose: Any) -> dict[str, Any]:
    """The services that run this code."""
    return {name: one for name, one in compose["services"].items() if "build" in one}


def read_variables() -> set[str]:
    text = "\n".join((ROOT / path).read_text() for path in READ_BY)
    by_environ = re.findall(r"""env(?:\.\w+)?\(\s*['"]([A-Z_0-9]+)['"]""", text)
    required = re.findall(r'required_in_production\(\s*"([A-Z_0-9]+)"', text)
    by_os = re.findall(r"""os\.environ(?:\.get\(|\[)['"]([A-Z_0-9]+)['"]""", text)
    return {*by_environ, *required, *by_os}


class TestCompose:
    def test_has_only_what_the_specification_knows(self, compose):
        assert {key for key in compose if not key.startswith("x-")} == TOP
        for name, service in compose["services"].items():
            assert set(service) <= SERVICE, name
            assert "image" in service or "build" in service, name

    def test_names_only_services_and_volumes_that_are_there(self, compose):
        for service in compose["services"].values():
            for other, how in service.get("depends_on", {}).items():
                assert other in compose["services"]
                assert how["condition"] in CONDITIONS
                if how["condition"] == "service_healthy":
                    assert "healthcheck" in compose["services"][other]
            for volume in service.get("volumes", []):
                assert volume.split(":")[0] in compose["volumes"]

    def test_sets_only_variables_that_the_settings_read(self, ours):
        named = {name for service in ours.values() for name in service["environment"]}

        assert not named - read_variables()

    def test_sets_every_variable_that_production_needs(self, ours):
        text = (ROOT / "bricks/settings.py").read_text()
        needed = set(re.findall(r'required_in_production\(\s*"([A-Z_0-9]+)"', text))

        for name, service in ours.items():
            assert needed <= set(service["environment"]), name

    def test_asks_only_for_what_the_example_lists(self):
        asked = set(re.findall(r"\$\{([A-Z_0-9]+)", (ROOT / "compose.yaml").read_text()))
        lines = (ROOT / ".env.example").read_text().splitlines()

        assert asked == {line.partition("=")[0] for line in lines if re.match(r"[A-Z]", line)}

    def test_runs_what_the_procfile_runs(self, ours):
        lines = (ROOT / "Procfile").read_text().splitlines()
        procfile = dict(line.split(": ", 1) for line in lines)

        assert ours.keys() == procfile.keys() - {"simulators"}
        for name in ("web", "worker"):
            assert ours[name]["command"] == procfile[name]
        assert ours["release"]["command"].startswith(f'sh -c "{procfile["release"]}')
        assert ours["beat"]["command"].startswith(procfile["beat"].partition(" --schedule")[0])

    def test_shows_the_web_process_to_this_machine_only(self, ours):
        assert ours["web"]["ports"] == ["127.0.0.1:8000:8000"]


class TestInstallation:
    def test_names_every_variable_that_production_needs(self):
        text = (ROOT / "bricks/settings.py").read_text()
        page = (ROOT / "docs/run/install.md").read_text()

        for name in set(re.findall(r'required_in_production\(\s*"([A-Z_0-9]+)"', text)):
            assert f"`{name}`" in page
