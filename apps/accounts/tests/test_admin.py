import pytest
from django.contrib.auth import authenticate
from django.test import RequestFactory

from apps.accounts.models import User
from apps.accounts.tests.factories import PASSWORD
from apps.core.clock import now
from apps.core.throttling import RateWindow

pytestmark = pytest.mark.django_db


class TestTheAdminsDoor:
    def test_opens_to_staff(self, client, staff):
        response = client.post(
            "/admin/login/?next=/admin/",
            {"username": "Staff@example.org", "password": PASSWORD},
        )

        assert (response.status_code, response.headers["Location"]) == (302, "/admin/")
        assert client.get("/admin/accounts/user/").status_code == 200

    @pytest.mark.parametrize("who", ["ann", "nobody"])
    def test_stays_shut_to_everybody_else(self, client, ann, who):
        response = client.post(
            "/admin/login/", {"username": f"{who}@example.org", "password": PASSWORD}
        )

        assert response.status_code == 200
        assert client.get("/admin/").status_code == 302

    def test_counts_its_tries_with_those_of_the_api(self, client, api, staff):
        while True:
            RateWindow.objects.all().delete()
            minute = int(now().timestamp()) // 60
            for _ in range(5):
                api().post(
                    "/api/users/login",
                    {"email_address": staff.email_address, "password": "wrong"},
                )
            response = client.post(
                "/admin/login/", {"username": staff.email_address, "password": PASSWORD}
            )
            if int(now().timestamp()) // 60 == minute:
                break

        assert response.status_code == 200
        assert client.get("/admin/").status_code == 302

    def test_takes_no_half_credentials(self):
        request = RequestFactory().post("/admin/login/")

        assert authenticate(request, username="x") is None
        assert RateWindow.objects.count() == 0


class TestAccountAdmin:
    def test_shows_finds_and_makes_accounts(self, client, staff, ann):
        client.force_login(staff)

        assert b"ann@example.org" in client.get("/admin/accounts/user/?q=ann").content
        assert client.get(f"/admin/accounts/user/{ann.pk}/change/").status_code == 200
        made = client.post(
            "/admin/accounts/user/add/",
            {
                "email_address": "Cleo@Example.org",
                "name": "Cleo",
                "usable_password": "true",
                "password1": "bricks by the kilo",
                "password2": "bricks by the kilo",
            },
        )
        assert made.status_code == 302, made.context["adminform"].form.errors
        assert User.objects.get(name="Cleo").email_address == "cleo@example.org"
