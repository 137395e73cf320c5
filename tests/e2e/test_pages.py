"""What the public pages, home, profile, settings and API testing hold and do."""

import re
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Console
from tests.e2e.site import PASSWORD, answer, call_api, calls_to, settle, stored, wait_for

pytestmark = pytest.mark.browser


class TestWelcome:
    def test_loops_through_the_scan_and_has_one_main_button(self, page: Page, app):
        page.clock.install()
        page.goto("/")
        steps = page.get_by_role("figure").get_by_role("listitem")
        names = [
            "1. Place a part",
            "2. Identify it",
            "3. See the bin",
            "4. Press Enter",
            "5. Next part",
        ]
        expect(steps).to_have_text(names)
        here = steps.locator("xpath=self::*[contains(@class, 'font-semibold')]")
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 10)
        settle(page)
        at = names.index(here.inner_text())

        for further in range(1, 6):
            page.clock.run_for(4_000)
            expect(here).to_have_text(names[(at + further) % 5])

        page.get_by_role("link", name="Start with your own stock").click()
        expect(page).to_have_url(f"{app.url}/signup")

    def test_pauses_the_loop_when_asked(self, page: Page):
        page.clock.install()
        page.goto("/")
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        settle(page)
        bold = page.get_by_role("figure").locator("li.font-semibold")
        before = bold.inner_text()

        for _ in range(3):
            page.clock.fast_forward(4_000)

            expect(bold).to_have_text(before)


class TestSignIn:
    def test_is_known_to_password_managers(self, page: Page):
        page.goto("/signin")

        mail = page.get_by_label("E-mail")
        expect(mail).to_have_attribute("type", "email")
        expect(mail).to_have_attribute("autocomplete", re.compile("username|email"))
        expect(page.get_by_label("Password", exact=True)).to_have_attribute(
            "autocomplete", "current-password"
        )

    def test_says_what_is_missing_beside_the_fields(self, page: Page):
        page.goto("/signin")
        logins = calls_to(page, "/api/users/login")

        page.get_by_role("button", name="Sign in", exact=True).click()

        expect(page.get_by_label("E-mail")).to_have_accessible_description(
            re.compile("Enter your e-mail address")
        )
        expect(page.get_by_label("Password", exact=True)).to_have_attribute("aria-invalid", "true")
        assert logins == []

    def test_mails_a_way_back_to_who_forgot_the_password(self, page: Page, app):
        page.goto("/signin")
        page.get_by_role("link", name="Forgot your password?").click()
        expect(page.get_by_role("heading", name="Forgot your password?")).to_be_visible()

        page.get_by_label("E-mail").fill(f"{uuid.uuid4().hex[:12]}@example.org")
        with page.expect_response("**/api/users/forgot-password") as answered:
            page.get_by_role("button", name="Send the link").click()

        expect(page.get_by_text(answered.value.json()["message"])).to_be_visible()
        page.get_by_role("link", name="Back to sign in").click()
        expect(page).to_have_url(f"{app.url}/signin")


