"""The owner of an account is sent a mail of what somebody else may have done with it."""

import pytest
from django.core import mail
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.services.password_reset import reset_password, reset_token
from apps.accounts.tests.factories import PASSWORD
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs

pytestmark = pytest.mark.django_db
NEW = "another pile of bricks"
ANN = {"email_address": " Ann@example.org", "password": PASSWORD}
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"


@pytest.fixture
def with_mail(settings, ann):
    settings.MAIL_IS_SENT = True
    settings.PUBLIC_URL = "https://shop.example.org"
    User.objects.update(email_confirmed_at=now())
    ann.refresh_from_db()


def sign_in(client, **given):
    answer = client.post(
        "/api/users/login", {**ANN, **given}, format="json", headers={"user-agent": FIREFOX}
    )
    run_jobs()
    return answer.status_code


@pytest.mark.usefixtures("with_mail")
class TestANewDevice:
    def test_is_reported_once(self, ann):
        client = APIClient()

        assert [sign_in(client), sign_in(client)] == [200, 200]

        (message,) = mail.outbox
        assert (message.to, message.subject) == (["ann@example.org"], "A new sign-in at Brickstow")
        assert "Firefox on Linux" in message.body
        assert "https://shop.example.org/app/profile" in message.body

    def test_that_made_the_account_is_not_new(self, ann):
        client = APIClient()
        made = {"email_address": "cleo@example.org", "password": NEW, "name": "Cleo"}
        client.post("/api/users/register", made, format="json")
        User.objects.update(email_confirmed_at=now())

        sign_in(client, email_address="cleo@example.org", password=NEW)

        assert [one for one in mail.outbox if "sign-in" in one.subject] == []

    def test_with_a_wrong_password_is_not_reported(self):
        assert sign_in(APIClient(), password="wrong one") == 401
        assert mail.outbox == []


@pytest.mark.usefixtures("with_mail")
class TestANewPassword:
    def test_is_reported_where_it_is_changed(self, api, ann):
        given = {"current_password": PASSWORD, "new_password": NEW}

        assert api(ann).post("/api/users/change-password", given).status_code == 200
        run_jobs()

        (message,) = mail.outbox
        assert message.subject == "Your password for Brickstow was changed"
        assert "https://shop.example.org/signin" in message.body

    def test_is_reported_where_it_is_set_by_a_link(self, ann):
        reset_password(token=reset_token(ann), new_password=NEW, now=now())
        run_jobs()

        assert [message.to for message in mail.outbox] == [["ann@example.org"]]


class TestNobody:
    @pytest.mark.parametrize(
        ("also", "is_sent"),
        [({"email_confirmed_at": None}, True), ({"is_demo": True}, True), ({}, False)],
        ids=["unconfirmed", "shared", "no mail"],
    )
    def test_is_sent_a_mail_that_must_not_be(self, with_mail, settings, ann, also, is_sent):
        settings.MAIL_IS_SENT = is_sent
        User.objects.update(**also)

        sign_in(APIClient())

        assert mail.outbox == []
        assert not Job.objects.exists()
