"""Signing up, in and out, by the letters of the specification."""

import datetime as dt
import logging

import jwt
import pytest
from django.conf import settings as django_settings
from django.contrib.auth.hashers import MD5PasswordHasher
from rest_framework.test import APIClient

from apps.accounts.api.authentication import ENDED
from apps.accounts.models import Preferences, RefreshGrant, User
from apps.accounts.services.tokens import issue_tokens, refresh_tokens
from apps.accounts.tests.factories import PASSWORD
from apps.core.clock import now
from apps.core.errors import NotFound
from apps.core.testing.threads import at_once

pytestmark = pytest.mark.django_db

LOGIN = "/api/users/login"
USER_FIELDS = {
    *("id", "email_address", "name", "is_staff", "is_demo", "createdAt", "updatedAt"),
    *("bidder_name", "zip_code", "units", "time_zone", "is_address_confirmed"),
    *("seller_address", "vat_id", "buyer_data_months", "store", "stores"),
}
TOKENS = {"accessToken", "refreshToken"}


def credentials(user, password=PASSWORD):
    return {"email_address": user.email_address, "password": password}


def bearer(token):
    made = APIClient()
    made.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return made


def refused(response, status, code, message):
    body = response.json()
    assert (response.status_code, body["success"], body["data"]) == (status, False, [])
    assert body["error"] == body["meta"]["error"] == {"code": code, "message": message}
    assert body["message"] == message


