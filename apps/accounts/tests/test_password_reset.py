"""A forgotten password: asked for by anybody, answered the same, settled by mail."""

import re

import pytest
from django.core import mail

from apps.accounts.models import RefreshGrant, User
from apps.accounts.services.password_reset import ResetRefused, reset_password, reset_token
from apps.accounts.services.tokens import issue_tokens
from apps.accounts.tests.factories import PASSWORD
from apps.core.clock import now
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries
from apps.core.testing.threads import at_once

pytestmark = pytest.mark.django_db

ASK = "/api/users/forgot-password"
RESET = "/api/users/reset-password"
NEW = "another pile of bricks"
GONE = "This link is no longer good. Please ask for a new one."


@pytest.fixture
def with_mail(settings, ann):
    settings.MAIL_IS_SENT = True
    User.objects.update(email_confirmed_at=now())
    ann.refresh_from_db()


@pytest.mark.usefixtures("with_mail")
class TestForgotPassword:
    def test_sends_a_link_that_sets_a_new_password(self, api, ann, settings):
        settings.PUBLIC_URL = "https://shop.example.org"
        session = issue_tokens(user=ann, now=now())

        asked = api().post(ASK, {"email_address": " Ann@Example.org "})
        run_jobs()

        assert asked.status_code == 202
        assert asked.json()["message"] == "If there is such an account, a mail is on its way."
        (message,) = mail.outbox
        assert (message.to, message.subject) == (
            ["ann@example.org"],
            "A new password for Brickstow",
        )
        link = re.search(r"https://shop\.example\.org/signin\?reset=(\S+)", message.body)
        answer = api().post(RESET, {"token": link[1], "new_password": NEW})
        assert answer.status_code == 200
        ann.refresh_from_db()
        assert ann.check_password(NEW)
        refresh = api().post("/api/users/token-refresh", {"refreshToken": session.refresh})
        assert refresh.status_code == 401

    def test_answers_the_same_and_does_the_same_for_an_unknown_address(self, api, ann):
        answers = [
            count_queries(lambda address=address: api().post(ASK, {"email_address": address}))
            for address in ("ann@example.org", "nobody@example.org")
        ]

        assert answers[0][0] == answers[1][0]
        assert answers[0][1].content == answers[1][1].content
        assert Job.objects.count() == 2
        run_jobs()
        assert len(mail.outbox) == 1
        assert {job.state for job in Job.objects.all()} == {JobState.SUCCEEDED}

    @pytest.mark.parametrize("also", [{"is_active": False}, {"is_demo": True}])
    def test_sends_nothing_for_a_closed_or_shared_account(self, api, ann, also):
        User.objects.update(**also)

        api().post(ASK, {"email_address": "ann@example.org"})
        run_jobs()

        assert mail.outbox == []

    def test_sends_an_account_five_mails_an_hour_at_most(self, api, ann, one_window):
        statuses = [
            api().post(ASK, {"email_address": "ann@example.org"}).status_code for _ in range(7)
        ]

        assert statuses == [202] * 5 + [429] * 2

    def test_tries_again_while_the_mail_server_is_away(self, api, ann, settings):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

        api().post(ASK, {"email_address": "ann@example.org"})
        run_jobs()

        job = Job.objects.get()
        assert (job.state, job.attempts) == (JobState.QUEUED, 1)
        assert job.not_before is not None

    def test_asks_for_an_address(self, api):
        assert api().post(ASK, {}).status_code == 400


