"""A seller with a store at each of two marketplaces: connected, tied, filled by a plan, sold twice."""

import json
import re
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from apps.marketplace.providers import demo_store
from apps.marketplace.providers.base import Marketplace
from apps.marketplace.providers.clients import Access, open_client, secrets_of
from apps.marketplace.providers.lots import LotDraft
from tests.e2e.app import RunningApp
from tests.e2e.site import call_api, settle

pytestmark = pytest.mark.browser

FIRST, SECOND = ("bricklink", "MARKETPLACE_URL"), ("brickowl", "BRICKOWL_URL")
FIRST_NAME, SECOND_NAME = "Demo store", "BrickOwl (demo)"
PARTS = ("3001", "3002", "3003", "3004", "3005", "3010", "3020", "3021", "3022", "3023")
#: How many of its lots the seller has at the second marketplace already.
ALREADY_THERE = 5
ONE_PIECE = "3001"


def draft(number: str, color: int, quantity: int = 10) -> LotDraft:
    return LotDraft(
        item_type="PART",
        number=number,
        color_id=color,
        condition="U",
        quantity=quantity,
        price=Decimal("0.1000"),
        remarks="A-01",
    )


@pytest.fixture
def opened(app: RunningApp, new_person: dict[str, Any]):
    """`with opened(FIRST) as client` calls the demo store of the person without the app."""

    @contextmanager
    def client_of(store: tuple[str, str]) -> Iterator[Marketplace]:
        marketplace, setting = store
        address = app.environment[setting]
        values = demo_store.register(base_url=address, name=f"user-{new_person['user']['id']}")
        access = Access(
            base_url=address, spend=lambda kind: None, limited=lambda: None, known=lambda ids: {}
        )
        with open_client(secrets_of(marketplace, values), access) as client:
            yield client

    return client_of


@pytest.fixture
def buy(app: RunningApp, new_person: dict[str, Any]):
    """`buy(FIRST, number)` orders the piece of each lot of one piece there."""

    def control(store: tuple[str, str], what: str, **told: Any) -> Any:
        body = {"name": f"user-{new_person['user']['id']}", **told}
        request = urllib.request.Request(
            urljoin(app.environment[store[1]], f"/_control/{what}"),
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def place(store: tuple[str, str], number: str) -> None:
        lots = [
            lot
            for lot in control(store, "store")["lots"]
            if number == (lot.get("number") or lot["item"]["no"]) and lot["quantity"] == 1
        ]
        assert lots
        for lot in lots:
            control(store, "orders", place={str(lot["inventory_id"]): 1})

    return place


@pytest.fixture
def total(page: Page, app: RunningApp, new_person: dict[str, Any]):
    """`total(for_sale_on="none")` is how many rows of stock the API finds."""

    def count(**query: Any) -> int:
        headers = {"Authorization": f"Bearer {new_person['accessToken']}"}
        address = f"{app.url}/api/inventoryItems"
        answer = page.request.get(address, headers=headers, params={**query, "page_size": 1})
        assert answer.ok, answer.text()
        return int(answer.json()["meta"]["pagination"]["total_items"])

    return count


def apply_import(page: Page) -> None:
    """Apply what a pull shows, and close it."""
    dialog = page.get_by_role("dialog").last
    dialog.get_by_role("button", name=re.compile("^Import")).last.click()
    expect(dialog.get_by_role("button", name="Undo").last).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_connects_one_store_then_the_other_and_is_told_what_was_sold_twice(
    page: Page, app: RunningApp, new_person: dict[str, Any], opened, buy, total
):
    # The first store, with lots that are for sale: nothing on the pages speaks of stores beside it.
    with opened(FIRST) as bricklink:
        bricklink.create_lots([draft(number, color) for number in PARTS for color in (1, 5, 7)])
        bricklink.create_lot(draft(ONE_PIECE, 11, 1))
    call_api(page, app, new_person, "marketplaceConnection/demo", {"marketplace": FIRST[0]})
    page.goto("/app/settings#integrations")
    page.get_by_role("button", name=re.compile("^Pull ")).click()
    apply_import(page)
    assert total(listed="for_sale") == 31
    page.goto("/app/inventory")
    expect(page.get_by_role("grid", name="Inventory")).to_be_visible()
    settle(page)
    expect(page.get_by_role("columnheader", name="For sale on")).to_have_count(0)

    # The second one has some of the lots already: they are tied, and none is doubled.
    page.goto("/app/settings#integrations")
    page.get_by_role("button", name=f"Sell at {SECOND_NAME}, too").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("demo")).click()
    pull = page.get_by_role("button", name=f"Pull {SECOND_NAME}")
    expect(pull).to_be_visible()
    with opened(SECOND) as owl:
        for number in PARTS[:ALREADY_THERE]:
            owl.create_lot(draft(number, 5))
    pull.click()
    expect(page.get_by_text("5 lots of the store are yours already")).to_be_visible()
    apply_import(page)
    assert total(listed="for_sale") == 31

    # The plan tells what it would get, by its mark, before anything is sent.
    page.goto("/app/store")
    page.get_by_role("button", name="Compare with stock").click()
    plan = page.get_by_role("dialog", name="What differs between stock and store")
    expect(plan.get_by_role("img", name=SECOND_NAME).first).to_be_visible()
    with opened(SECOND) as owl:
        assert len(owl.lots()) == ALREADY_THERE
    plan.get_by_role("button", name="Sync 26 lots").click()
    expect(page.get_by_role("dialog", name="Stock and store are synced")).to_be_visible()
    with opened(SECOND) as owl:
        assert len(owl.lots()) == 31

    page.goto("/app/inventory")
    expect(page.get_by_role("columnheader", name="For sale on")).to_be_visible()
    row = page.get_by_role("row", name=re.compile(PARTS[1])).first
    expect(row.get_by_role("img", name=FIRST_NAME)).to_be_visible()
    expect(row.get_by_role("img", name=SECOND_NAME)).to_be_visible()

    # Two buyers take the last piece between two readings: Home and the board name it.
    buy(FIRST, ONE_PIECE)
    buy(SECOND, ONE_PIECE)
    page.goto("/app/orders")
    page.get_by_role("button", name="Check for orders").click()
    cards = page.get_by_role("region", name="New").or_(page.get_by_role("region", name="To pick"))
    expect(cards.get_by_text("Sold twice")).to_have_count(2)
    page.get_by_role("group", name="Store").get_by_text(SECOND_NAME).click()
    expect(cards.get_by_text("Sold twice")).to_have_count(1)
    page.goto("/app/home")
    page.get_by_role("link", name=re.compile("Leave out 1 piece sold twice")).click()
    leave_out = page.get_by_role("button", name="Leave out 1 and refund")
    leave_out.click()
    expect(leave_out).to_have_count(0)
