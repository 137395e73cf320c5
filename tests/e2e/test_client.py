"""The API client on the wire: what it carries, and how a refusal is shown."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Console
from tests.e2e.site import answer

pytestmark = pytest.mark.browser

LIST = "**/api/sources?*"


class TestEveryCall:
    def test_sends_json_as_json(self, page: Page, new_person):
        page.goto("/app/sources")
        page.get_by_role("button", name="New source").click()
        page.get_by_role("dialog").get_by_label("Name").fill("Attic")

        with page.expect_request("**/api/sources") as sent:
            page.get_by_role("dialog").get_by_role("button", name="Add source").click()

        assert sent.value.method == "POST"
        assert sent.value.headers["content-type"] == "application/json"
        assert sent.value.headers["idempotency-key"]
        assert sent.value.post_data_json == {"name": "Attic", "notes": ""}

    def test_sends_a_file_as_multipart(self, page: Page, new_person):
        bsx = b"<BrickStoreXML><Inventory><Item><ItemID>3001</ItemID></Item></Inventory></BrickStoreXML>"
        # The browser tells tests nothing of a body that holds a file.
        page.add_init_script("""
          const send = XMLHttpRequest.prototype.send;
          XMLHttpRequest.prototype.send = function (body) {
            window.parts = [...body].map(([name, value]) => [name, value.name ?? value]);
            return send.call(this, body);
          };
        """)
        page.goto("/app/inventory")
        page.get_by_role("button", name="Import a file").first.click()

        with page.expect_request("**/api/inventoryItems/sync") as sent:
            page.locator("input[type=file]").set_input_files(
                {"name": "store.bsx", "mimeType": "text/xml", "buffer": bsx}
            )

        assert sent.value.method == "POST"
        kind = sent.value.headers["content-type"]
        assert kind.startswith("multipart/form-data; boundary=")
        assert ["file", "store.bsx"] in page.evaluate("parts")

    def test_shows_the_servers_words_for_a_refusal(self, page: Page, console: Console, new_person):
        console.allow("409")
        refusal = {
            "success": False,
            "data": [],
            "meta": {"error": {"code": "X_1", "message": "No."}},
        }
        page.route(LIST, answer(refusal, 409))

        page.goto("/app/sources")

        expect(page.get_by_role("main").get_by_text("No.", exact=True)).to_be_visible()
