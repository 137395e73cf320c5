"""Where every path ends that is no page of the person who opens it: see test_access.py for the pages."""

import urllib.request

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.site import BAR, PRODUCT, hold, settle, wait_until

pytestmark = pytest.mark.browser


class TestVisitor:
    @pytest.mark.parametrize("path", ["/app/home", "/app/stow-inventory", "/app", "/no-such-page"])
    def test_is_sent_to_sign_in_from_everywhere_else(self, page: Page, app, path: str):
        page.goto(path)

        expect(page).to_have_url(f"{app.url}/signin")

    def test_finds_sign_up_sign_in_and_privacy_from_the_welcome_page(self, page: Page, app):
        page.goto("/")

        for name in ("Sign in", "Sign up", "Privacy policy"):
            expect(page.get_by_role("link", name=name).first).to_be_visible()

    def test_gets_the_product_name_alone_as_served_title(self, app):
        with urllib.request.urlopen(f"{app.url}/") as answer:
            html = answer.read().decode()

        assert f"<title>{PRODUCT}</title>" in html


class TestSignedIn:
    @pytest.mark.parametrize(
        "path",
        [
            *("/app", "/", "/signin", "/signup", "/privacy", "/no-such-page", "/app/no-such-page"),
            *("/Signin", "/APP/home", "/app/home/"),
        ],
    )
    def test_ends_at_home_from_every_other_path(self, page: Page, app, person, path: str):
        page.goto(path)

        expect(page).to_have_url(f"{app.url}/app/home")

    def test_scrolls_the_main_area_under_a_fixed_header(self, page: Page, person):
        page.set_viewport_size({"width": 1280, "height": 400})
        page.goto("/app/settings#stow")
        main = page.get_by_role("main")
        expect(main.get_by_role("switch", name="Sounds")).to_be_attached()
        main.hover()

        page.mouse.wheel(0, 2_000)

        wait_until(page, "document.querySelector('main').scrollTop > 100")
        assert page.get_by_role("banner").bounding_box()["y"] == 0
        assert page.evaluate("document.scrollingElement.scrollTop") == 0

    def test_stays_in_one_document(self, page: Page, app, person):
        page.goto("/app/home")
        page.evaluate("window.__x = 1")
        documents = []
        page.on(
            "request",
            lambda request: (
                documents.append(request.url) if request.resource_type == "document" else None
            ),
        )

        for entry in ("Catalog", "Batches", "My Sets"):
            page.get_by_role("link", name=entry, exact=True).click()
            expect(page).to_have_url(app.url + BAR[entry])
        page.get_by_role("link", name=PRODUCT).click()
        expect(page).to_have_url(f"{app.url}/app/home")

        assert page.evaluate("window.__x") == 1
        assert documents == []

    def test_loads_a_page_when_it_is_first_opened(self, page: Page, app, person):
        page.goto("/app/home")
        settle(page)

        with page.expect_request(lambda request: request.resource_type == "script") as asked:
            page.get_by_role("link", name="Batches", exact=True).click()

        expect(page).to_have_url(f"{app.url}/app/batches")
        assert asked.value.url.startswith(f"{app.url}/static/")

    def test_reads_loading_until_a_page_is_there(self, page: Page, person):
        page.goto("/app/home")
        settle(page)
        held = hold(page, "**/static/*.js")

        page.get_by_role("link", name="Batches", exact=True).click()

        expect(page.get_by_role("main").get_by_text("Loading...")).to_be_visible()
        held.release()
        expect(page.get_by_role("heading", name="Batches", level=1)).to_be_visible()
        expect(page.get_by_text("Loading...")).to_have_count(0)
