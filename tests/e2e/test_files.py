"""A table that nobody here has seen, and a store that both sides changed, as people settle them."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from apps.marketplace.providers import demo_store
from apps.marketplace.providers.bricklink import BrickLinkStore
from apps.marketplace.providers.bricklink_secrets import BrickLinkSecrets
from apps.marketplace.providers.lots import LotChange, LotDraft
from tests.e2e.app import RunningApp
from tests.e2e.test_access import violations
from tests.e2e.test_walk import JOB_MS, Api

pytestmark = pytest.mark.browser

THERE = Decimal("0.3000")
DRAFT = LotDraft(
    item_type="PART", number="3001", color_id=5, condition="U", quantity=10, price=Decimal("0.1000")
)
EUROPEAN = """Teilenummer;Farbe;Menge;Preis;Zustand;Schublade 3
3001;Red;12;0,15;N;K-01
3001;Blue;8;0,125;U;K-01
3020;Black;1.200;1.234,50;N;K-02
"""


@pytest.fixture
def server(page: Page, app: RunningApp, new_person: dict[str, Any]) -> Api:
    return Api(page, app, new_person)


class TestATable:
    def test_is_dropped_corrected_applied_and_undone(self, page: Page, server: Api, tmp_path: Path):
        file = tmp_path / "lager.csv"
        file.write_text(EUROPEAN, encoding="cp1252")
        page.goto("/app/inventory")
        page.get_by_role("button", name="Import a file").first.click()
        page.locator("input[type=file]").last.set_input_files(file)

        preview = page.get_by_role("dialog", name=re.compile("ready to import$"))
        expect(preview).to_contain_text("separated by semicolons", timeout=JOB_MS)
        preview.get_by_role("button", name="Check the columns").click()
        expect(preview.get_by_label("Decimal sign")).to_have_value(",")
        preview.get_by_label("What is Schublade 3?").select_option(label="Bin")
        assert violations(page) == []
        preview.get_by_role("button", name="Read the file like this").click()
        go = preview.get_by_role("button", name="Import 3 lots and 2 bins")
        go.click(timeout=JOB_MS)
        ended = page.get_by_role("dialog", name="3 lots imported")
        expect(ended).to_be_visible(timeout=JOB_MS)
        rows = server.get("inventoryItems")["data"]
        assert sorted((row["location_name"], row["quantity"], row["price"]) for row in rows) == [
            ("K-01", 8, "0.1250"),
            ("K-01", 12, "0.1500"),
            ("K-02", 1200, "1234.5000"),
        ]

        ended.get_by_role("button", name="Undo import").click()
        page.get_by_role("button", name="Undo import").last.click()
        expect(page.get_by_role("dialog", name="Undone")).to_be_visible(timeout=JOB_MS)
        assert server.total("inventoryItems", show_zero_quantity="true") == 0
        assert server.total("inventoryLocations") == 0


class TestTheStore:
    def test_is_synced_by_a_press_and_what_both_changed_is_asked(
        self, page: Page, app: RunningApp, server: Api, new_person: dict[str, Any]
    ):
        address = app.environment["MARKETPLACE_URL"]
        name = f"user-{new_person['user']['id']}"
        secrets = BrickLinkSecrets(**demo_store.register(base_url=address, name=name))
        with BrickLinkStore(base_url=address, secrets=secrets, spend=lambda _kind: None) as store:
            lot = store.create_lot(DRAFT)
            page.goto("/app/store")
            page.get_by_role("button", name="Pull the demo store").click()
            page.get_by_role("button", name="Import 1 lot").click(timeout=JOB_MS)
            expect(page.get_by_role("dialog", name="1 lot imported")).to_be_visible(timeout=JOB_MS)
            (row,) = server.get("inventoryItems")["data"]
            server.request.patch(
                f"{server.url}/api/inventoryItems/{row['id']}",
                headers=server.headers,
                data={"price": "0.75"},
            )
            store.change_lot(lot.lot_id, LotChange(comments="", price=THERE))

            page.goto("/app/store")
            page.get_by_label("Changed here and in the store").select_option("ask")
            page.get_by_role("button", name="Sync now").click()
            page.get_by_role("button", name="Send 1 lot").click()
            page.get_by_role("link", name="1 to decide").click(timeout=JOB_MS)
            asked = page.get_by_role("region", name="Changed on both sides")
            expect(asked).to_contain_text("0.30")
            assert violations(page) == []
            asked.get_by_role("button", name=re.compile("^Take theirs: Price")).click()

            expect(page.get_by_role("button", name="Undo")).to_be_visible()
            (row,) = server.get("inventoryItems")["data"]
            assert row["price"] == "0.3000"
            assert store.lot(lot.lot_id).price == THERE