class TestSignUp:
    def fill_in(self, page: Page, **also: str) -> None:
        page.goto("/signup")
        typed = {"Name": "Ann", "E-mail": "ann@example.org", "Password": PASSWORD, **also}
        for label, text in typed.items():
            page.get_by_label(re.compile(f"^{label}")).fill(text)
        page.get_by_role("checkbox", name=re.compile("privacy")).check()

    def create(self, page: Page) -> None:
        page.get_by_role("button", name="Create account").click()

    @pytest.mark.parametrize(
        ("typed", "label"),
        [
            ({"E-mail": "no address"}, "E-mail"),
            ({"Password": "12345678"}, "Password"),
            ({"Name": ""}, "Name"),
        ],
    )
    def test_says_beside_the_field_what_is_wrong(self, page: Page, typed, label: str):
        registrations = calls_to(page, "/api/users/register")
        self.fill_in(page, **typed)

        self.create(page)

        field = page.get_by_label(re.compile(f"^{label}"))
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile(r"\w+"))
        assert registrations == []

    def test_wants_the_privacy_policy_accepted(self, page: Page):
        registrations = calls_to(page, "/api/users/register")
        self.fill_in(page)
        page.get_by_role("checkbox", name=re.compile("privacy")).uncheck()

        self.create(page)

        expect(page.get_by_text("Please accept the privacy policy.")).to_be_visible()
        assert registrations == []

    def test_shows_the_strength_of_the_password(self, page: Page):
        page.goto("/signup")
        strength = page.get_by_text(re.compile("^Strength:"))
        expect(strength).to_have_text("Strength: –")

        page.get_by_label(re.compile("^Password")).fill("aaaa")
        expect(strength).not_to_have_text("Strength: –")
        weak = strength.inner_text()
        page.get_by_label(re.compile("^Password")).fill("correct horse battery staple 9!")

        expect(strength).not_to_have_text(weak)
        expect(strength).not_to_have_text("Strength: –")

    def test_shows_the_servers_refusal_beside_its_field(self, page: Page, console: Console):
        console.allow("409")
        error = {
            "code": "CONFLICT",
            "message": "There is an account with this address.",
            "fields": {"email_address": ["There is an account with this address."]},
        }
        page.route(
            "**/api/users/register", answer({"success": False, "meta": {"error": error}}, 409)
        )
        self.fill_in(page)

        self.create(page)

        expect(page.get_by_label("E-mail")).to_have_accessible_description(
            re.compile("There is an account")
        )


class TestPrivacy:
    def test_tells_what_is_kept_and_the_rights(self, page: Page):
        page.goto("/privacy")

        expect(page.get_by_role("heading", level=1)).to_have_text("Privacy policy")
        for part in ("What is kept", "How long", "Your rights"):
            expect(page.get_by_role("heading", name=part, exact=True)).to_be_visible()


class TestHome:
    def test_leads_from_a_heap_to_the_first_lot(self, page: Page, new_person):
        page.goto("/app/home")

        page.get_by_role("link", name="Start sorting").click()
        expect(page.get_by_role("textbox", name="Drawers")).to_be_visible()
        expect(page.get_by_role("combobox", name="Number or name")).to_be_focused()
        page.keyboard.type("3001")
        page.keyboard.press("Enter")
        expect(page.get_by_role("combobox", name="Which colour?")).to_be_focused()
        page.keyboard.type("red")
        page.keyboard.press("Enter")

        added = page.get_by_role("list", name="Last added")
        expect(added).to_contain_text("Brick 2 x 4")
        expect(added).to_contain_text("A-01")
        expect(page.get_by_role("button", name=re.compile("^Batch Sorting"))).to_be_visible()
        settle(page)

    def test_counts_what_there_is(self, page: Page, app, person):
        with page.expect_response("**/api/home*") as answered:
            page.goto("/app/home")

        total = answered.value.json()["data"][0]["tiles"]["stock_pieces"]
        assert total > 0
        expect(page.get_by_role("link", name=re.compile("In stock"))).to_contain_text(f"{total:,}")

    def test_goes_on_with_the_last_item_added(self, page: Page, app, new_person):
        batch = call_api(page, app, new_person, "batches", {"name": "Flea market"})
        item = {"item_type": "PART", "item_number": "3001", "color_id": 5, "qty": 2}
        call_api(page, app, new_person, "batchItems", {"batch_id": batch["id"], **item})
        page.goto("/app/home")

        card = page.get_by_role("main")
        expect(card.get_by_text("Brick 2 x 4").first).to_be_visible()
        expect(card.get_by_role("link", name="Continue sorting Flea market")).to_have_attribute(
            "href", f"/app/stow-inventory?batch={batch['id']}"
        )


