"""The list of what was added at the station."""

from contextlib import AbstractContextManager
from typing import Any

from playwright.sync_api import Locator, Page, expect


def adds(page: Page) -> Locator:
    """The rows, the newest first."""
    return page.get_by_role("list", name="Last added").get_by_role("listitem")


def wait_until_sent(page: Page) -> None:
    """Wait until the server has all of them: the line may have been idle before they went out."""
    expect(adds(page).filter(has_text="being looked up")).to_have_count(0)
    expect(page.get_by_title("being sent")).to_have_count(0)


def counted(page: Page) -> AbstractContextManager[Any]:
    """Wait, after the block, until the server has counted more or fewer pieces: the list shows it earlier."""
    return page.expect_response(lambda answer: answer.url.endswith("/count") and answer.ok)
