"""An owner, a sorter and a picker in one store for a day, each on a device of his own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.app import RunningApp
from tests.e2e.conftest import Console, new_context, seed
from tests.e2e.site import settle, stored, wait_for
from tests.e2e.test_walk import Api

pytestmark = pytest.mark.browser


@pytest.fixture
def device(app: RunningApp, browser: Browser, console: Console) -> Iterator[Callable[..., Page]]:
    """`device(session)` is a page of another device, where that person is signed in."""
    with ExitStack() as stack:

        def open_page(session: dict[str, Any]) -> Page:
            context = stack.enter_context(new_context(app, browser))
            seed(context, session)
            page = context.new_page()
            console.watch(page)
            return page

        yield open_page


def invite(page: Page, role: str) -> str:
    """Return the link of a new invitation, as its owner copies it."""
    page.goto("/app/home")
    page.goto("/app/settings#people")
    page.get_by_role("button", name="Invite", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Role").select_option(role)
    dialog.get_by_role("button", name="Make link").click()
    return page.get_by_label("People").locator("code").inner_text()


def join(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/app/**")
    expect(page.get_by_role("banner").get_by_role("button", name="Store")).to_contain_text("Ann")


def bar(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Main").get_by_role("link")


class TestADay:
    def test_of_three_people_on_three_devices(
        self,
        page: Page,
        app: RunningApp,
        new_person: dict[str, Any],
        device: Callable[..., Page],
    ):
        owner = Api(page, app, new_person)
        item = owner.get("catalogItems", search="3001")["data"][0]["id"]
        lot = owner.get("catalogLots", item=item)["data"][0]["id"]
        place = owner.post("inventoryLocations", {"name": "A-1"})["id"]
        row = owner.post(
            "inventoryItems",
            {"lot_id": lot, "quantity": 9, "location_id": place, "price": "0.25", "cost": "0.1"},
        )
        owner.post("orders", {"lines": [{"item_id": row["id"], "quantity": 2}], "buyer": "Carl"})
        batch = owner.post("batches", {"name": "Lot of May", "cost_total": "40"})
        sam, pat = app.new_session(), app.new_session()
        Api(page, app, pat).patch("users/me", {"name": "Pat"})
        sorter, picker = device(sam), device(pat)

        join(sorter, invite(page, "sorter"))
        join(picker, invite(page, "picker"))

        # The sorter: batches without costs, and no orders.
        expect(sorter.get_by_role("heading", level=1)).to_have_text("Batches")
        expect(bar(sorter)).to_have_text(["Catalog", "Stow Inventory", "Batches"])
        sorter.goto(f"/app/batches?batch={batch['id']}")
        expect(sorter.get_by_role("heading", name="Lot of May")).to_be_visible()
        settle(sorter)
        expect(sorter.get_by_role("main")).not_to_contain_text("40.00")
        sorter.goto("/app/orders")
        sorter.wait_for_url("**/app/batches")

        # The picker: the order that is in hand, from the bin into the parcel.
        expect(picker.get_by_role("heading", level=1)).to_have_text("Orders")
        expect(bar(picker)).to_have_text(["Catalog", "Orders"])
        picker.get_by_role("button", name="Pick 1 order").click()
        picker.get_by_role("button", name="All 2 are in their trays").click()
        expect(picker.get_by_role("button", name="Pack", exact=False).first).to_be_visible()

        # The owner sees who did it, in his own store.
        def last_moved() -> tuple[int, str]:
            moved = owner.get(f"inventoryItems/{row['id']}/movements")["data"][0]
            return moved["delta"], moved["by_name"]

        wait_for(page, last_moved, (-2, "Pat"))
        page.reload()
        expect(page.get_by_role("list", name="Members").get_by_role("listitem")).to_have_count(2)

    def test_ends_for_who_is_removed(
        self,
        page: Page,
        app: RunningApp,
        new_person: dict[str, Any],
        device: Callable[..., Page],
        console: Console,
    ):
        console.allow("401 (Unauthorized)")
        owner = Api(page, app, new_person)
        sorter = device(app.new_session())
        join(sorter, invite(page, "sorter"))

        page.reload()
        page.get_by_role("button", name="Remove Ann").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()

        expect(page.get_by_role("list", name="Members").get_by_role("listitem")).to_have_count(0)
        sorter.goto("/app/inventory-locations")
        sorter.wait_for_url("**/signin")
        wait_for(page, lambda: owner.get("members")["data"], [])


class TestTheStoreSwitch:
    def test_shows_nothing_of_the_other_store(
        self,
        page: Page,
        app: RunningApp,
        new_person: dict[str, Any],
        device: Callable[..., Page],
    ):
        owner = Api(page, app, new_person)
        owner.post("inventoryLocations", {"name": "OF-ANN"})
        session = app.new_session()
        helper = device(session)
        own = Api(helper, app, session)
        own.post("inventoryLocations", {"name": "OF-BO"})
        join(helper, invite(page, "manager"))
        helper.goto("/app/inventory-locations")
        expect(helper.get_by_role("gridcell", name="OF-ANN")).to_be_visible()
        second = helper.context.new_page()
        second.goto("/app/inventory-locations")
        expect(second.get_by_role("gridcell", name="OF-ANN")).to_be_visible()

        helper.get_by_role("banner").get_by_role("button", name="Store").click()
        helper.get_by_role("menuitem", name="your own").click()
        helper.wait_for_url("**/app/home")
        helper.goto("/app/inventory-locations")

        expect(helper.get_by_role("gridcell", name="OF-BO")).to_be_visible()
        expect(helper.get_by_role("gridcell", name="OF-ANN")).to_have_count(0)
        # The other tab of the same browser follows.
        expect(second.get_by_role("gridcell", name="OF-BO")).to_be_visible()
        expect(second.get_by_role("gridcell", name="OF-ANN")).to_have_count(0)
        assert str(session["user"]["id"]) in (stored(second, "user") or "")
