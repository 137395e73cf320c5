"""The books in a browser: a period, its report, an order's invoice, and its credit note."""

import io
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.e2e.app import RunningApp
from tests.e2e.site import settle, wait_for
from tests.e2e.test_walk import Api

pytestmark = pytest.mark.browser


@pytest.fixture
def server(page: Page, app: RunningApp, new_person: dict[str, Any]) -> Api:
    return Api(page, app, new_person)


@pytest.fixture
def order(server: Api) -> dict[str, Any]:
    """A picked order of today, of four pieces at 1.00, of a seller who charges VAT in Germany."""
    mode = {"since": "2020-01-01", "mode": "normal", "country": "DE"}
    server.patch("books/settings", {"modes": [mode], "invoice_prefix": "R-"})
    item = server.get("catalogItems", search="3001")["data"][0]["id"]
    lot = server.get("catalogLots", item=item)["data"][0]["id"]
    place = server.post("inventoryLocations", {"name": "A-1"})["id"]
    row = server.post(
        "inventoryItems", {"lot_id": lot, "quantity": 9, "location_id": place, "price": "1.00"}
    )
    made = server.post(
        "orders", {"lines": [{"item_id": row["id"], "quantity": 4}], "buyer": "Carl"}
    )
    walk = server.post("pickWalks", {})
    (stop,) = server.get(f"pickWalks/{walk['id']}/stops")["data"]
    lines = [{name: tray[name] for name in ("line_id", "quantity")} for tray in stop["trays"]]
    server.post(f"pickWalks/{walk['id']}/pick", {"item_id": stop["item_id"], "lines": lines})
    return made


def pdf_of(page: Page, click: Any) -> str:
    with page.expect_download() as caught:
        click()
    with open(caught.value.path(), "rb") as file:
        return "\n".join(one.extract_text() for one in PdfReader(io.BytesIO(file.read())).pages)


def test_a_sale_is_booked_invoiced_and_credited(page: Page, server: Api, order: dict[str, Any]):
    page.goto(f"/app/orders?order={order['id']}")
    settle(page)  # the next step takes the focus when it is known
    page.get_by_role("button", name="Print", exact=True).click()
    invoice = pdf_of(page, page.get_by_role("menuitem", name="Invoice", exact=True).click)
    assert "R-1" in invoice
    assert "Carl" in invoice

    page.goto("/app/reports")
    page.get_by_role("tab", name="Books").click()
    rules = page.get_by_role("table", name="By rule of VAT")
    # 19/119 of 4.00.
    expect(rules.get_by_role("row").filter(has_text="VAT, DE 19 %")).to_contain_text("0.64")
    invoices = page.get_by_role("table", name="Invoices")
    expect(invoices.get_by_role("row").filter(has_text="R-1")).to_contain_text("Carl")

    page.get_by_label("Period").select_option(index=1)
    expect(
        page.get_by_text("The first order that you pick in the period fills this.")
    ).to_be_visible()
    expect(rules).to_have_count(0)

    invoices.get_by_role("button", name="Cancel R-1").click()
    page.get_by_role("button", name="Issue a credit note").click()
    expect(invoices.get_by_role("row").filter(has_text="R-2 (credit note)")).to_be_visible()
    wait_for(
        page, lambda: [one["number"] for one in server.get("invoices")["data"]], ["R-2", "R-1"]
    )
    expect(invoices.get_by_role("button", name="Cancel R-1")).to_have_count(0)
    assert "R-2" in pdf_of(page, invoices.get_by_role("button", name="PDF of R-2").click)
