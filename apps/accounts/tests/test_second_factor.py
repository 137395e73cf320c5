"""A second factor by the API: adding it, signing in with it, and what it guards."""

import datetime as dt
import json
import re
from collections import Counter

import pyotp
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from apps.accounts.models import Authenticator, RecoveryCode, RememberedDevice
from apps.accounts.services import factors
from apps.accounts.services.factors import Answer, Purpose, TooManyGuesses, answer, ask
from apps.accounts.services.second_factor import begin_authenticator, confirm_authenticator
from apps.accounts.services.tokens import forget_expired, issue_tokens
from apps.accounts.tests.factories import PASSWORD
from apps.core.clock import now
from apps.core.errors import ValueRefused
from apps.core.jobs.models import Job
from apps.core.testing.threads import at_once
from apps.core.throttling import RateWindow

pytestmark = pytest.mark.django_db

LOGIN = "/api/users/login"
STEP = "/api/users/login/second-step"
FACTOR = "/api/users/second-factor"
AT = dt.datetime(2026, 5, 4, 12, 0, 10, tzinfo=dt.UTC)


def signed_in(user, proof=""):
    client = APIClient()
    token = issue_tokens(user=user, now=now()).access
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}", HTTP_X_PROOF=proof)
    return client


def prove(client, **given):
    """Let the client show once more who it is; its later calls carry the proof."""
    asked = client.post("/api/users/proof/ask").json()["data"][0]
    made = client.post("/api/users/proof", {"ticket": asked["ticket"], **given}, format="json")
    if made.status_code == 200:
        client.credentials(
            **{**client._credentials, "HTTP_X_PROOF": made.json()["data"][0]["proof"]}
        )
    return made


def add_app(user, at=None):
    """Give an account an app; return what makes its codes, and the recovery codes."""
    at = at or now()
    secret, _ = begin_authenticator(user=user)
    app = pyotp.TOTP(secret)
    # Of a step before, so that the present code is still good.
    codes = confirm_authenticator(user=user, code=app.at(at, counter_offset=-1), now=at)
    return app, codes


def tickets(user, at=None):
    return ask(user=user, purpose=Purpose.SIGN_IN, now=at or now()).ticket


def error_of(response):
    return response.json()["meta"]["error"]["code"]


def first_step(client, user, password=PASSWORD):
    return client.post(LOGIN, {"email_address": user.email_address, "password": password})


class TestAddingAnApp:
    def test_takes_the_password_and_a_code_and_answers_ten_recovery_codes_once(self, ann):
        client = signed_in(ann)
        assert error_of(client.post(f"{FACTOR}/app")) == "PROOF_REQUIRED"
        assert prove(client, password=PASSWORD).status_code == 200

        made = client.post(f"{FACTOR}/app").json()["data"][0]
        code = pyotp.TOTP(made["secret"]).now()
        added = client.post(f"{FACTOR}/app/confirm", {"code": code})

        row = added.json()["data"][0]
        assert added.status_code == 200
        assert made["uri"].startswith("otpauth://totp/")
        assert made["picture"].startswith("data:image/svg+xml")
        assert len(set(row["recovery_codes"])) == 10
        assert all(re.fullmatch(r"[a-z2-9]{5}-[a-z2-9]{5}", code) for code in row["recovery_codes"])
        told = client.get(FACTOR).json()["data"][0]
        assert told == {
            "has_app": True,
            "passkeys": [],
            "recovery_codes_left": 10,
            "devices": [],
        }

    def test_keeps_neither_the_secret_nor_the_codes_in_plain(self, ann):
        app, codes = add_app(ann)

        kept = Authenticator.objects.get().sealed_secret
        assert app.secret not in kept
        hashes = set(RecoveryCode.objects.values_list("code_hash", flat=True))
        assert not hashes & {code.replace("-", "") for code in codes} | hashes & set(codes)

    def test_does_not_count_until_a_code_of_it_was_typed(self, ann, api):
        client = signed_in(ann)
        prove(client, password=PASSWORD)
        client.post(f"{FACTOR}/app")

        refused = client.post(f"{FACTOR}/app/confirm", {"code": "000000"})

        assert error_of(refused) == "VALUE_REFUSED"
        assert first_step(api(), ann).status_code == 200

    def test_of_a_confirmed_app_another_secret_is_refused(self, ann):
        app, _ = add_app(ann)
        client = signed_in(ann)
        prove(client, code=app.now())

        assert error_of(client.post(f"{FACTOR}/app")) == "CONFLICT"

    def test_a_wrong_password_gives_no_proof(self, ann):
        client = signed_in(ann)

        assert error_of(prove(client, password="another one")) == "VALUE_REFUSED"
        assert error_of(client.post(f"{FACTOR}/app")) == "PROOF_REQUIRED"

    def test_is_refused_to_the_demo_account(self, make_user):
        demo = make_user("demo", is_demo=True)
        client = signed_in(demo)
        prove(client, password=PASSWORD)

        assert error_of(client.post(f"{FACTOR}/app")) == "PERMISSION_DENIED"


