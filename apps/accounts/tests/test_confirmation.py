"""An address is confirmed by a link; until then it gets no other mail."""

import datetime as dt
import re

import pytest
from django.core import mail
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.services import confirmation
from apps.accounts.services.confirmation import confirmation_token
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs

pytestmark = pytest.mark.django_db

REGISTER = "/api/users/register"
CONFIRM = "/api/users/confirm-address"
AGAIN = "/api/users/send-confirmation"
FORGOT = "/api/users/forgot-password"
GONE = "This link is no longer good. Please have another one sent from your profile."
CLEO = {
    "email_address": "cleo@example.org",
    "password": "a heap of bricks",
    "name": "Cleo",
}


@pytest.fixture
def with_mail(settings):
    settings.MAIL_IS_SENT = True
    settings.PUBLIC_URL = "https://shop.example.org"


def token_in(message):
    return re.search(r"https://shop\.example\.org/signin\?confirm=(\S+)", message.body)[1]


@pytest.mark.usefixtures("with_mail")
class TestWithMail:
    def test_a_new_account_is_sent_a_link_that_confirms_it(self, api):
        made = api().post(REGISTER, CLEO)
        assert made.status_code == 201
        user = made.json()["data"][0]["user"]
        assert user["is_address_confirmed"] is False
        run_jobs()
        (message,) = mail.outbox
        assert (message.to, message.subject) == (
            ["cleo@example.org"],
            "Please confirm your address at Brickstow",
        )

        answer = api().post(CONFIRM, {"token": token_in(message)})

        assert (answer.status_code, answer.json()["message"]) == (
            200,
            "Your address is confirmed.",
        )
        cleo = User.objects.get()
        assert cleo.email_confirmed_at is not None
        assert api(cleo).get("/api/users/me").json()["data"][0]["is_address_confirmed"] is True

    def test_an_unconfirmed_address_is_sent_that_link_only(self, api, ann):
        api().post(FORGOT, {"email_address": ann.email_address})
        run_jobs()
        (message,) = mail.outbox
        assert "reset" not in message.body
        api().post(CONFIRM, {"token": token_in(message)})

        api().post(FORGOT, {"email_address": ann.email_address})
        run_jobs()

        assert "/signin?reset=" in mail.outbox[1].body

    def test_no_text_of_a_person_stands_in_a_mail(self, api, ann):
        User.objects.update(name="Win a prize: evil.example", email_confirmed_at=now())

        api().post(FORGOT, {"email_address": ann.email_address})
        run_jobs()

        (message,) = mail.outbox
        assert "prize" not in message.body + message.subject

    def test_it_is_sent_again_on_request_until_it_is_confirmed(self, api, ann):
        answer = api(ann).post(AGAIN)
        run_jobs()

        assert answer.status_code == 202
        assert answer.json()["message"] == "A link is on its way to ann@example.org."
        assert len(mail.outbox) == 1
        confirmation.confirm_address(token=token_in(mail.outbox[0]), now=now())
        api(User.objects.get()).post(AGAIN)
        run_jobs()
        assert len(mail.outbox) == 1

    def test_it_is_sent_five_times_an_hour_at_most(self, api, ann, one_window):
        statuses = [api(ann).post(AGAIN).status_code for _ in range(7)]

        assert statuses == [202] * 5 + [429] * 2

    @pytest.mark.parametrize("token", ["x", "x" * 500, "WzEsImEiXQ:1x:abc"])
    def test_a_token_that_is_none_is_refused(self, api, ann, token):
        answer = api().post(CONFIRM, {"token": token})

        assert (answer.status_code, answer.json()["message"]) == (400, GONE)
        assert User.objects.get().email_confirmed_at is None

    def test_a_link_is_good_for_a_week_and_for_its_address(self, api, ann, monkeypatch):
        token = confirmation_token(ann)
        monkeypatch.setattr(confirmation, "GOOD_FOR", dt.timedelta(seconds=-1))
        assert api().post(CONFIRM, {"token": token}).json()["message"] == GONE
        monkeypatch.undo()
        User.objects.update(email_address="other@example.org")

        assert api().post(CONFIRM, {"token": token}).json()["message"] == GONE


class TestWithoutMail:
    def test_nobody_is_asked_to_confirm(self, api):
        made = APIClient().post(REGISTER, CLEO)

        assert made.json()["data"][0]["user"]["is_address_confirmed"] is True
        assert not Job.objects.exists()

    def test_the_link_for_a_new_password_is_printed_for_the_operator(
        self, api, ann, settings, capsys
    ):
        settings.PUBLIC_URL = "http://localhost:9500"

        api().post(FORGOT, {"email_address": ann.email_address})
        run_jobs()

        assert re.search(
            r"^A new password for Brickstow, for ann@example\.org: "
            r"http://localhost:9500/signin\?reset=\w+\.[\w-]+$",
            capsys.readouterr().out,
            re.MULTILINE,
        )
        assert mail.outbox == []

    def test_a_server_in_production_prints_no_link(self, api, ann, settings, capsys, caplog):
        settings.PRODUCTION = True

        api().post(FORGOT, {"email_address": ann.email_address})
        run_jobs()

        assert "reset=" not in capsys.readouterr().out + caplog.text
        assert "EMAIL_URL is not set" in caplog.text
