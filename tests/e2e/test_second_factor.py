"""A second factor in the browser: an app, a passkey of a virtual authenticator, and what asks for it."""

import json
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pyotp
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.app import RunningApp
from tests.e2e.conftest import Console, new_context

pytestmark = pytest.mark.browser

PASSWORD = "correct horse battery"


@pytest.fixture
def page(app: RunningApp, browser: Browser, console: Console) -> Iterator[Page]:
    """A page of a browser of its own: what it keeps for localhost goes with it."""
    # What asks for a factor or a proof answers 401 and 403, a wrong code 400.
    for status in ("400 (Bad Request)", "401 (Unauthorized)", "403 (Forbidden)"):
        console.allow(status)
    with new_context(app, browser) as context:
        opened = context.new_page()
        console.watch(opened)
        yield opened
    assert console.unexpected() == []


@pytest.fixture
def ann(page: Page, app: RunningApp) -> str:
    """A new person, signed in by password; returns the address.

    At localhost, which passkeys take for a site, as PUBLIC_URL says it.
    """
    address = f"{uuid.uuid4().hex[:12]}@example.org"
    page.goto(f"http://localhost:{app.port}/signup")
    page.get_by_label("Name", exact=False).first.fill("Ann")
    page.get_by_label("E-mail").fill(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url("**/app/**")
    return address


def answer_password(page: Page) -> None:
    asked = page.get_by_role("dialog", name="Is it you?")
    asked.get_by_label("Your password").fill(PASSWORD)
    asked.get_by_role("button", name="Continue").click()
    expect(asked).to_have_count(0)


def open_profile(page: Page) -> None:
    page.goto(re.sub(r"/app/.*", "/app/profile", page.url))


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="User menu").click()
    page.get_by_role("menuitem", name="Log Out").click()
    page.wait_for_url(re.compile(r"/$"))


def type_password(page: Page, address: str) -> None:
    page.goto(re.sub(r"(://[^/]+)/.*", r"\1/signin", page.url))
    page.get_by_label("E-mail address").fill(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def add_app(page: Page) -> tuple[pyotp.TOTP, list[str]]:
    """Add an app in the profile; return what makes its codes, and the recovery codes."""
    open_profile(page)
    page.get_by_role("button", name="Add an authenticator app").click()
    answer_password(page)
    dialog = page.get_by_role("dialog", name="Add an authenticator app")
    expect(dialog.get_by_alt_text("QR code for the app")).to_be_visible()
    app = pyotp.TOTP(dialog.locator("code").inner_text())
    dialog.get_by_label("Code").fill(app.now())
    dialog.get_by_role("button", name="Add app").click()
    codes = page.get_by_role("list", name="Recovery codes").get_by_role("listitem")
    expect(codes).to_have_count(10)
    return app, codes.all_inner_texts()


class TestAnApp:
    def test_is_added_and_asked_for_and_a_code_lets_in_once(self, page: Page, ann: str):
        _, codes = add_app(page)
        page.get_by_role("button", name="I have saved them").click()
        expect(page.get_by_text("10 of 10 left")).to_be_visible()
        sign_out(page)

        type_password(page, ann)
        page.get_by_label("Code").fill("000000")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("is not right, or was used before")
        page.get_by_label("Code").fill(codes[0])
        page.get_by_role("button", name="Sign in").click()

        page.wait_for_url("**/app/**")
        assert page.evaluate("localStorage.getItem('accessToken')")
        open_profile(page)
        expect(page.get_by_text("9 of 10 left")).to_be_visible()

    def test_is_asked_for_once_more_before_a_token_is_made(self, page: Page, ann: str):
        _, codes = add_app(page)
        # The proof of the last minutes is in memory alone: a reload forgets it.
        page.goto(re.sub(r"/app/.*", "/app/settings#programs", page.url))
        page.reload()
        page.get_by_role("button", name="New token").click()
        making = page.get_by_role("dialog", name="New token")
        making.get_by_label("Name").fill("script")
        making.get_by_label("read stock").check()
        making.get_by_role("button", name="Make token").click()

        asked = page.get_by_role("dialog", name="Is it you?")
        asked.get_by_label("Code").fill(codes[1])
        asked.get_by_role("button", name="Continue").click()

        expect(page.get_by_text("Copy the token of script now")).to_be_visible()

    def test_is_not_asked_for_on_a_remembered_device(self, page: Page, ann: str):
        _, codes = add_app(page)
        sign_out(page)
        type_password(page, ann)
        page.get_by_label("Code").fill(codes[0])
        page.get_by_label("Do not ask on this device for 30 days").check()
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/app/**")
        sign_out(page)

        type_password(page, ann)

        page.wait_for_url("**/app/**")
        open_profile(page)
        devices = page.get_by_role("region", name="Devices that skip the code")
        expect(devices.get_by_role("listitem")).to_have_count(1)


class TestAPasskey:
    def test_is_made_lets_in_and_is_removed(self, page: Page, ann: str):
        devices = page.context.new_cdp_session(page)
        devices.send("WebAuthn.enable")
        options: dict[str, Any] = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        open_profile(page)
        page.get_by_role("button", name="Add a passkey").click()
        making = page.get_by_role("dialog", name="Add a passkey")
        making.get_by_label("Name").fill("Laptop")
        making.get_by_role("button", name="Add passkey").click()
        answer_password(page)
        expect(page.get_by_role("list", name="Recovery codes")).to_be_visible()
        sign_out(page)

        type_password(page, ann)
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url("**/app/**")

        open_profile(page)
        expect(page.get_by_text("Passkey Laptop")).to_be_visible()
        page.get_by_role("button", name="Remove passkey Laptop").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        # The page was loaded anew: the proof of the sign-in is gone with it.
        asked = page.get_by_role("dialog", name="Is it you?")
        asked.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_text("your password alone opens this account")).to_be_visible()
        assert json.loads(page.evaluate("localStorage.getItem('user')"))["name"] == "Ann"