class TestSigningIn:
    def test_asks_for_the_factor_and_answers_no_token_before(self, api, ann):
        add_app(ann)

        first = first_step(api(), ann)

        (row,) = first.json()["data"]
        assert (first.status_code, error_of(first)) == (401, "SECOND_FACTOR_REQUIRED")
        assert set(row) == {"ticket", "methods", "passkey_options"}
        assert row["methods"] == ["code", "recovery"]
        assert "Token" not in json.dumps(row)

    def test_goes_on_with_a_code(self, api, ann):
        app, _ = add_app(ann)
        client = api()
        ticket = first_step(client, ann).json()["data"][0]["ticket"]

        done = client.post(STEP, {"ticket": ticket, "code": app.now()})

        (row,) = done.json()["data"]
        assert done.status_code == 200
        assert (row["id"], bool(row["accessToken"]), bool(row["refreshToken"])) == (
            ann.pk,
            True,
            True,
        )

    def test_says_nothing_of_a_factor_with_a_wrong_password(self, api, ann):
        add_app(ann)

        assert error_of(first_step(api(), ann, "another one")) == "NOT_AUTHENTICATED"

    def test_refuses_a_code_that_was_used(self, api, ann):
        app, _ = add_app(ann)
        code = app.now()
        ticket = tickets(ann)
        assert api().post(STEP, {"ticket": ticket, "code": code}).status_code == 200

        again = api().post(STEP, {"ticket": ticket, "code": code})

        assert again.json()["meta"]["error"]["fields"] == {"code": [factors.WRONG]}

    @pytest.mark.parametrize("ticket", ["", "x", "x:y:z", None], ids=str)
    def test_refuses_a_ticket_that_is_none(self, api, ann, ticket):
        app, _ = add_app(ann)
        asked = ask(user=ann, purpose=Purpose.PROOF, now=now()).ticket if ticket is None else ticket

        refused = api().post(STEP, {"ticket": asked, "code": app.now()})

        assert refused.status_code == 400

    def test_refuses_a_ticket_of_an_older_password(self, api, ann):
        app, _ = add_app(ann)
        ticket = tickets(ann)
        ann.set_password("quite another one")
        ann.save(update_fields=["password"])

        assert api().post(STEP, {"ticket": ticket, "code": app.now()}).status_code == 400

    def test_takes_each_recovery_code_once(self, api, ann):
        _, (code, *_) = add_app(ann)
        ticket = tickets(ann)

        first = api().post(STEP, {"ticket": ticket, "code": code.upper()})
        second = api().post(STEP, {"ticket": ticket, "code": code})

        assert (first.status_code, second.status_code) == (200, 400)
        assert RecoveryCode.objects.count() == 9

    @pytest.mark.postgres
    @pytest.mark.django_db(transaction=True)
    def test_lets_one_of_four_in_who_type_the_same_code_at_once(self, ann):
        app, _ = add_app(ann)
        ticket, code, at = tickets(ann), app.now(), now()

        def enter(number):
            try:
                answer(
                    ticket=ticket,
                    purpose=Purpose.SIGN_IN,
                    given=Answer(code=code),
                    address="x",
                    now=at,
                )
            except ValueRefused:
                return "refused"
            return "in"

        assert Counter(at_once(enter, threads=4)) == {"in": 1, "refused": 3}