class TestLogin:
    def test_answers_with_both_tokens_and_the_users_fields(self, api, ann):
        response = api().post(LOGIN, credentials(ann))

        body = response.json()
        (row,) = body["data"]
        assert (response.status_code, body["success"]) == (200, True)
        assert body["meta"] == {"http_status_code": 200}
        assert set(row) == USER_FIELDS | TOKENS
        assert (row["id"], row["email_address"], row["name"]) == (ann.pk, "ann@example.org", "Ann")
        assert (row["is_staff"], row["is_demo"]) == (False, False)
        assert row["createdAt"] == ann.created_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        assert bearer(row["accessToken"]).get("/api/jobs").status_code == 200

    def test_knows_the_address_in_any_case(self, api, ann):
        given = {"email_address": "  ANN@Example.ORG ", "password": PASSWORD}

        assert api().post(LOGIN, given).status_code == 200

    @pytest.mark.parametrize(
        "given",
        [
            {"password": "wrong"},
            {"password": PASSWORD + " "},
            {"password": PASSWORD.upper()},
            {"email_address": "nobody@example.org"},
            {"email_address": "ann"},
        ],
        ids=str,
    )
    def test_says_the_same_to_every_wrong_pair(self, api, ann, given):
        response = api().post(LOGIN, {**credentials(ann), **given})

        refused(response, 401, "NOT_AUTHENTICATED", "Wrong e-mail address or password.")
        assert RefreshGrant.objects.count() == 0

    def test_lets_nobody_into_a_closed_account(self, api, ann):
        User.objects.update(is_active=False)

        refused(
            api().post(LOGIN, credentials(ann)),
            401,
            "NOT_AUTHENTICATED",
            "Wrong e-mail address or password.",
        )

    def test_lets_nobody_into_an_account_without_a_password(self, api, ann):
        ann.set_unusable_password()
        ann.save(update_fields=["password"])

        for guess in ("", "!", ann.password, PASSWORD):
            assert api().post(LOGIN, credentials(ann, guess)).status_code in {400, 401}

    def test_does_not_mind_a_stale_token(self, ann):
        assert bearer("stale").post(LOGIN, credentials(ann)).status_code == 200

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({}, "email_address"),
            ({"email_address": "a@example.org"}, "password"),
            ({"email_address": "a@example.org", "password": "x" * 201}, "password"),
            ({"email_address": "x" * 255, "password": "x"}, "email_address"),
        ],
    )
    def test_names_the_field_that_is_wrong(self, api, given, field):
        response = api().post(LOGIN, given)

        assert response.status_code == 400
        assert field in response.json()["meta"]["error"]["fields"]

    @pytest.mark.parametrize(
        "account", ["known", "unknown", "closed", "without a password", "known, right password"]
    )
    def test_does_the_same_work_for_every_account(self, api, ann, settings, account):
        settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
        CountingHasher.verified = 0
        ann.set_password(PASSWORD)
        given = credentials(ann, PASSWORD if account.endswith("right password") else "wrong")
        if account == "unknown":
            given["email_address"] = "nobody@example.org"
        ann.is_active = account != "closed"
        if account == "without a password":
            ann.set_unusable_password()
        ann.save()
        api().post(LOGIN, given)  # the first call makes the decoy
        CountingHasher.verified = 0

        api().post(LOGIN, given)

        assert CountingHasher.verified == 1

    def test_records_a_refusal_without_what_was_typed(self, api, ann, caplog):
        with caplog.at_level(logging.WARNING):
            api().post(LOGIN, credentials(ann, "a secret guess"))
            api().post(LOGIN, {"email_address": "secret@example.org", "password": "x"})

        assert f"sign-in refused for account {ann.pk}" in caplog.text
        assert "sign-in refused for account unknown" in caplog.text
        assert "secret" not in caplog.text


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is verified."""

    algorithm = "counting"
    verified = 0

    def verify(self, password, encoded):
        type(self).verified += 1
        return super().verify(password, encoded)


@pytest.mark.usefixtures("one_window")
class TestLoginLimits:
    def statuses(self, api, ann, times, **headers):
        return [
            api().post(LOGIN, credentials(ann, "wrong"), **headers).status_code
            for _ in range(times)
        ]

    def test_stops_the_sixth_try_at_an_account(self, api, ann):
        assert self.statuses(api, ann, 8) == [401] * 5 + [429] * 3

    def test_stops_the_right_password_too(self, api, ann):
        self.statuses(api, ann, 5)

        response = api().post(LOGIN, credentials(ann))

        assert response.status_code == 429
        assert response.json()["error"]["code"] == "RATE_LIMITED"
        assert 1 <= int(response.headers["Retry-After"]) <= 60

    def test_lets_the_owner_in_on_a_device_that_signed_in_before(self, ann, bo):
        own, stranger = APIClient(), APIClient()
        assert own.post(LOGIN, credentials(ann)).status_code == 200
        cookie = next(iter(own.cookies.values()))
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", LOGIN)
        for _ in range(6):
            stranger.post(LOGIN, credentials(ann, "wrong"))

        assert stranger.post(LOGIN, credentials(ann)).status_code == 429
        assert own.post(LOGIN, credentials(ann)).status_code == 200
        # The mark is for its account alone, and cannot be moved to another.
        stranger.cookies[cookie.key] = f"{cookie.value}x"
        assert stranger.post(LOGIN, credentials(ann)).status_code == 429

    def test_lets_the_owner_in_on_the_device_that_made_the_account(self, db):
        own, stranger = APIClient(), APIClient()
        told = {"email_address": "dora@example.org", "password": "brick-tower-4711"}
        made = own.post("/api/users/register", {**told, "name": "Dora"})
        assert made.status_code == 201, made.content
        for _ in range(6):
            stranger.post(LOGIN, {**told, "password": "wrong"})

        assert stranger.post(LOGIN, told).status_code == 429
        assert own.post(LOGIN, told).status_code == 200

    def test_lets_the_owner_in_on_a_device_whose_session_is_older_than_the_marks(self, ann):
        own, stranger = APIClient(), APIClient()
        pair = own.post(LOGIN, credentials(ann)).json()["data"][0]
        own.cookies.clear()
        refreshed = own.post("/api/users/token-refresh", {"refreshToken": pair["refreshToken"]})
        assert refreshed.status_code == 200
        for _ in range(6):
            stranger.post(LOGIN, credentials(ann, "wrong"))

        assert stranger.post(LOGIN, credentials(ann)).status_code == 429
        assert own.post(LOGIN, credentials(ann)).status_code == 200

    def test_limits_a_known_device_too(self, ann):
        own = APIClient()
        own.post(LOGIN, credentials(ann))

        statuses = [own.post(LOGIN, credentials(ann, "wrong")).status_code for _ in range(6)]

        assert statuses[-1] == 429

    def test_counts_an_account_in_any_case(self, api, ann):
        found = [
            api().post(LOGIN, {"email_address": text, "password": "wrong"}).status_code
            for text in ("ann@example.org", "ANN@example.org", " ann@EXAMPLE.org ") * 2
        ]

        assert found == [401] * 5 + [429]

    def test_stops_the_21st_try_from_an_address(self, api):
        found = [
            api()
            .post(LOGIN, {"email_address": f"{number}@example.org", "password": "x"})
            .status_code
            for number in range(22)
        ]

        assert found == [401] * 20 + [429] * 2

    def test_believes_no_forged_address(self, api):
        found = [
            api()
            .post(
                LOGIN,
                {"email_address": f"{number}@example.org", "password": "x"},
                HTTP_X_FORWARDED_FOR=f"10.0.0.{number}",
            )
            .status_code
            for number in range(22)
        ]

        assert found == [401] * 20 + [429] * 2

    def test_hashes_nothing_beyond_the_limit(self, api, ann, settings):
        settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
        ann.set_password(PASSWORD)
        ann.save()

        CountingHasher.verified = 0
        self.statuses(api, ann, 8)

        assert CountingHasher.verified == 5

    @pytest.mark.django_db(transaction=True)
    def test_lets_exactly_five_of_sixty_at_once_reach_the_password(self, api, ann):
        # From fifteen addresses, so that only the account's limit is in play.
        answers = at_once(
            lambda number: self.statuses(api, ann, 4, REMOTE_ADDR=f"10.0.0.{number}"),
            threads=15,
        )
        found = sorted(status for thread in answers for status in thread)

        assert found == [401] * 5 + [429] * 55

    def test_survives_an_address_that_is_none(self, api):
        for text in ("\x00", "x" * 10_000, None, [], {"a": 1}):
            response = api().post(LOGIN, {"email_address": text, "password": "x"})

            assert response.status_code == 400


class TestRegister:
    FORM = {"email_address": "Cleo@Example.org", "password": "bricks by the kilo", "name": " Cleo "}

    def test_answers_with_user_and_tokens(self, api):
        response = api().post("/api/users/register", self.FORM)

        body = response.json()
        (row,) = body["data"]
        assert (response.status_code, body["success"]) == (201, True)
        assert body["message"] == "Your account is ready."
        assert set(row) == {"user"} | TOKENS
        assert set(row["user"]) == USER_FIELDS
        assert row["user"]["email_address"] == "cleo@example.org"
        assert row["user"]["name"] == "Cleo"
        assert bearer(row["accessToken"]).get("/api/users/me").json()["data"] == [row["user"]]
        assert Preferences.objects.get().currency == "USD"

    @pytest.mark.parametrize(
        ("also", "field"),
        [
            ({"email_address": "cleo"}, "email_address"),
            ({"email_address": "cleo@example.org\x00"}, "email_address"),
            ({"password": "short"}, "password"),
            ({"password": "password123"}, "password"),
            ({"password": "2839183746"}, "password"),
            ({"password": "cleo@example.org"}, "password"),
            ({"password": "x" * 201}, "password"),
            ({"name": ""}, "name"),
            ({"name": "x" * 151}, "name"),
            ({"name": "Ann\nclick here"}, "name"),
            ({"name": "https://evil.example"}, "name"),
        ],
    )
    def test_names_the_field_that_is_wrong(self, api, also, field):
        response = api().post("/api/users/register", {**self.FORM, **also})

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == [field]
        assert User.objects.count() == 0

    def test_refuses_an_address_that_is_taken_in_any_case(self, api, ann):
        response = api().post(
            "/api/users/register", {**self.FORM, "email_address": "ANN@example.org"}
        )

        assert response.status_code == 400
        assert response.json()["meta"]["error"]["fields"] == {
            "email_address": ["there is already an account with this address"]
        }
        assert User.objects.count() == 1

    def test_gives_nobody_rights(self, api):
        api().post(
            "/api/users/register",
            {**self.FORM, "is_staff": True, "is_superuser": True, "is_demo": True, "id": 1},
        )

        user = User.objects.get()
        assert (user.is_staff, user.is_superuser, user.is_demo) == (False, False, False)

    @pytest.mark.django_db(transaction=True)
    def test_makes_one_account_when_five_come_at_once(self, api):
        def act(_):
            return api().post("/api/users/register", self.FORM).status_code

        assert sorted(at_once(act, threads=5)) == [201] + [400] * 4
        assert User.objects.count() == Preferences.objects.count() == 1


class TestTokenRefresh:
    def test_answers_with_both_tokens_and_needs_no_header(self, api, ann):
        pair = issue_tokens(user=ann, now=now())

        response = api().post("/api/users/token-refresh", {"refreshToken": pair.refresh})

        (row,) = response.json()["data"]
        assert response.status_code == 200
        assert set(row) == TOKENS
        assert bearer(row["accessToken"]).get("/api/users/me").status_code == 200

    def test_does_not_mind_a_stale_header(self, ann):
        pair = issue_tokens(user=ann, now=now())

        response = bearer("stale").post("/api/users/token-refresh", {"refreshToken": pair.refresh})

        assert response.status_code == 200

    @pytest.mark.parametrize("token", ["nonsense", "..", "a.b.c"])
    def test_refuses_what_is_no_token(self, api, token):
        refused(
            api().post("/api/users/token-refresh", {"refreshToken": token}),
            401,
            "NOT_AUTHENTICATED",
            "Token refresh failed",
        )

    @pytest.mark.parametrize("body", [{}, {"refreshToken": ""}, {"refreshToken": None}])
    def test_asks_for_a_token(self, api, body):
        response = api().post("/api/users/token-refresh", body)

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == ["refreshToken"]


class TestLogout:
    def test_ends_the_session(self, api, ann):
        pair = issue_tokens(user=ann, now=now())

        response = api().post("/api/users/logout", {"refreshToken": pair.refresh})

        assert (response.status_code, response.json()["data"]) == (200, [])
        again = api().post("/api/users/token-refresh", {"refreshToken": pair.refresh})
        assert again.status_code == 401

    def test_may_be_said_twice_and_with_nonsense(self, api, ann):
        pair = issue_tokens(user=ann, now=now())

        for token in (pair.refresh, pair.refresh, "nonsense"):
            response = api().post("/api/users/logout", {"refreshToken": token})
            assert response.status_code == 200


def access_token(user, **claims):
    made = jwt.decode(
        issue_tokens(user=user, now=now()).access, options={"verify_signature": False}
    )
    kept = {name: value for name, value in {**made, **claims}.items() if value is not None}
    return jwt.encode(kept, django_settings.SECRET_KEY, algorithm="HS256")


class TestAccessTokens:
    def test_that_expired_are_told_apart(self, ann):
        expired = issue_tokens(user=ann, now=now() - dt.timedelta(minutes=20, seconds=5)).access

        refused(bearer(expired).get("/api/users/me"), 401, "TOKEN_EXPIRED", "Access token expired")

    def test_are_good_for_twenty_minutes(self, ann):
        nearly = issue_tokens(user=ann, now=now() - dt.timedelta(minutes=19)).access

        assert bearer(nearly).get("/api/users/me").status_code == 200

    @pytest.mark.parametrize(
        "forge",
        [
            lambda user: issue_tokens(user=user, now=now()).refresh,
            lambda user: jwt.encode({"sub": str(user.pk), "token_type": "access"}, None, "none"),
            lambda user: jwt.encode({"sub": str(user.pk), "token_type": "access"}, "k" * 64),
            lambda user: access_token(user, token_type=None),
            lambda user: access_token(user, token_type="refresh"),
            lambda user: access_token(user, sub=None),
            lambda user: access_token(user, sub="999999"),
            lambda user: access_token(user, exp=None),
            lambda user: access_token(user, jti=None),
            lambda user: access_token(user, jti="00000000000000000000000000000000"),
            lambda user: access_token(user, jti=7),
            lambda user: issue_tokens(user=user, now=now()).access[:-2] + "xx",
            lambda user: "nonsense",
            lambda user: "",
        ],
        ids=[
            "a refresh token",
            "alg none",
            "another key",
            "no type",
            "another type",
            "no account",
            "an unknown account",
            "no expiry",
            "no session",
            "an unknown session",
            "a session that is no id",
            "another signature",
            "nonsense",
            "nothing",
        ],
    )
    def test_that_are_forged_open_nothing(self, ann, forge):
        client = bearer(forge(ann))

        for path in ("/api/users/me", "/api/jobs", "/api/preferences"):
            response = client.get(path)
            assert response.status_code == 401
            assert response.json()["error"]["code"] == "NOT_AUTHENTICATED"

    def test_end_with_their_session(self, ann):
        pair, other = issue_tokens(user=ann, now=now()), issue_tokens(user=ann, now=now())
        client = bearer(pair.access)
        assert client.get("/api/users/me").status_code == 200

        APIClient().post("/api/users/logout", {"refreshToken": pair.refresh})

        refused(client.get("/api/users/me"), 401, "NOT_AUTHENTICATED", ENDED)
        assert bearer(other.access).get("/api/users/me").status_code == 200

    def test_end_with_their_session_after_a_refresh(self, ann):
        pair = issue_tokens(user=ann, now=now())
        newer = refresh_tokens(refresh_token=pair.refresh, now=now())
        assert bearer(pair.access).get("/api/users/me").status_code == 200

        APIClient().post("/api/users/logout", {"refreshToken": newer.refresh})

        for token in (pair.access, newer.access):
            refused(bearer(token).get("/api/users/me"), 401, "NOT_AUTHENTICATED", ENDED)

    def test_end_when_a_copy_of_their_session_is_used(self, ann):
        pair = issue_tokens(user=ann, now=now() - dt.timedelta(minutes=5))
        newer = refresh_tokens(refresh_token=pair.refresh, now=now() - dt.timedelta(minutes=2))

        APIClient().post("/api/users/token-refresh", {"refreshToken": pair.refresh})

        refused(bearer(newer.access).get("/api/users/me"), 401, "NOT_AUTHENTICATED", ENDED)

    @pytest.mark.parametrize("is_saved_whole", [True, False])
    def test_end_with_the_password_however_it_is_set(self, ann, is_saved_whole):
        client = bearer(issue_tokens(user=ann, now=now()).access)

        ann.set_password("another pile of bricks")
        ann.save(update_fields=None if is_saved_whole else ["password"])

        refused(client.get("/api/users/me"), 401, "NOT_AUTHENTICATED", ENDED)

    def test_take_one_query_to_check(self, ann, django_assert_num_queries):
        client = bearer(issue_tokens(user=ann, now=now()).access)

        with django_assert_num_queries(1):
            assert client.get("/api/labelLayouts").status_code == 200

    def test_of_a_closed_account_open_nothing(self, ann):
        client = bearer(issue_tokens(user=ann, now=now()).access)
        User.objects.update(is_active=False)

        assert client.get("/api/users/me").status_code == 401


class TestChangePassword:
    PATH = "/api/users/change-password"
    NEW = "another pile of bricks"

    def test_ends_every_session_but_this_one(self, api, ann):
        mine = issue_tokens(user=ann, now=now())
        other = issue_tokens(user=ann, now=now())

        response = bearer(mine.access).post(
            self.PATH, {"current_password": PASSWORD, "new_password": self.NEW}
        )

        (row,) = response.json()["data"]
        assert (response.status_code, set(row)) == (200, TOKENS)
        assert bearer(row["accessToken"]).get("/api/users/me").status_code == 200
        for pair in (mine, other):
            assert bearer(pair.access).get("/api/users/me").status_code == 401
            refresh = api().post("/api/users/token-refresh", {"refreshToken": pair.refresh})
            assert refresh.status_code == 401
        assert api().post(LOGIN, credentials(ann, self.NEW)).status_code == 200
        assert api().post(LOGIN, credentials(ann)).status_code == 401

    @pytest.mark.parametrize(
        ("also", "field"),
        [
            ({"current_password": "wrong"}, "current_password"),
            ({"new_password": "short"}, "new_password"),
            ({"new_password": ""}, "new_password"),
        ],
    )
    def test_changes_nothing_when_it_refuses(self, api, ann, also, field):
        pair = issue_tokens(user=ann, now=now())

        response = bearer(pair.access).post(
            self.PATH, {"current_password": PASSWORD, "new_password": self.NEW, **also}
        )

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == [field]
        assert bearer(pair.access).get("/api/users/me").status_code == 200
        assert api().post(LOGIN, credentials(ann)).status_code == 200

    def test_leaves_the_demo_account_alone(self, api, ann):
        User.objects.update(is_demo=True)
        ann.refresh_from_db()

        response = api(ann).post(
            self.PATH, {"current_password": PASSWORD, "new_password": self.NEW}
        )

        assert response.status_code == 403
        ann.refresh_from_db()
        assert ann.check_password(PASSWORD)


class TestDemoLogin:
    def test_signs_in_without_a_password(self, api, ann):
        User.objects.update(is_demo=True)

        response = api().post("/api/users/demo-login")

        (row,) = response.json()["data"]
        assert (response.status_code, row["id"], row["is_demo"]) == (200, ann.pk, True)
        assert set(row) == USER_FIELDS | TOKENS

    def test_is_not_there_without_a_demo_account(self, api, ann):
        refused(api().post("/api/users/demo-login"), 404, "NOT_FOUND", NotFound.message)

    def test_is_not_there_outside_demo_mode(self, api, ann, settings):
        User.objects.update(is_demo=True)
        settings.DEMO_MODE = False

        refused(api().post("/api/users/demo-login"), 404, "NOT_FOUND", NotFound.message)
        assert RefreshGrant.objects.count() == 0


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)


class TestSessions:
    PATH = "/api/users/sessions"
    END = "/api/users/sessions/end-others"

    def sign_in(self, user, agent):
        response = APIClient().post(
            LOGIN, credentials(user), headers={"user-agent": agent}, format="json"
        )
        return response.json()["data"][0]

    def test_are_told_with_their_device_the_own_one_marked(self, ann, bo):
        desk = self.sign_in(ann, FIREFOX)
        self.sign_in(bo, FIREFOX)
        phone = self.sign_in(ann, IPHONE)
        # A refresh is the same session, used again.
        api = APIClient()
        renewed = api.post("/api/users/token-refresh", {"refreshToken": desk["refreshToken"]})
        token = renewed.json()["data"][0]["accessToken"]

        rows = bearer(token).get(self.PATH).json()["data"]

        told = {row["device"]: row["current"] for row in rows}
        assert told == {"Firefox on Linux": True, "Safari on iPhone": False}
        assert set(rows[0]) == {"id", "device", "lastUsedAt", "current"}
        seen = bearer(phone["accessToken"]).get(self.PATH).json()["data"]
        assert {row["device"] for row in seen if row["current"]} == {"Safari on iPhone"}

    def test_end_one_by_one(self, ann, bo):
        desk, phone = self.sign_in(ann, FIREFOX), self.sign_in(ann, IPHONE)
        rows = bearer(desk["accessToken"]).get(self.PATH).json()["data"]
        (other,) = [row["id"] for row in rows if not row["current"]]

        answers = [
            bearer(desk["accessToken"]).delete(f"{self.PATH}/{other}").status_code for _ in range(2)
        ]

        assert answers == [200, 404]
        assert bearer(phone["accessToken"]).get("/api/users/me").status_code == 401
        assert bearer(desk["accessToken"]).get("/api/users/me").status_code == 200

    def test_of_a_stranger_are_404(self, ann, bo):
        desk, bos = self.sign_in(ann, FIREFOX), self.sign_in(bo, FIREFOX)
        (row,) = bearer(bos["accessToken"]).get(self.PATH).json()["data"]

        for family in (row["id"], "0" * 32, "nonsense"):
            answer = bearer(desk["accessToken"]).delete(f"{self.PATH}/{family}")
            assert answer.status_code == 404
        assert bearer(bos["accessToken"]).get("/api/users/me").status_code == 200

    def test_end_all_but_the_one_that_asks(self, ann, bo):
        desk, phone, bos = (
            self.sign_in(ann, FIREFOX),
            self.sign_in(ann, IPHONE),
            self.sign_in(bo, FIREFOX),
        )

        response = bearer(desk["accessToken"]).post(self.END)

        assert response.status_code == 200
        ends = [
            bearer(pair["accessToken"]).get("/api/users/me").status_code
            for pair in (desk, phone, bos)
        ]
        assert ends == [200, 401, 200]
        statuses = [
            APIClient()
            .post("/api/users/token-refresh", {"refreshToken": pair["refreshToken"]})
            .status_code
            for pair in (desk, phone, bos)
        ]
        assert statuses == [200, 401, 200]

    def test_of_the_demo_account_are_nobody_elses_business(self, ann):
        desk, phone = self.sign_in(ann, FIREFOX), self.sign_in(ann, IPHONE)
        User.objects.update(is_demo=True)

        rows = bearer(desk["accessToken"]).get(self.PATH).json()["data"]
        response = bearer(desk["accessToken"]).post(self.END)
        one = bearer(desk["accessToken"]).delete(f"{self.PATH}/{rows[0]['id']}")

        assert [row["device"] for row in rows] == ["Firefox on Linux"]
        assert (response.status_code, one.status_code) == (403, 403)
        refresh = APIClient().post(
            "/api/users/token-refresh", {"refreshToken": phone["refreshToken"]}
        )
        assert refresh.status_code == 200

    def test_that_are_over_are_not_told(self, ann):
        desk, phone = self.sign_in(ann, FIREFOX), self.sign_in(ann, IPHONE)
        APIClient().post("/api/users/logout", {"refreshToken": phone["refreshToken"]})

        rows = bearer(desk["accessToken"]).get(self.PATH).json()["data"]

        assert [row["device"] for row in rows] == ["Firefox on Linux"]
