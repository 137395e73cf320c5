"""From home to the reports, in a real browser with the demo's store."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


class TestReports:
    def test_are_found_from_home_and_downloaded(self, page: Page, sign_in) -> None:
        sign_in()
        page.goto("/app/home")
        page.get_by_role("link", name="Reports").first.click()

        expect(page.get_by_role("heading", level=1, name="Reports")).to_be_visible()
        returns = page.get_by_role("table").first
        expect(returns.get_by_text("Castle and pirates")).to_be_visible()
        with page.expect_download() as told:
            page.get_by_role("button", name="Return per batch as CSV").click()
        assert told.value.suggested_filename.startswith("batches-")
        assert "Castle and pirates" in told.value.path().read_text()
