"""The documentation is served to everybody under /help, by a policy of its own."""

import base64
import hashlib
import re

import pytest
from django.test import Client

from apps.core.help import POLICY, THEME_SCRIPT

PAGE = "<script>document.title</script><h1>Stow</h1>"


@pytest.fixture
def site(tmp_path, settings):
    page = tmp_path / "help" / "sell" / "stow" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE)
    settings.WHITENOISE_ROOT = tmp_path
    return Client()


class TestHelp:
    def test_shows_a_page_without_a_session(self, site):
        answer = site.get("/help/sell/stow/")

        assert answer.status_code == 200
        assert b"".join(answer.streaming_content).decode() == PAGE

    def test_has_its_own_policy(self, site):
        answer = site.get("/help/sell/stow/")
        b"".join(answer.streaming_content)

        assert answer.headers["Content-Security-Policy"] == POLICY

    def test_of_a_page_that_is_not_there_is_404_and_not_the_app(self, site):
        assert site.get("/help/sell/nothing/").status_code == 404


def test_the_policy_allows_the_script_that_the_theme_writes():
    """Furo's `base.html` holds one line of script: another text needs another digest."""
    from importlib.resources import files

    written = files("furo").joinpath("theme/furo/base.html").read_text()
    scripts = re.findall(r"<script>(.*?)</script>", written, re.S)

    assert [
        f"sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}"
        for each in scripts
    ] == [THEME_SCRIPT]