class TestCodes:
    @pytest.mark.parametrize(
        ("off", "is_good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)]
    )
    def test_of_one_step_before_or_behind_are_good(self, off, is_good):
        secret = pyotp.random_base32()

        step = factors.step_of(secret, pyotp.TOTP(secret).at(AT, counter_offset=off), now=AT)

        assert (step is not None) is is_good

    def test_of_a_step_before_one_that_was_used_are_refused(self, ann):
        app, _ = add_app(ann, AT - dt.timedelta(minutes=5))
        ticket = tickets(ann, AT)

        def enter(code):
            given = Answer(code=code)
            return answer(ticket=ticket, purpose=Purpose.SIGN_IN, given=given, address="x", now=AT)

        enter(app.at(AT))
        with pytest.raises(ValueRefused):
            enter(app.at(AT, counter_offset=-1))


class TestGuesses:
    def test_of_hundreds_none_is_let_through_and_no_row_is_kept_of_each(self, ann):
        app, _ = add_app(ann, AT)
        at = AT + dt.timedelta(minutes=10)
        told = Counter()
        for number in range(250):
            # One every eight minutes, from a new address each: more than a day.
            at += dt.timedelta(minutes=8)
            wrong = f"{(int(app.at(at)) + 10 + number) % 1_000_000:06}"
            if factors.step_of(app.secret, wrong, now=at) is not None:
                continue
            try:
                answer(
                    ticket=tickets(ann, at),
                    purpose=Purpose.SIGN_IN,
                    given=Answer(code=wrong),
                    address=f"203.0.113.{number}",
                    now=at,
                )
            except (ValueRefused, TooManyGuesses) as refused:
                told[type(refused)] += 1
            else:
                told["through"] += 1

        assert told["through"] == 0
        # 50 a day are looked at, whatever the address.
        assert told[ValueRefused] <= 100
        assert sum(told.values()) >= 240
        assert not RateWindow.objects.filter(key__contains="factor").exists()

    def test_beyond_five_in_five_minutes_also_a_right_one_is_refused(self, api, ann, one_window):
        app, _ = add_app(ann)
        ticket = tickets(ann)
        for _ in range(5):
            assert api().post(STEP, {"ticket": ticket, "code": "12"}).status_code == 400

        refused = api().post(STEP, {"ticket": ticket, "code": app.now()})

        assert (refused.status_code, error_of(refused)) == (429, "RATE_LIMITED")
        assert refused["Retry-After"]

    def test_at_one_account_do_not_shut_out_another(self, api, ann, bo):
        add_app(ann)
        app, _ = add_app(bo)
        for _ in range(9):
            api().post(STEP, {"ticket": tickets(ann), "code": "12"})

        assert api().post(STEP, {"ticket": tickets(bo), "code": app.now()}).status_code == 200


class TestRememberedDevices:
    @pytest.fixture
    def remembered(self, api, ann):
        """A browser that is remembered for ann."""
        app, _ = add_app(ann)
        client = api()
        done = client.post(
            STEP, {"ticket": tickets(ann), "code": app.now(), "remember": True}, format="json"
        )
        assert done.status_code == 200
        return client

    def test_are_not_asked_again(self, remembered, api, ann):
        assert first_step(remembered, ann).status_code == 200
        assert first_step(api(), ann).status_code == 401

    def test_still_are_asked_for_the_password(self, remembered, ann):
        assert first_step(remembered, ann, "another one").status_code == 401

    def test_are_asked_again_after_thirty_days(self, remembered, ann):
        RememberedDevice.objects.update(expires_at=now() - dt.timedelta(seconds=1))

        assert first_step(remembered, ann).status_code == 401
        forget_expired(now=now())
        assert not RememberedDevice.objects.exists()

    def test_are_listed_and_forgotten(self, remembered, ann, bo):
        (row,) = signed_in(ann).get(FACTOR).json()["data"][0]["devices"]
        assert signed_in(bo).delete(f"{FACTOR}/devices/{row['id']}").status_code == 404

        assert signed_in(ann).delete(f"{FACTOR}/devices/{row['id']}").status_code == 200

        assert first_step(remembered, ann).status_code == 401

    def test_are_forgotten_with_the_session_that_is_ended(self, remembered, ann):
        first_step(remembered, ann)
        family = RememberedDevice.objects.get().family

        assert signed_in(ann).delete(f"/api/users/sessions/{family}").status_code == 200

        assert first_step(remembered, ann).status_code == 401

    def test_are_forgotten_when_others_are_signed_out(self, remembered, ann):
        signed_in(ann).post("/api/users/sessions/end-others")

        assert first_step(remembered, ann).status_code == 401

    def test_of_another_account_count_for_nothing(self, remembered, bo):
        add_app(bo)

        assert first_step(remembered, bo).status_code == 401


GUARDED = [
    ("post", "/api/users/delete-account"),
    ("post", "/api/tokens"),
    ("put", "/api/marketplaceConnection"),
    ("delete", "/api/marketplaceConnection"),
    ("delete", "/api/members/1"),
    ("patch", "/api/members/1"),
    ("post", "/api/invitations"),
    ("post", "/api/backups/restore"),
    ("post", "/api/users/change-password"),
    ("delete", f"{FACTOR}/app"),
    ("post", f"{FACTOR}/app"),
    ("post", f"{FACTOR}/passkeys"),
    ("post", f"{FACTOR}/passkeys/options"),
    ("delete", f"{FACTOR}/passkeys/1"),
    ("post", f"{FACTOR}/recovery-codes"),
]


class TestAStolenAccessToken:
    @pytest.mark.parametrize(("method", "path"), GUARDED, ids=lambda value: value)
    def test_does_nothing_that_cannot_be_undone(self, ann, method, path):
        add_app(ann)

        refused = getattr(signed_in(ann), method)(path)

        assert (refused.status_code, error_of(refused)) == (403, "PROOF_REQUIRED")

    @pytest.mark.parametrize(
        ("method", "path"), [row for row in GUARDED if FACTOR in row[1]], ids=lambda value: value
    )
    def test_adds_no_factor_where_there_is_none(self, ann, method, path):
        refused = getattr(signed_in(ann), method)(path)

        assert (refused.status_code, error_of(refused)) == (403, "PROOF_REQUIRED")

    def test_makes_a_token_only_with_a_code(self, ann):
        app, _ = add_app(ann)
        client = signed_in(ann)
        token = {"name": "x", "scopes": ["stock:read"], "days": 7}
        assert client.post("/api/tokens", token, format="json").status_code == 403

        assert prove(client, code=app.now()).status_code == 200

        assert client.post("/api/tokens", token, format="json").status_code == 201

    def test_reads_what_it_could_read_before(self, ann):
        add_app(ann)

        assert signed_in(ann).get("/api/tokens").status_code == 200


class TestAProof:
    token = {"name": "x", "scopes": ["stock:read"], "days": 7}

    def made(self, user, code):
        client = signed_in(user)
        prove(client, code=code)
        return client._credentials["HTTP_X_PROOF"]

    def test_is_good_in_its_own_session_alone(self, ann):
        app, _ = add_app(ann)
        proof = self.made(ann, app.now())

        assert signed_in(ann, proof).post("/api/tokens", self.token).status_code == 403

    def test_of_the_password_is_none_once_there_is_a_factor(self, ann):
        client = signed_in(ann)
        prove(client, password=PASSWORD)
        add_app(ann)

        assert client.post("/api/tokens", self.token, format="json").status_code == 403

    def test_is_not_made_by_the_password_of_who_has_a_factor(self, ann):
        add_app(ann)

        assert prove(signed_in(ann), password=PASSWORD).status_code == 400

    def test_is_not_made_by_the_ticket_of_another_person(self, ann, bo):
        app, _ = add_app(bo)
        ticket = ask(user=bo, purpose=Purpose.PROOF, now=now()).ticket

        given = {"ticket": ticket, "code": app.now()}
        refused = signed_in(ann).post("/api/users/proof", given)

        assert refused.status_code == 400

    def test_lasts_five_minutes(self, ann, monkeypatch):
        app, _ = add_app(ann)
        client = signed_in(ann)
        prove(client, code=app.now())
        from apps.accounts.services import proofs

        monkeypatch.setattr(proofs, "GOOD_FOR", dt.timedelta(seconds=-1))

        assert client.post("/api/tokens", self.token, format="json").status_code == 403

    def test_comes_with_a_sign_in_by_the_factor(self, api, ann):
        app, _ = add_app(ann)
        client = api()
        (row,) = client.post(STEP, {"ticket": tickets(ann), "code": app.now()}).json()["data"]
        client.credentials(
            HTTP_AUTHORIZATION=f"Bearer {row['accessToken']}", HTTP_X_PROOF=row["proof"]
        )

        assert client.post("/api/tokens", self.token, format="json").status_code == 201

    def test_is_asked_of_nobody_without_a_factor(self, ann):
        assert signed_in(ann).post("/api/tokens", self.token, format="json").status_code == 201


class TestRemoving:
    def test_the_last_factor_removes_codes_and_devices(self, api, ann):
        app, _ = add_app(ann)
        client = signed_in(ann)
        prove(client, code=app.now())

        assert client.delete(f"{FACTOR}/app").status_code == 200

        assert not RecoveryCode.objects.exists()
        assert first_step(api(), ann).status_code == 200

    def test_new_recovery_codes_replace_those_before(self, api, ann):
        app, before = add_app(ann)
        client = signed_in(ann)
        prove(client, code=app.now())

        after = client.post(f"{FACTOR}/recovery-codes").json()["data"][0]["recovery_codes"]

        assert len(after) == 10
        ticket = tickets(ann)
        assert api().post(STEP, {"ticket": ticket, "code": before[0]}).status_code == 400
        assert api().post(STEP, {"ticket": ticket, "code": after[0]}).status_code == 200


class TestResetByTheOperator:
    def test_lets_the_password_be_enough(self, api, ann, caplog, capsys):
        add_app(ann)

        with caplog.at_level("WARNING"):
            call_command("reset_second_factor", ann.email_address.upper())

        assert "password alone" in capsys.readouterr().out
        assert f"second factor of account {ann.pk} reset" in caplog.text
        assert first_step(api(), ann).status_code == 200

    def test_says_so_where_there_is_none(self, ann, capsys):
        call_command("reset_second_factor", ann.email_address)

        assert "has no second factor" in capsys.readouterr().out


class TestMails:
    @pytest.fixture(autouse=True)
    def mails(self, settings, ann):
        settings.MAIL_IS_SENT = True
        ann.email_confirmed_at = now()
        ann.save(update_fields=["email_confirmed_at"])

    def told(self):
        return list(
            Job.objects.filter(kind="accounts.send_notice").values_list(
                "payload__notice", flat=True
            )
        )

    def test_tell_of_added_and_removed_factors_and_codes(self, ann):
        app, _ = add_app(ann)
        client = signed_in(ann)
        prove(client, code=app.now())

        client.post(f"{FACTOR}/recovery-codes")
        client.delete(f"{FACTOR}/app")

        assert self.told() == ["factor_added", "recovery_codes_renewed", "factor_removed"]

    def test_tell_of_a_new_token(self, ann):
        signed_in(ann).post("/api/tokens", TestAProof.token, format="json")

        assert self.told() == ["new_token"]

    def test_tell_of_a_reset(self, ann):
        add_app(ann)

        call_command("reset_second_factor", ann.email_address)

        assert self.told() == ["factor_added", "factors_reset"]

    def test_tell_of_a_new_device_only_once_the_factor_was_given(self, api, ann):
        app, _ = add_app(ann)
        client = api()

        ticket = first_step(client, ann).json()["data"][0]["ticket"]
        before = self.told()
        client.post(STEP, {"ticket": ticket, "code": app.now()})

        assert (before, self.told()) == (["factor_added"], ["factor_added", "new_device"])


class TestTheAdmin:
    def enter(self, client, staff, code=""):
        typed = {"username": staff.email_address, "password": PASSWORD, "code": code}
        client.post("/admin/login/?next=/admin/", typed)
        return client.get("/admin/").status_code == 200

    def test_asks_for_the_factor_of_who_has_one(self, client, staff):
        app, _ = add_app(staff)

        assert not self.enter(client, staff)
        assert not self.enter(client, staff, "123")
        assert self.enter(client, staff, app.now())

    def test_shows_a_field_for_it(self, client):
        assert 'name="code"' in client.get("/admin/login/").content.decode()