class TestApiTesting:
    def test_shows_envelope_duration_and_attempts(self, page: Page, new_person):
        page.goto("/app/api-testing")
        page.get_by_label("Params").fill('{"page_size": 2}')

        with page.expect_request("**/api/batches?page_size=2"):
            page.get_by_role("button", name="Send").click()

        main = page.get_by_role("main")
        expect(main.get_by_role("region", name="Raw envelope")).to_contain_text('"success": true')
        expect(main.get_by_role("list", name="Attempts").get_by_role("listitem")).to_have_count(1)
        expect(main.get_by_text(re.compile(r"^\d+ ms$")).first).to_be_visible()
        expect(main.get_by_text("1 attempt", exact=True)).to_be_visible()

    @pytest.mark.parametrize(
        ("label", "typed", "message"),
        [
            ("Endpoint", "", "Endpoint must be a non-empty string"),
            ("Body", "text", "Request body must be null, an object, or FormData"),
            ("Params", "a=1", "customConfig.params must be an object"),
            ("Headers", "A: 1", "customConfig.headers must be an object"),
        ],
    )
    def test_checks_the_request_as_it_is_typed(
        self, page: Page, new_person, label: str, typed: str, message: str
    ):
        page.goto("/app/api-testing")
        sent = calls_to(page, "/api/batches")

        page.get_by_label(label).fill(typed)

        expect(page.get_by_role("main").get_by_role("status")).to_have_text(message)
        page.get_by_role("button", name="Send").click(force=True)
        assert sent == []

    def test_tells_each_attempt_with_its_wait(self, page: Page, console: Console, new_person):
        console.allow("503")
        page.clock.install()
        page.route("**/api/batches", answer("", 503))
        page.goto("/app/api-testing")
        attempts = page.get_by_role("list", name="Attempts").get_by_role("listitem")

        page.get_by_role("button", name="Send").click()

        expect(attempts).to_have_count(1)
        expect(attempts.nth(0)).to_contain_text("again after 2000 ms")
        page.clock.fast_forward(2_000)
        expect(attempts.nth(1)).to_contain_text("again after 4000 ms")
        page.clock.fast_forward(4_000)
        expect(attempts).to_have_count(3)
        expect(page.get_by_text("MAX_RETRIES_EXCEEDED")).to_be_visible()

    def test_copies_the_request_as_curl_without_the_token(self, page: Page, context, new_person):
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto("/app/api-testing")

        page.get_by_role("button", name="Copy as curl").click()

        expect(page.get_by_text("Copied as curl, without the token")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("curl -X GET")
        assert "/api/batches" in copied
        assert new_person["accessToken"] not in copied


class TestProfile:
    def test_keeps_a_changed_name(self, page: Page, new_person):
        page.goto("/app/profile")
        name = page.get_by_label(re.compile("^Name"))
        name.fill("Ann of the Attic")
        page.get_by_role("button", name="Save").first.click()
        expect(page.get_by_text("Profile saved")).to_be_visible()

        page.reload()

        expect(name).to_have_value("Ann of the Attic")
        page.goto("/app/home")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Ann of the Attic")

    def test_keeps_what_auctions_and_formats_need(self, page: Page, new_person):
        page.goto("/app/profile")
        page.get_by_label("Bidder name").fill("bricks4me")
        page.get_by_label("ZIP code").fill("10115")
        page.get_by_label("Units").select_option("oz")
        page.get_by_label("Time zone").select_option("Pacific/Auckland")
        page.get_by_role("button", name="Save").first.click()
        expect(page.get_by_text("Profile saved")).to_be_visible()

        page.reload()

        expect(page.get_by_label("ZIP code")).to_have_value("10115")
        expect(page.get_by_label("Units")).to_have_value("oz")
        expect(page.get_by_label("Time zone")).to_have_value("Pacific/Auckland")
        expect(page.get_by_label("Language")).to_have_value("English")

    def test_ends_the_other_sessions(self, page: Page, app, sign_in):
        account = {"email_address": f"{uuid.uuid4().hex[:12]}@example.org", "password": PASSWORD}
        users = f"{app.url}/api/users"
        here = page.request.post(f"{users}/register", data={**account, "name": "Ann"})
        there = page.request.post(f"{users}/login", data=account)
        sign_in(session=here.json()["data"][0])
        page.goto("/app/profile")
        sessions = page.get_by_role("list", name="Sessions").get_by_role("listitem")
        expect(sessions).to_have_count(2)

        page.get_by_role("button", name="Sign out others").click()
        page.get_by_role("dialog").get_by_role("button", name="Sign out others").click()

        expect(sessions).to_have_count(1)
        expect(sessions).to_contain_text("This one")
        token = there.json()["data"][0]["refreshToken"]
        refresh = page.request.post(f"{users}/token-refresh", data={"refreshToken": token})
        assert refresh.status == 401

    def test_keeps_a_changed_currency(self, page: Page, new_person):
        page.goto("/app/settings#integrations")
        page.get_by_label("Currency").select_option("EUR")
        expect(page.get_by_text("Prices are in EUR now")).to_be_visible()

        page.reload()

        expect(page.get_by_label("Currency")).to_have_value("EUR")

    def test_says_beside_the_field_what_is_wrong(self, page: Page, new_person):
        page.goto("/app/profile")
        name = page.get_by_label(re.compile("^Name"))

        name.fill(" ")
        page.get_by_role("button", name="Save").first.click()

        expect(name).to_have_attribute("aria-invalid", "true")
        expect(name).to_have_accessible_description(re.compile("Enter your name"))

    def test_changes_the_password_and_goes_on(self, page: Page, app, console: Console):
        console.allow("401")  # to what was on its way with the token of before
        address = f"{uuid.uuid4().hex[:12]}@example.org"
        page.goto("/signup")
        page.get_by_label(re.compile("^Name")).fill("Ann")
        page.get_by_label("E-mail").fill(address)
        page.get_by_label(re.compile("^Password")).fill(PASSWORD)
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Create account").click()
        expect(page).to_have_url(f"{app.url}/app/home")
        page.goto("/app/profile")

        page.get_by_label(re.compile("^Present password")).fill(PASSWORD)
        page.get_by_label(re.compile("^New password")).fill("another horse, same stable")
        page.get_by_role("button", name="Change password").click()

        expect(page.get_by_text("Password changed.")).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading", name="Profile")).to_be_visible()


class TestSettings:
    def test_says_of_each_option_where_it_is_kept(self, page: Page, new_person):
        page.goto("/app/settings")
        for section in ("Stow", "Recommendation", "Batches/tables", "Appearance", "Local data"):
            expect(page.get_by_role("heading", name=section, exact=True)).to_be_visible()
            page.get_by_role("button", name=section, exact=True).click()
        expect(page.get_by_label("Recent up to (days)")).to_be_visible()

        homes = page.get_by_text(re.compile("^(this device|account)$"))
        switches = page.get_by_role("switch")
        wait_for(page, lambda: homes.count() >= switches.count() + 3, True)

    def test_keeps_a_switch_on_this_device(self, page: Page, new_person):
        page.goto("/app/settings#batches-tables")
        archived = page.get_by_role("switch", name="Show archived batches")
        expect(archived).not_to_be_checked()
        archived.click()
        expect(archived).to_be_checked()

        page.reload()

        expect(archived).to_be_checked()
        assert "true" in page.evaluate(
            "Object.entries(localStorage).filter(([key]) => key.startsWith('bb_setting_')).join()"
        )

    def test_keeps_the_last_sold_days_with_the_account(self, page: Page, new_person):
        page.goto("/app/settings#recommendation")
        page.get_by_label("Recent up to (days)").fill("45")
        heading = page.get_by_role("heading", name="Recommendation")
        section = page.locator("section").filter(has=heading)
        section.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Settings saved")).to_be_visible()
        page.evaluate(
            "Object.keys(localStorage).filter(k => k.startsWith('bb_')).forEach(k => localStorage.removeItem(k))"
        )

        page.reload()

        expect(page.get_by_label("Recent up to (days)")).to_have_value("45")

    def test_finds_an_option_by_its_words(self, page: Page, new_person):
        page.goto("/app/settings")

        page.get_by_label("Search settings").fill("theme")

        expect(page.get_by_role("heading", level=2)).to_have_text(["Appearance"])

    def test_sets_a_section_back(self, page: Page, new_person):
        page.goto("/app/settings#stow")
        page.get_by_role("radio", name="New").check(force=True)

        page.get_by_role("button", name="Reset section").first.click()

        expect(page.get_by_role("radio", name="Used")).to_be_checked()

    def test_lists_and_clears_what_the_browser_keeps(self, page: Page, new_person):
        page.goto("/app/settings")
        page.get_by_role("button", name="Batches/tables").click()
        page.get_by_role("switch", name="Show archived batches").click()
        page.reload()
        page.get_by_role("button", name="Local data", exact=True).click()
        kept = page.get_by_role("button", name="Remove Show archived batches")
        expect(kept).to_be_visible()

        page.get_by_role("button", name="Clear local data").click()
        page.get_by_role("dialog").get_by_role("button", name="Clear local data").click()

        expect(kept).to_have_count(0)
        page.get_by_role("button", name="Batches/tables").click()
        expect(page.get_by_role("switch", name="Show archived batches")).not_to_be_checked()
        assert stored(page, "accessToken")

    def test_follows_the_system_again_when_asked_to(self, page: Page, new_person):
        page.emulate_media(color_scheme="dark")
        page.goto("/app/settings#appearance")
        page.get_by_role("radio", name="Light").check(force=True)
        wait_for(page, lambda: stored(page, "theme"), "light")

        page.get_by_role("radio", name="System").check(force=True)

        wait_for(page, lambda: stored(page, "theme"), None)
        expect(page.get_by_role("button", name="Switch to light theme")).to_be_visible()


class TestTables:
    def test_turn_pages(self, page: Page, person):
        page.goto("/app/inventory")
        rows = page.get_by_role("grid").get_by_role("row")
        before, after = (
            page.get_by_role("button", name=f"{name} page") for name in ("Previous", "Next")
        )
        expect(page.get_by_text(re.compile(r"^1–25 of"))).to_be_visible()
        expect(before).to_have_attribute("aria-disabled", "true")
        first = rows.nth(1).inner_text()

        after.click()
        expect(page.get_by_text(re.compile(r"^26–50 of"))).to_be_visible()
        expect(rows.nth(1)).not_to_have_text(first, use_inner_text=True)
        before.click()

        expect(page.get_by_text(re.compile(r"^1–25 of"))).to_be_visible()

    def test_end_with_the_last_page(self, page: Page, person):
        page.goto("/app/inventory")
        shown = page.get_by_text(re.compile(r"^1–25 of"))
        expect(shown).to_be_visible()
        total = int(shown.inner_text().split()[-1])

        page.goto(f"/app/inventory?page={-(-total // 25)}")

        expect(page.get_by_text(re.compile(rf"–{total} of {total}$"))).to_be_visible()
        expect(page.get_by_role("button", name="Next page")).to_have_attribute(
            "aria-disabled", "true"
        )

    def test_offer_page_sizes_and_keep_the_choice(self, page: Page, person):
        page.goto("/app/batches")
        size = page.get_by_label("Rows per page")
        expect(size).to_have_value("25")
        expect(size.locator("option")).to_have_text(
            [*(f"{count} per page" for count in (10, 25, 50, 100, 250)), "All"]
        )
        with page.expect_request("**/api/batches?*page_size=50*"):
            size.select_option("50")

        page.goto("/app/batches")

        expect(size).to_have_value("50")

    def test_search_once_300_ms_after_the_last_key(self, page: Page, person):
        page.clock.install()
        page.goto("/app/sources")
        expect(page.get_by_role("grid").get_by_role("row").nth(1)).to_be_visible()
        page.clock.pause_at(page.evaluate("Date.now() / 1000") + 5)
        searches = calls_to(page, "search=")

        page.get_by_label("Search sources").press_sequentially("brick")
        page.clock.run_for(299)
        assert searches == []
        with page.expect_request("**/api/sources?*search=brick*"):
            page.clock.run_for(1)

        page.clock.run_for(1_000)
        assert len(searches) == 1

    def test_draw_only_the_rows_in_sight(self, page: Page, person):
        page.goto("/app/inventory?page_size=250")
        grid = page.get_by_role("grid")
        rows = grid.locator("[role=rowgroup]").last.get_by_role("row")
        expect(rows.nth(5)).to_be_visible()

        # In one look: rows that load give way to those that are there.
        heights, seen = grid.evaluate(
            """grid => {
              const box = grid.getBoundingClientRect();
              const rows = [...grid.querySelectorAll('[role=rowgroup]:last-of-type [role=row]')]
                .map((row) => row.getBoundingClientRect());
              const inSight = ({top, bottom}) =>
                bottom > Math.max(0, box.top) && top < Math.min(innerHeight, box.bottom);
              return [rows.map(({height}) => height), rows.filter(inSight).length];
            }"""
        )
        assert set(heights) == {50}
        assert len(heights) <= seen + 10
