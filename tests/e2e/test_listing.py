"""Listing as people see it, against the demo store: what is listed lies there with its price."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.site import call_api

pytestmark = pytest.mark.browser

RED, BLUE = 5, 7


@pytest.fixture
def make(page: Page, app, new_person) -> Callable[..., dict[str, Any]]:
    """`make("batches", {...})` makes something of the new person's through the API."""
    return lambda endpoint, body: call_api(page, app, new_person, endpoint, body)


@pytest.fixture
def read(page: Page, app, new_person) -> Callable[..., list[dict[str, Any]]]:
    """`read("batchItems?batch=1")` returns the rows that the API has of the new person."""

    def rows(address: str) -> list[dict[str, Any]]:
        headers = {"Authorization": f"Bearer {new_person['accessToken']}"}
        found: list[dict[str, Any]] = page.request.get(
            f"{app.url}/api/{address}", headers=headers
        ).json()["data"]
        return found

    return rows


@pytest.fixture
def batch(make) -> int:
    """Two stowed lots: red bricks at 0.50 each, and blue ones that have no price yet."""
    batch = make("batches", {"name": "Flea market"})["id"]
    place = make("inventoryLocations", {"name": "L-1", "max_item_count": 50})["id"]
    for color, qty, price in ((RED, 4, "0.50"), (BLUE, 3, "0")):
        make(
            "batchItems",
            {
                "batch_id": batch,
                "item_type": "PART",
                "item_number": "3001",
                "color_id": color,
                "qty": qty,
                "price": price,
                "user_inventory_item_location_id": place,
            },
        )
    make(f"batches/{batch}/stow", {"items": "all"})
    return int(batch)


class TestListingABatch:
    def test_tells_what_is_refused_and_lists_it_once_it_is_mended(
        self, page: Page, batch: int, read
    ):
        page.goto(f"/app/batches?batch={batch}")
        page.get_by_role("button", name="List 2 lots", exact=True).click()
        asked = page.get_by_role("dialog", name="List 2 lots")
        expect(asked).to_contain_text(re.compile(r"Demo store: [\d,]+ calls are left"))
        asked.get_by_role("button", name="List", exact=True).click()

        ended = page.get_by_role("dialog", name="1 listed, 1 refused")
        refused = ended.get_by_role("row").nth(1)
        expect(refused).to_contain_text(re.compile("price", re.IGNORECASE))
        items = {row["color_id"]: row for row in read(f"batchItems?batch={batch}")}
        assert items[RED]["state"] == "listed"
        assert (items[BLUE]["state"], items[BLUE]["is_listed_pending"]) == ("stowed", False)

        refused.get_by_role("button", name=re.compile("^Open ")).click()
        form = page.get_by_role("dialog").last
        form.get_by_label(re.compile("^Price")).fill("0.25")
        form.get_by_role("button", name="Save").click()
        expect(form.get_by_label(re.compile("^Price"))).to_have_count(0)
        page.get_by_role("button", name="Retry these…").click()
        again = page.get_by_role("dialog", name="List 1 lot")
        again.get_by_role("button", name="List", exact=True).click()

        expect(page.get_by_role("dialog", name="1 lot listed")).to_be_visible()
        page.get_by_role("button", name="Close", exact=True).last.click()
        states = page.get_by_role("group", name="Show items")
        expect(states.get_by_role("radio", name=re.compile("^Listed 2"))).to_be_visible()
        sent = read("marketplace/listings?state=listed&ordering=createdAt")
        assert [(row["quantity"], row["price"]) for row in sent] == [(4, "0.5000"), (3, "0.2500")]

        # The store is asked itself: it holds exactly what was listed.
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Sync", exact=True).click()
        compared = page.get_by_role("dialog", name="What differs between stock and store")
        expect(compared).to_contain_text("Stock and store agree")
        expect(compared).to_contain_text("2 lots are the same on both sides")

    def test_is_found_again_with_what_was_refused(self, page: Page, batch: int, make):
        make("marketplace/listings", {"batch_id": batch, "items": "all"})

        page.goto("/app/store")
        past = page.get_by_role("region", name="Listings").get_by_role("row", name="Flea market")
        expect(past).to_contain_text("1 listed (1 new lot), 1 refused")
        past.get_by_role("link", name="Open the listing of Flea market").click()

        ended = page.get_by_role("dialog", name="1 listed, 1 refused")
        expect(ended.get_by_role("button", name="Retry these…")).to_be_visible()
