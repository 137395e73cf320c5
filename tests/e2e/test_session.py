"""Signing in and out, and the life of the tokens, against the real server."""

import json
import time
import uuid
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Console
from tests.e2e.site import (
    EXPIRED,
    PASSWORD,
    REFUSED,
    answer,
    calls_to,
    hold,
    settle,
    stored,
    wait_until,
)

pytestmark = pytest.mark.browser

KEYS = ("user", "accessToken", "refreshToken")
CYCLE_MS = 900_000
REFRESH = "**/api/users/token-refresh"


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


@pytest.fixture
def tokenless(app, sign_in) -> dict[str, Any]:
    """A signed-in person whose access token is gone; the refresh token is there."""
    session: dict[str, Any] = sign_in(session={**app.new_session(), "accessToken": None})
    return session


def fill_in(page: Page | Locator, address: str, password: str = PASSWORD) -> None:
    page.get_by_label("E-mail").fill(address)
    page.get_by_label("Password", exact=True).fill(password)


def submit(page: Page | Locator) -> None:
    page.get_by_role("button", name="Sign in", exact=True).click()


def fill_in_registration(page: Page) -> None:
    page.goto("/signup")
    page.get_by_label("Name", exact=False).first.fill("Ann")
    page.get_by_label("E-mail").fill(f"{uuid.uuid4().hex[:12]}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("checkbox").check()


def log_out(page: Page) -> None:
    page.get_by_role("button", name="User menu").click()
    page.get_by_role("menuitem", name="Log Out").click()


def open_and_settle(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settle(page)


CHUNK_TIMEOUT_MS = 120_000


def own_clock(page: Page) -> None:
    """Give the page a clock that leaps. A chunk on its way when it leaps has no time limit."""
    page.clock.install()
    page.add_init_script(
        f"""{{
            const later = window.setTimeout;
            window.setTimeout = (act, ms, ...given) =>
                ms === {CHUNK_TIMEOUT_MS} ? 0 : later(act, ms, ...given);
        }}"""
    )


class TestSignIn:
    def test_stores_tokens_and_user_and_opens_home(self, page: Page, app, account: str):
        page.goto("/signin")
        fill_in(page, account)
        with page.expect_request("**/api/users/login") as sent:
            submit(page)

        expect(page).to_have_url(f"{app.url}/app/home")
        assert sent.value.post_data_json == {"email_address": account, "password": PASSWORD}
        user = json.loads(stored(page, "user"))
        assert user["email_address"] == account
        assert not {"accessToken", "refreshToken"} & set(user)
        assert stored(page, "accessToken")
        assert stored(page, "refreshToken")

    def test_leads_to_the_page_that_was_wanted_and_not_back(self, page: Page, app, account: str):
        page.goto("/privacy")
        page.goto("/app/sources?search=fair")
        expect(page).to_have_url(f"{app.url}/signin")
        fill_in(page, account)

        submit(page)

        expect(page).to_have_url(f"{app.url}/app/sources?search=fair")
        page.go_back()
        expect(page).to_have_url(f"{app.url}/app/home")

    def test_shows_loading_and_sends_once(self, page: Page, app, account: str):
        held = hold(page, "**/api/users/login")
        page.goto("/signin")
        fill_in(page, account)
        with page.expect_request("**/api/users/login"):
            submit(page)

        expect(page.get_by_role("button", name="Sign in", exact=True)).to_have_attribute(
            "aria-busy", "true"
        )
        page.get_by_label("Password", exact=True).press("Enter")
        page.get_by_role("button", name="Sign in", exact=True).click(force=True)

        assert len(held) == 1
        held.release()
        expect(page).to_have_url(f"{app.url}/app/home")
        assert len(held) == 1

    def test_shows_a_refusal_and_stores_nothing(self, page: Page, console: Console, account: str):
        console.allow("401")
        page.goto("/signin")
        fill_in(page, account, "not this one at all")

        submit(page)

        expect(page.get_by_role("alert")).to_be_focused()
        expect(page.get_by_role("alert")).not_to_be_empty()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert [stored(page, key) for key in KEYS] == [None] * 3


class TestRegistration:
    def test_signs_the_new_person_in(self, page: Page, app):
        fill_in_registration(page)

        page.get_by_role("button", name="Create account").click()

        expect(page).to_have_url(f"{app.url}/app/home")
        assert json.loads(stored(page, "user"))["name"] == "Ann"
        assert stored(page, "refreshToken")


class TestDemoAccount:
    def test_is_one_click_from_the_welcome_page(self, page: Page, app):
        page.goto("/")

        page.get_by_role("button", name="demo").first.click()

        expect(page).to_have_url(f"{app.url}/app/home")
        assert json.loads(stored(page, "user"))["is_demo"] is True


class TestMessages:
    """What a sign-in that goes wrong says, word for word."""

    @pytest.mark.parametrize(
        ("status", "body", "text"),
        [
            (503, "", "Server error: 503 Service Unavailable"),
            (200, "<html>", "Server returned invalid response format"),
            (
                200,
                {"success": False, "meta": {"error": {"message": "Bad pair"}}, "message": "m"},
                "Bad pair",
            ),
            (200, {"success": False, "message": "m1"}, "m1"),
            (200, {"success": False}, "Login failed"),
            (200, {"success": True, "data": []}, "Invalid login response format"),
            (200, {"success": True}, "Invalid login response format"),
            (
                200,
                {"success": True, "data": [{"id": 1, "accessToken": "a"}]},
                "Invalid login response - missing tokens",
            ),
        ],
    )
    def test_of_a_login(self, page: Page, console: Console, status: int, body: object, text: str):
        console.allow("503")
        page.route("**/api/users/login", answer(body, status))
        page.goto("/signin")
        fill_in(page, "ann@example.org")

        submit(page)

        expect(page.get_by_role("alert")).to_have_text(text)
        assert [stored(page, key) for key in KEYS] == [None] * 3

    @pytest.mark.parametrize(
        ("body", "text"),
        [
            ({"success": False}, "Registration failed"),
            ({"success": True, "data": []}, "Invalid registration response format"),
            (
                {"success": True, "data": [{"user": {"id": 1}}]},
                "Invalid registration response - missing tokens",
            ),
        ],
    )
    def test_of_a_registration(self, page: Page, body: object, text: str):
        page.route("**/api/users/register", answer(body))
        fill_in_registration(page)

        page.get_by_role("button", name="Create account").click()

        expect(page.get_by_role("alert")).to_have_text(text)
        assert [stored(page, key) for key in KEYS] == [None] * 3

    def test_of_a_login_without_a_connection_names_the_host(
        self, page: Page, app, console: Console
    ):
        console.allow("ERR_CONNECTION_REFUSED")
        page.route("**/api/users/login", lambda route: route.abort("connectionrefused"))
        page.goto("/signin")
        fill_in(page, "ann@example.org")

        submit(page)

        expect(page.get_by_role("alert")).to_have_text(
            f"Network error: Cannot connect to {app.url}. Failed to fetch"
        )

    def test_stay_until_the_next_try(self, page: Page):
        page.route("**/api/users/login", answer({"success": False, "message": "First"}))
        page.goto("/signin")
        fill_in(page, "ann@example.org")
        submit(page)
        expect(page.get_by_role("alert")).to_have_text("First")
        page.get_by_label("Password", exact=True).fill("another one entirely")
        expect(page.get_by_role("alert")).to_have_text("First")
        hold(page, "**/api/users/login")

        submit(page)

        expect(page.get_by_role("alert")).to_have_count(0)


class TestPresence:
    """Authenticated means that a user is present."""

    def test_is_read_from_local_storage_at_start(self, page: Page, app, context, new_person):
        page.goto("/app/home")
        other = context.new_page()
        page.close()

        other.goto("/")

        expect(other).to_have_url(f"{app.url}/app/home")
        expect(other.get_by_role("heading", level=1)).to_contain_text(new_person["user"]["name"])

    def test_is_not_given_by_tokens_alone(self, page: Page, app, new_person):
        page.goto("/app/home")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.evaluate("localStorage.removeItem('user')")

        page.goto("/app/home")

        expect(page).to_have_url(f"{app.url}/signin")


class TestTokens:
    def test_are_refreshed_before_a_request_without_one(self, page: Page, app, tokenless):
        calls = calls_to(page, "/api/")

        open_and_settle(page, "/app/batches")

        refresh, *others = calls
        assert refresh.url == f"{app.url}/api/users/token-refresh"
        assert "authorization" not in refresh.headers
        assert refresh.post_data_json == {"refreshToken": tokenless["refreshToken"]}
        token = stored(page, "accessToken")
        assert any("/api/batches" in request.url for request in others)
        assert {request.headers["authorization"] for request in others} == {f"Bearer {token}"}

    def test_are_refreshed_once_for_all_callers(self, page: Page, tokenless):
        held = hold(page, REFRESH)
        calls = calls_to(page, "/api/")
        with page.expect_request(REFRESH):
            page.goto("/app/settings#integrations")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert len(calls) == 1

        with page.expect_response("**/api/preferences"):
            held.release()
        settle(page)

        assert len(held) == 1
        token = stored(page, "accessToken")
        assert len(calls) >= 5
        assert {request.headers["authorization"] for request in calls[1:]} == {f"Bearer {token}"}

    def test_are_refreshed_once_when_the_server_says_expired(
        self, page: Page, console: Console, new_person
    ):
        console.allow("401")
        open_and_settle(page, "/app/settings")
        answers = iter([True])
        page.route(
            "**/api/sources?*",
            lambda route: (
                answer(EXPIRED, 401)(route) if next(answers, False) else route.continue_()
            ),
        )
        refreshes = calls_to(page, "/api/users/token-refresh")
        lists = calls_to(page, "/api/sources?")

        page.goto("/app/sources")

        expect(page.get_by_text("Where do you buy?")).to_be_visible()
        assert len(refreshes) == 1
        assert len(lists) == 2
        assert lists[0].headers["authorization"] != lists[1].headers["authorization"]
        assert lists[1].headers["authorization"] == f"Bearer {stored(page, 'accessToken')}"

    def test_are_refreshed_for_one_request_only_once(
        self, page: Page, console: Console, new_person
    ):
        console.allow("401")
        page.route("**/api/sources?*", answer(EXPIRED, 401))
        refreshes = calls_to(page, "/api/users/token-refresh")
        lists = calls_to(page, "/api/sources?")

        page.goto("/app/sources")

        expect(page.get_by_role("main").get_by_text("Access token expired")).to_be_visible()
        assert len(refreshes) == 1
        assert len(lists) == 2

    def test_do_not_hold_a_request_up_when_they_cannot_be_refreshed(
        self, page: Page, console: Console, tokenless
    ):
        console.allow("401")
        own_clock(page)
        page.route(REFRESH, answer(REFUSED, 401))
        refreshes = calls_to(page, "/api/users/token-refresh")
        with page.expect_response(REFRESH):
            page.goto("/app/sources")

        with page.expect_request("**/api/sources?*") as sent:
            for wait in (1000, 2000):
                page.wait_for_timeout(100)
                page.clock.fast_forward(wait)

        assert len(refreshes) == 3
        assert "authorization" not in sent.value.headers


class TestAClockThatIsFast:
    """Ahead of the server's by more than an access token lasts."""

    @pytest.fixture(autouse=True)
    def fast_clock(self, page: Page) -> None:
        page.clock.install(time=time.time() + 3600)

    def test_needs_no_refresh_after_a_sign_in(self, page: Page, app, account: str):
        refreshes = calls_to(page, "/api/users/token-refresh")
        page.goto("/signin")
        fill_in(page, account)
        submit(page)

        expect(page.get_by_role("heading", name="What do you have?")).to_be_visible()
        settle(page)
        assert refreshes == []

    def test_needs_one_refresh_after_a_load(self, page: Page, new_person):
        refreshes = calls_to(page, "/api/users/token-refresh")

        open_and_settle(page, "/app/sources")

        assert len(refreshes) == 1


class TestRefreshCycle:
    """Every 900000 ms, on the page's own clock."""

    def test_runs_after_a_sign_in_with_the_newest_token(self, page: Page, app, account: str):
        own_clock(page)
        page.goto("/signin")
        fill_in(page, account)
        submit(page)
        expect(page).to_have_url(f"{app.url}/app/home")
        expect(page.get_by_role("heading", name="What do you have?")).to_be_visible()
        refreshes = calls_to(page, "/api/users/token-refresh")

        for _ in range(2):
            before = stored(page, "refreshToken")
            page.clock.fast_forward(CYCLE_MS - 60_000)
            count = len(refreshes)
            with page.expect_response(REFRESH) as answered:
                page.clock.fast_forward(60_000)

            assert len(refreshes) == count + 1
            assert refreshes[-1].post_data_json == {"refreshToken": before}
            tokens = answered.value.json()["data"][0]
            wait_until(page, "token => localStorage.refreshToken === token", tokens["refreshToken"])
            assert stored(page, "accessToken") == tokens["accessToken"]

    def test_runs_after_a_registration(self, page: Page, app):
        own_clock(page)
        fill_in_registration(page)
        page.get_by_role("button", name="Create account").click()
        expect(page).to_have_url(f"{app.url}/app/home")
        expect(page.get_by_role("heading", name="What do you have?")).to_be_visible()

        with page.expect_response(REFRESH) as answered:
            page.clock.fast_forward(CYCLE_MS)

        assert answered.value.status == 200

    def test_runs_after_a_reload(self, page: Page, new_person):
        own_clock(page)
        open_and_settle(page, "/app/settings")

        with page.expect_response(REFRESH) as answered:
            page.clock.fast_forward(CYCLE_MS)

        assert answered.value.status == 200

    def test_ends_with_the_session(self, page: Page, app, new_person):
        own_clock(page)
        open_and_settle(page, "/app/settings")
        refreshes = calls_to(page, "/api/users/token-refresh")
        log_out(page)
        expect(page).to_have_url(f"{app.url}/")
        # The address comes first, and the page after its chunk.
        expect(page.get_by_role("link", name="Start with your own stock")).to_be_visible()

        page.clock.fast_forward(2 * CYCLE_MS)
        settle(page)

        assert refreshes == []

    def test_waits_for_a_login_that_is_still_loading(self, page: Page):
        own_clock(page)
        page.route("**/api/users/login", lambda route: None)
        page.goto("/signin")
        fill_in(page, "ann@example.org")
        refreshes = calls_to(page, "/api/users/token-refresh")
        submit(page)
        expect(page.locator("[aria-busy=true]").first).to_be_visible()

        page.clock.fast_forward(CYCLE_MS)
        settle(page, but="/api/users/login")

        assert refreshes == []

    def test_logs_out_when_it_fails(self, page: Page, app, console: Console, new_person):
        console.allow("401")
        own_clock(page)
        open_and_settle(page, "/app/settings")
        page.route(REFRESH, answer(REFUSED, 401))
        refreshes = calls_to(page, "/api/users/token-refresh")

        with page.expect_response(REFRESH):
            page.clock.fast_forward(CYCLE_MS)
        for wait in (1000, 2000):
            page.wait_for_timeout(100)
            page.clock.fast_forward(wait)

        expect(page).to_have_url(f"{app.url}/signin")
        assert len(refreshes) == 3
        assert [stored(page, key) for key in KEYS] == [None] * 3

    def test_keeps_what_was_typed_and_leads_back(
        self, page: Page, app, console: Console, account: str
    ):
        console.allow("401")
        own_clock(page)
        page.goto("/signin")
        fill_in(page, account)
        submit(page)
        expect(page).to_have_url(f"{app.url}/app/home")
        open_and_settle(page, "/app/profile")
        page.get_by_label("ZIP code").fill("97201")
        page.route(REFRESH, answer(REFUSED, 401))
        with page.expect_response(REFRESH):
            page.clock.fast_forward(CYCLE_MS)
        for wait in (1000, 2000):
            page.wait_for_timeout(100)
            page.clock.fast_forward(wait)

        form = page.get_by_role("dialog", name="Sign in again")
        expect(form.get_by_text("Your session has ended.")).to_be_visible()
        page.unroute(REFRESH)
        fill_in(form, account)
        submit(form)

        expect(form).to_have_count(0)
        expect(page).to_have_url(f"{app.url}/app/profile")
        expect(page.get_by_label("ZIP code")).to_have_value("97201")

    def test_signs_nobody_out_while_the_line_is_down(
        self, page: Page, app, console: Console, new_person
    ):
        console.allow("ERR_INTERNET_DISCONNECTED")
        own_clock(page)
        open_and_settle(page, "/app/settings")
        page.route(REFRESH, lambda route: route.abort("internetdisconnected"))

        with page.expect_event("requestfailed"):
            page.clock.fast_forward(CYCLE_MS)
        for wait in (1000, 2000):
            page.wait_for_timeout(100)
            page.clock.fast_forward(wait)

        expect(page.get_by_role("heading", name="Settings")).to_be_visible()
        assert page.url == f"{app.url}/app/settings"
        assert stored(page, "refreshToken")


class TestLogOut:
    def test_clears_user_and_tokens_and_keeps_the_rest(self, page: Page, app, new_person):
        page.goto("/app/home")
        page.evaluate("localStorage.setItem('bb_setting_x', '1')")
        page.evaluate("localStorage.setItem('theme', 'light')")

        log_out(page)

        expect(page).to_have_url(f"{app.url}/")
        assert [stored(page, key) for key in KEYS] == [None] * 3
        assert stored(page, "bb_setting_x") == "1"
        assert stored(page, "theme") == "light"

    def test_shows_no_page_of_the_app_on_the_way_back(self, page: Page, app, account: str):
        page.goto("/signin")
        fill_in(page, account)
        submit(page)
        page.get_by_role("link", name="Batches", exact=True).click()
        log_out(page)
        expect(page).to_have_url(f"{app.url}/")

        page.go_back()

        expect(page).to_have_url(f"{app.url}/signin")
        expect(page.get_by_role("heading", name="Batches")).to_have_count(0)
        fill_in(page, account)
        submit(page)
        expect(page).to_have_url(f"{app.url}/app/home")
        page.go_back()
        expect(page).to_have_url(f"{app.url}/app/home")
        expect(page.get_by_label("E-mail")).to_have_count(0)

    def test_reaches_the_other_tabs(self, page: Page, app, context, new_person):
        page.goto("/app/home")
        other = context.new_page()
        other.goto("/app/batches")
        expect(other.get_by_role("heading", level=1)).to_be_visible()

        log_out(page)

        expect(other).to_have_url(f"{app.url}/")

    def test_lets_a_tab_refresh_for_all_tabs(self, page: Page, context, new_person):
        open_and_settle(page, "/app/settings")
        other = context.new_page()
        open_and_settle(other, "/app/settings")
        page.evaluate("localStorage.removeItem('accessToken')")
        refreshes: list[str] = []
        context.on(
            "request",
            lambda request: (
                refreshes.append(request.url) if "token-refresh" in request.url else None
            ),
        )

        for tab in (page, other):
            tab.get_by_role("link", name="Batches", exact=True).click(no_wait_after=True)
        for tab in (page, other):
            expect(tab.get_by_role("heading", level=1)).to_have_text("Batches")
            settle(tab)

        assert len(refreshes) == 1
