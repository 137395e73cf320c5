"""Signing in and out, and the life of the tokens, against the real server."""

import json
import uuid

import pytest
from playwright.sync_api import Page, Request, Route, expect

pytestmark = pytest.mark.browser

PASSWORD = "correct horse battery"
EXPIRED = {
    "success": False,
    "data": [],
    "message": "Access token expired",
    "error": {"code": "TOKEN_EXPIRED", "message": "Access token expired"},
    "meta": {
        "http_status_code": 401,
        "error": {"code": "TOKEN_EXPIRED", "message": "Access token expired"},
    },
}
REFUSED = {"success": False, "data": [], "meta": {"http_status_code": 401}}


def stored(page: Page, key: str) -> str | None:
    return page.evaluate("key => localStorage.getItem(key)", key)


def calls_to(page: Page, path: str) -> list[Request]:
    found: list[Request] = []
    page.on("request", lambda request: found.append(request) if path in request.url else None)
    return found


def answer_with(status: int, body: object):
    def fulfil(route: Route) -> None:
        route.fulfill(status=status, content_type="application/json", body=json.dumps(body))

    return fulfil


@pytest.fixture
def account(page: Page, app) -> str:
    """The address of an account with PASSWORD, made through the API."""
    address = f"{uuid.uuid4().hex[:12]}@example.org"
    made = page.request.post(
        f"{app.url}/api/users/register",
        data={"email_address": address, "password": PASSWORD, "name": "Ann"},
    )
    assert made.status == 201
    return address


def fill_in(page: Page, address: str, password: str) -> None:
    page.goto("/signin")
    page.get_by_label("E-mail").fill(address)
    page.get_by_label("Password", exact=True).fill(password)


class TestSignIn:
    def test_stores_tokens_and_user_and_opens_home(self, page: Page, app, account: str):
        fill_in(page, account, PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()

        expect(page).to_have_url(f"{app.url}/app/home")
        user = json.loads(stored(page, "user"))
        assert user["email_address"] == account
        assert "accessToken" not in user
        assert stored(page, "accessToken")
        assert stored(page, "refreshToken")

    def test_leads_to_the_page_that_was_wanted(self, page: Page, app, account: str):
        page.goto("/app/sources")
        expect(page).to_have_url(f"{app.url}/signin")
        page.get_by_label("E-mail").fill(account)
        page.get_by_label("Password", exact=True).fill(PASSWORD)

        page.get_by_role("button", name="Sign in", exact=True).click()

        expect(page).to_have_url(f"{app.url}/app/sources")

    def test_shows_loading_and_sends_once(self, page: Page, app, account: str):
        held: list[Route] = []
        page.route("**/api/users/login", held.append)
        fill_in(page, account, PASSWORD)
        button = page.get_by_role("button", name="Sign in", exact=True)
        button.click()

        expect(page.locator("form [aria-busy=true]").first).to_be_visible()
        page.get_by_label("Password", exact=True).press("Enter")

        assert len(held) == 1
        held[0].continue_()
        expect(page).to_have_url(f"{app.url}/app/home")


class TestRegistration:
    def test_signs_the_new_person_in(self, page: Page, app):
        page.goto("/signup")
        page.get_by_label("Name", exact=True).fill("Ann")
        page.get_by_label("E-mail").fill(f"{uuid.uuid4().hex[:12]}@example.org")
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("checkbox").check()

        page.get_by_role("button", name="Create account").click()

        expect(page).to_have_url(f"{app.url}/app/home")
        assert stored(page, "refreshToken")


class TestDemoAccount:
    def test_is_one_click_from_the_welcome_page(self, page: Page, app):
        page.goto("/")

        page.get_by_role("button", name="demo").first.click()

        expect(page).to_have_url(f"{app.url}/app/home")
        assert json.loads(stored(page, "user"))["is_demo"] is True


class TestTokens:
    def test_are_refreshed_before_a_request_without_one(self, page: Page, app, new_person):
        page.goto("/app/home")
        page.evaluate("localStorage.removeItem('accessToken')")
        refreshes = calls_to(page, "/api/users/token-refresh")
        batches = calls_to(page, "/api/batches")

        page.goto("/app/batches")
        page.wait_for_load_state("networkidle")

        assert len(refreshes) == 1
        assert "authorization" not in refreshes[0].headers
        assert json.loads(refreshes[0].post_data) == {"refreshToken": new_person["refreshToken"]}
        token = stored(page, "accessToken")
        assert {request.headers["authorization"] for request in batches} == {f"Bearer {token}"}

    def test_are_refreshed_once_for_all_callers(self, page: Page, app, new_person):
        page.goto("/app/home")
        page.evaluate("localStorage.removeItem('accessToken')")
        refreshes = calls_to(page, "/api/users/token-refresh")

        page.goto("/app/home")
        page.wait_for_load_state("networkidle")

        assert len(refreshes) == 1

    def test_are_refreshed_once_when_the_server_says_expired(self, page: Page, new_person):
        answers = iter([True])
        page.route(
            "**/api/batches?*",
            lambda route: (
                answer_with(401, EXPIRED)(route) if next(answers, False) else route.continue_()
            ),
        )
        refreshes = calls_to(page, "/api/users/token-refresh")
        batches = calls_to(page, "/api/batches?")

        with page.expect_event("console", lambda message: "401" in message.text):
            page.goto("/app/batches")
        page.wait_for_load_state("networkidle")

        assert len(refreshes) == 1
        assert len(batches) == 2
        assert batches[0].headers["authorization"] != batches[1].headers["authorization"]


class TestLogOut:
    def test_clears_user_and_tokens_and_keeps_the_rest(self, page: Page, app, new_person):
        page.goto("/app/home")
        page.evaluate("localStorage.setItem('bb_setting_x', '1')")
        page.get_by_role("button", name="User menu").click()

        page.get_by_role("menuitem", name="Log Out").click()

        expect(page).to_have_url(f"{app.url}/")
        assert [stored(page, key) for key in ("user", "accessToken", "refreshToken")] == [None] * 3
        assert stored(page, "bb_setting_x") == "1"

    def test_shows_no_page_of_the_app_on_the_way_back(self, page: Page, app, new_person):
        page.goto("/app/home")
        page.get_by_role("link", name="Batches", exact=True).click()
        page.get_by_role("button", name="User menu").click()
        page.get_by_role("menuitem", name="Log Out").click()
        expect(page).to_have_url(f"{app.url}/")

        page.go_back()

        expect(page).to_have_url(f"{app.url}/signin")

    def test_reaches_the_other_tabs(self, page: Page, app, context, new_person):
        page.goto("/app/home")
        other = context.new_page()
        other.goto("/app/batches")
        expect(other.get_by_role("main")).to_be_visible()

        page.get_by_role("button", name="User menu").click()
        page.get_by_role("menuitem", name="Log Out").click()

        expect(other).not_to_have_url(f"{app.url}/app/batches")
