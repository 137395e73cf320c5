"""What a person sees when a part cannot be fetched or drawn, and the way out."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Console
from tests.e2e.site import answer

pytestmark = pytest.mark.browser

BATCHES_CHUNK = "**/static/batches.*.js"


@pytest.fixture
def home(page: Page, person) -> Page:
    page.goto("/app/home")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def abort(route: Route) -> None:
    route.abort("connectionfailed")


def open_batches(page: Page) -> None:
    page.get_by_role("link", name="Batches", exact=True).click()


class TestChunkThatCannotBeFetched:
    @pytest.mark.parametrize(
        "fail",
        [
            pytest.param(abort, id="no connection"),
            pytest.param(answer("", 404), id="another version was deployed"),
        ],
    )
    def test_is_named_and_comes_with_a_reload(self, home: Page, console: Console, fail):
        console.allow("Failed to load resource")
        console.allow("ChunkLoadError")
        home.route(BATCHES_CHUNK, fail)

        open_batches(home)

        alert = home.get_by_role("main").get_by_role("alert")
        expect(alert.get_by_role("heading", name="Application Error")).to_be_visible()
        expect(alert).to_contain_text("ChunkLoadError")
        home.unroute(BATCHES_CHUNK)
        home.get_by_role("button", name="Reload Page").click()
        expect(home.get_by_role("heading", name="Batches", level=1)).to_be_visible()

    def test_is_asked_for_again_when_the_error_is_dismissed(self, home: Page, console: Console):
        console.allow("Failed to load resource")
        console.allow("ChunkLoadError")
        home.route(BATCHES_CHUNK, abort)
        open_batches(home)
        expect(home.get_by_text("ChunkLoadError").first).to_be_visible()
        home.unroute(BATCHES_CHUNK)

        home.get_by_role("button", name="Dismiss Error").click()

        expect(home.get_by_role("heading", name="Batches", level=1)).to_be_visible()

    def test_leaves_the_other_pages_usable(self, home: Page, console: Console):
        console.allow("Failed to load resource")
        console.allow("ChunkLoadError")
        home.route(BATCHES_CHUNK, abort)
        open_batches(home)
        expect(home.get_by_text("ChunkLoadError").first).to_be_visible()

        home.get_by_role("link", name="My Sets", exact=True).click()

        expect(home.get_by_role("heading", level=1)).not_to_have_text("Application Error")
        expect(home.get_by_role("button", name="Reload Page")).to_have_count(0)

    def test_is_told_to_the_server(self, home: Page, console: Console):
        console.allow("Failed to load resource")
        console.allow("ChunkLoadError")
        home.route(BATCHES_CHUNK, abort)

        with home.expect_request("**/api/logs") as sent:
            open_batches(home)

        entries = sent.value.post_data_json["entries"]
        assert any("ChunkLoadError" in entry["message"] for entry in entries)
        assert {entry["level"] for entry in entries} == {"error"}


class TestChunkThatIsBroken:
    def test_is_a_build_error(self, home: Page, console: Console):
        console.allow("Unexpected token")
        console.allow("ChunkLoadError")
        body = "const this is no script"
        home.route(
            BATCHES_CHUNK, lambda route: route.fulfill(content_type="text/javascript", body=body)
        )

        open_batches(home)

        expect(home.get_by_role("heading", name="Build Error")).to_be_visible()
        expect(home.get_by_role("button", name="Reload Page")).to_be_visible()
        expect(home.get_by_role("button", name="Dismiss Error")).to_be_visible()


class TestPageThatCannotBeDrawn:
    def test_is_an_application_error_under_the_bar(self, page: Page, console: Console, person):
        console.allow("Invalid time value")
        me = {**person["user"], "createdAt": "no date at all"}
        page.route("**/api/users/me", answer({"success": True, "data": [me], "meta": {}}))

        page.goto("/app/profile")

        alert = page.get_by_role("main").get_by_role("alert")
        expect(alert.get_by_role("heading", name="Application Error")).to_be_visible()
        expect(alert).to_contain_text("Invalid time value")
        alert.get_by_text("Details").click()
        expect(alert.locator("pre")).to_be_visible()
        expect(page.get_by_role("navigation", name="Main")).to_be_visible()
        page.unroute("**/api/users/me")
        page.get_by_role("button", name="Reload Page").click()
        expect(page.get_by_role("heading", name="Profile", level=1)).to_be_visible()