class TestResetPassword:
    def test_is_good_once(self, api, ann):
        token = reset_token(ann)
        api().post(RESET, {"token": token, "new_password": NEW})

        again = api().post(RESET, {"token": token, "new_password": "yet another pile"})

        assert (again.status_code, again.json()["message"]) == (400, GONE)
        ann.refresh_from_db()
        assert ann.check_password(NEW)

    def test_is_good_for_an_hour(self, api, ann, settings):
        token = reset_token(ann)
        settings.PASSWORD_RESET_TIMEOUT = -1

        assert api().post(RESET, {"token": token, "new_password": NEW}).json()["message"] == GONE

    @pytest.mark.parametrize("change", ["password", "email_address", "is_active", "is_demo"])
    def test_is_not_good_after_the_account_changed(self, api, ann, change):
        token = reset_token(ann)
        value = {
            "password": "x",
            "email_address": "x@example.org",
            "is_active": False,
            "is_demo": True,
        }[change]
        User.objects.update(**{change: value})
        before = User.objects.values().get()

        assert api().post(RESET, {"token": token, "new_password": NEW}).json()["message"] == GONE

        assert User.objects.values().get() == before

    @pytest.mark.parametrize(
        "token",
        ["x", ".", "MQ.", ".x-y", "MQ.c-0", "99999.x", "%00.x", "!!!.x", "w6k.x", "MTIz" * 40],
    )
    def test_refuses_what_is_no_token(self, api, ann, token):
        response = api().post(RESET, {"token": token, "new_password": NEW})

        assert (response.status_code, response.json()["message"]) == (400, GONE)

    def test_refuses_the_token_of_somebody_else(self, api, ann, bo):
        mine, theirs = reset_token(ann), reset_token(bo)
        mixed = f"{theirs.partition('.')[0]}.{mine.partition('.')[2]}"

        assert api().post(RESET, {"token": mixed, "new_password": NEW}).json()["message"] == GONE

        bo.refresh_from_db()
        assert bo.check_password(PASSWORD)

    def test_refuses_a_weak_password_and_stays_good(self, api, ann):
        token = reset_token(ann)

        weak = api().post(RESET, {"token": token, "new_password": "short"})

        assert list(weak.json()["meta"]["error"]["fields"]) == ["new_password"]
        assert api().post(RESET, {"token": token, "new_password": NEW}).status_code == 200

    @pytest.mark.django_db(transaction=True)
    def test_sets_one_password_when_a_link_is_used_eight_times_at_once(self, ann):
        token = reset_token(ann)

        def act(number):
            try:
                reset_password(token=token, new_password=f"pile of bricks {number}", now=now())
            except ResetRefused:
                return False
            return True

        done = at_once(act, threads=8)

        ann.refresh_from_db()
        assert done.count(True) == 1
        assert ann.check_password(f"pile of bricks {done.index(True)}")
        assert RefreshGrant.objects.count() == 0


CHECK = "/api/users/check-password"


class TestCheckPassword:
    """What sign-up, reset and change of a password ask before they send."""

    def told(self, client, **given):
        response = client.post(CHECK, given)
        assert response.status_code == 200, response.json()
        return [row["message"] for row in response.json()["data"]]

    def test_says_what_signing_up_would_say(self, api):
        for password in ("abc", "12345678", "password", "ann-example", PASSWORD):
            form = {"email_address": "ann-example@example.org", "name": "Bob", "password": password}
            told = self.told(api(), **form)
            if told:
                refusal = api().post("/api/users/register", form).json()["meta"]["error"]
                assert refusal["fields"]["password"] == told
            assert bool(told) == (password != PASSWORD)

    @pytest.mark.parametrize(
        "password",
        [" " * 8, "\u00a0\u200b" * 4, "\u3164" * 9, "brickstow", "BrickStow1", "brick-stow 2026!"],
    )
    def test_refuses_blanks_and_the_products_name(self, api, password):
        (weakness,) = api().post(CHECK, {"password": password}, format="json").json()["data"]

        assert weakness["message"].startswith("The password ")

    def test_knows_whose_password_a_link_of_a_mail_sets(self, api, ann):
        User.objects.filter(pk=ann.pk).update(name="Annabella Steinbruch")
        token = reset_token(User.objects.get(pk=ann.pk))

        (told,) = self.told(api(), password="annabella-steinbruch", token=token)
        assert "name" in told
        for wrong in ("", "x", f"{token}x", "MQ.c0-ffee"):
            assert self.told(api(), password="annabella-steinbruch", token=wrong) == []

    def test_asks_no_account_for_an_address_and_stores_nothing(self, api, ann, caplog):
        given = {"password": "Blue7-plates", "email_address": ann.email_address, "name": ""}
        client = api()
        queries, told = count_queries(lambda: self.told(client, **given))

        assert (queries, told) == (1, [])  # its limit, counted
        assert "Blue7-plates" not in caplog.text

    def test_has_a_limit_of_its_own(self, api, one_window):
        client = api()
        given = {"password": "abc"}
        statuses = [client.post(CHECK, given).status_code for _ in range(61)]

        assert statuses == [200] * 60 + [429]
        assert client.post("/api/users/forgot-password", {"email_address": "x"}).status_code == 202
