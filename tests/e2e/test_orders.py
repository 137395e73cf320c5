"""From the sale to the parcel in a browser: list, walk, pack, ship; a reload on the way; a return."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Console
from tests.e2e.site import settle, wait_for
from tests.e2e.test_access import TOO_WIDE, violations, violations_of_themes
from tests.e2e.test_walk import Api

pytestmark = pytest.mark.browser

PHONE = {"width": 380, "height": 800}


@pytest.fixture
def server(page: Page, app: Any, new_person: dict[str, Any]) -> Api:
    return Api(page, app, new_person)


@pytest.fixture
def sold(server: Api) -> Callable[..., list[dict[str, Any]]]:
    """`sold(2)`: so many orders, each of 3 bricks in A-1 and 2 in A-10."""

    def make(count: int) -> list[dict[str, Any]]:
        item = server.get("catalogItems", search="3001")["data"][0]["id"]
        lots = server.get("catalogLots", item=item)["data"][:2]
        rows = []
        for name, lot in zip(("A-10", "A-1"), lots, strict=True):
            place = server.post("inventoryLocations", {"name": name})
            rows.append(
                server.post(
                    "inventoryItems",
                    {
                        "lot_id": lot["id"],
                        "quantity": 20,
                        "location_id": place["id"],
                        "price": "0.25",
                    },
                )
            )
        far, near = rows
        return [
            server.post(
                "orders",
                {
                    "lines": [
                        {"item_id": near["id"], "quantity": 3},
                        {"item_id": far["id"], "quantity": 2},
                    ],
                    "buyer": f"Buyer {number}",
                    "address": "5 Lane\nTown",
                },
            )
            for number in range(count)
        ]

    return make


def stock(server: Api) -> list[tuple[str, int]]:
    rows = server.get("inventoryItems", show_zero_quantity="true")["data"]
    return sorted((row["location_name"], row["quantity"]) for row in rows)


def top_of(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["y"]


def enter(page: Page) -> None:
    """Press Enter as a person does: not twice within a double click."""
    page.keyboard.press("Shift")
    page.keyboard.press("Enter")


class TestAnOrder:
    def test_is_picked_packed_and_shipped_with_four_keys_beside_the_stops(
        self, page: Page, server: Api, sold: Callable[..., Any]
    ):
        (order,) = sold(1)
        page.goto("/app/orders")
        page.get_by_role("button", name="Pick 1 order").focus()

        enter(page)  # 1: the walk
        expect(page.get_by_role("button", name="All 3 are in their trays")).to_be_focused()
        enter(page)  # a stop
        expect(page.get_by_role("button", name="All 2 are in their trays")).to_be_focused()
        enter(page)  # a stop
        expect(page.get_by_role("button", name=f"Pack {order['number']}, tray A")).to_be_focused()
        enter(page)  # 2: to its parcel
        expect(page.get_by_label("Scan or type a number")).to_be_focused()
        enter(page)  # 3: all is there
        expect(page.get_by_label("Tracking number")).to_be_focused()
        enter(page)  # 4: on its way

        expect(page.get_by_role("button", name="Check for orders")).to_be_focused()
        wait_for(page, lambda: server.get(f"orders/{order['id']}")["data"][0]["state"], "shipped")
        wait_for(page, lambda: stock(server), [("A-1", 17), ("A-10", 18)])
        checked = server.get(f"orders/{order['id']}/lines")["data"]
        assert [line["is_checked"] for line in checked] == [True, True]

    def test_comes_back_in_part_into_a_chosen_bin(
        self, page: Page, server: Api, sold: Callable[..., Any]
    ):
        (order,) = sold(1)
        walk = server.post("pickWalks", {})
        for stop in server.get(f"pickWalks/{walk['id']}/stops")["data"]:
            lines = [{k: tray[k] for k in ("line_id", "quantity")} for tray in stop["trays"]]
            server.post(
                f"pickWalks/{walk['id']}/pick", {"item_id": stop["item_id"], "lines": lines}
            )
        server.post(f"orders/{order['id']}/ship", {})
        server.post("inventoryLocations", {"name": "Returns"})
        page.goto(f"/app/orders?order={order['id']}")

        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name=re.compile("^Return")).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("pieces back, of 3").fill("2")
        dialog.get_by_label("Into").fill("Ret")
        page.get_by_role("option", name=re.compile("^Returns")).click()
        assert violations(page) == []
        dialog.get_by_role("button", name="Put 2 pieces back").click()

        expect(page.get_by_text("2 pieces back in Returns")).to_be_visible()
        wait_for(
            page,
            lambda: [row for row in stock(server) if row[1]],
            [("A-1", 17), ("A-10", 18), ("Returns", 2)],
        )
        expect(page.get_by_text("(2 back)")).to_be_visible()


class TestAWalk:
    def test_goes_on_over_a_reload_without_the_server(
        self, page: Page, server: Api, console: Console, sold: Callable[..., Any]
    ):
        console.allow("Failed to load resource")
        sold(2)
        page.set_viewport_size(PHONE)
        page.goto("/app/orders")
        page.get_by_role("button", name="Pick 2 orders").click()
        expect(page.get_by_role("region", name="Now: A-1")).to_be_visible()
        settle(page)
        page.route("**/api/**", lambda route: route.abort())
        page.get_by_role("button", name="All 6 are in their trays").click()
        expect(page.get_by_text("1 row not stored yet")).to_be_visible()

        page.reload()

        expect(page.get_by_role("region", name="Now: A-10")).to_be_visible()
        expect(page.get_by_text("1 row not stored yet")).to_be_visible()
        assert stock(server) == [("A-1", 20), ("A-10", 20)]
        page.get_by_role("button", name="All 4 are in their trays").click()
        page.unroute("**/api/**")
        page.reload()
        expect(page.get_by_text("Everything is picked")).to_be_visible()
        expect(page.get_by_text("not stored yet")).to_have_count(0)
        wait_for(page, lambda: stock(server), [("A-1", 14), ("A-10", 16)])

    def test_shows_its_lines_whole_on_a_phone(self, page: Page, sold: Callable[..., Any]) -> None:
        page.set_viewport_size(PHONE)
        page.goto(f"/app/orders?order={sold(1)[0]['id']}")

        lines = page.get_by_role("list", name="Lines")
        expect(lines.get_by_role("listitem")).to_have_count(2)
        expect(lines).to_contain_text("A-10 (2)")
        assert lines.evaluate("list => list.scrollWidth <= list.clientWidth")

    def test_is_for_everybody_on_any_screen(self, page: Page, sold: Callable[..., Any]):
        sold(2)
        page.emulate_media(reduced_motion="reduce")
        page.goto("/app/orders")
        found = []
        for name in ("board", "walk", "packing"):
            if name == "walk":
                page.get_by_role("button", name="Pick 2 orders").click()
                expect(page.get_by_role("region", name="Now: A-1")).to_be_visible()
            if name == "packing":
                # A toast stays while the window is not looked at.
                page.evaluate("window.dispatchEvent(new Event('blur'))")
                page.get_by_role("button", name="All 6 are in their trays").click()
                head = page.get_by_role("region", name="Now: A-10").get_by_role("status")
                toast = page.get_by_text("A-1: 6 pieces taken")
                foot = page.get_by_role("button", name="All 4 are in their trays")
                expect(toast).to_be_visible()
                page.set_viewport_size(PHONE)
                wait_for(
                    page,
                    lambda toast=toast, head=head, foot=foot: (
                        top_of(head) + 40 < top_of(toast) < top_of(foot) - 20
                    ),
                    True,
                )
                page.evaluate("window.dispatchEvent(new Event('focus'))")
                foot.click()
                page.get_by_role("button", name=re.compile("^Pack ")).click()
                expect(page.get_by_role("checkbox").first).to_be_attached()
            settle(page)
            for size in (PHONE, {"width": 1440, "height": 900}, {"width": 2560, "height": 1300}):
                page.set_viewport_size(size)
                found += [f"{name} {one}" for one in page.evaluate(TOO_WIDE)]
                found += [f"{name} {one}" for one in violations_of_themes(page)]

        assert found == []
