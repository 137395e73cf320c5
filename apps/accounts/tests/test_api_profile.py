import datetime as dt

import pytest

from apps.accounts.models import Preferences, User

pytestmark = pytest.mark.django_db

ME = "/api/users/me"
PREFERENCES = "/api/preferences"


class TestMe:
    def test_tells_who_is_signed_in(self, api, ann):
        (row,) = api(ann).get(ME).json()["data"]

        assert (row["id"], row["email_address"], row["name"]) == (ann.pk, "ann@example.org", "Ann")

    def test_changes_the_name_and_nothing_else(self, api, ann, bo):
        response = api(ann).patch(
            ME, {"name": "Anna", "email_address": "x@example.org", "is_staff": True, "id": bo.pk}
        )

        (row,) = response.json()["data"]
        assert (response.status_code, row["name"], row["id"]) == (200, "Anna", ann.pk)
        ann.refresh_from_db()
        bo.refresh_from_db()
        assert (ann.name, ann.email_address, ann.is_staff) == ("Anna", "ann@example.org", False)
        assert bo.name == "Bo"

    def test_keeps_what_auctions_and_formats_need(self, api, ann):
        fields = {
            "bidder_name": "bricks4me",
            "zip_code": "10115",
            "units": "oz",
            "time_zone": "Europe/Berlin",
        }

        (row,) = api(ann).patch(ME, fields).json()["data"]

        assert {name: row[name] for name in fields} == fields
        assert User.objects.filter(pk=ann.pk, **fields).exists()

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("zip_code", "1" * 13),
            ("zip_code", "<b>"),
            ("units", "stone"),
            ("time_zone", "Europe/Atlantis"),
            ("time_zone", "../etc/passwd"),
            ("bidder_name", "x" * 101),
        ],
    )
    def test_refuses_beside_the_field_what_cannot_be(self, api, ann, field, value):
        response = api(ann).patch(ME, {field: value, "name": "Anna"})

        assert response.status_code == 400
        assert set(response.json()["meta"]["error"]["fields"]) == {field}
        ann.refresh_from_db()
        assert (ann.name, ann.zip_code, ann.units, ann.time_zone) == ("Ann", "", "g", "")

    @pytest.mark.parametrize("name", ["", " ", None, "x" * 151, "a\x00b", [], {}])
    def test_refuses_a_name_that_is_none(self, api, ann, name):
        assert api(ann).patch(ME, {"name": name}).status_code == 400

        ann.refresh_from_db()
        assert ann.name == "Ann"

    def test_refuses_a_change_of_what_changed_meanwhile(self, api, ann):
        (seen,) = api(ann).get(ME).json()["data"]
        User.objects.filter(pk=ann.pk).update(
            name="Elsewhere", updated_at=ann.updated_at + dt.timedelta(seconds=1)
        )
        ann.refresh_from_db()

        response = api(ann).patch(ME, {"name": "Anna", "updatedAt": seen["updatedAt"]})

        body = response.json()
        assert (response.status_code, body["error"]["code"]) == (409, "CONFLICT")
        assert body["data"][0]["name"] == "Elsewhere"
        again = api(ann).patch(ME, {"name": "Anna", "updatedAt": body["data"][0]["updatedAt"]})
        assert again.status_code == 200

    def test_leaves_the_demo_account_alone(self, api, ann):
        User.objects.update(is_demo=True)
        ann.refresh_from_db()

        assert api(ann).patch(ME, {"name": "Rude"}).status_code == 403

        ann.refresh_from_db()
        assert ann.name == "Ann"


class TestPreferences:
    def test_tells_the_defaults_on_first_use(self, api, ann):
        Preferences.objects.all().delete()

        (row,) = api(ann).get(PREFERENCES).json()["data"]

        row.pop("updatedAt")
        assert row == {
            "currency": "USD",
            "last_sold_recent_days": 30,
            "last_sold_moderate_days": 180,
            "inventory_views": [],
        }

    def test_keeps_the_persons_own_views(self, api, ann):
        views = [{"name": "Dear and old", "query": "price_min=5&ordering=-price"}]

        (row,) = api(ann).patch(PREFERENCES, {"inventory_views": views}).json()["data"]

        assert row["inventory_views"] == views
        assert api(ann).get(PREFERENCES).json()["data"][0]["inventory_views"] == views

    def test_changes_some(self, api, ann, bo):
        response = api(ann).patch(PREFERENCES, {"currency": "CHF", "user": bo.pk})

        (row,) = response.json()["data"]
        assert (response.status_code, row["currency"]) == (200, "CHF")
        assert row["last_sold_recent_days"] == 30
        assert Preferences.objects.get(user=bo).currency == "EUR"

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"currency": "XXX"}, "currency"),
            ({"currency": None}, "currency"),
            ({"last_sold_recent_days": 0}, "last_sold_recent_days"),
            ({"last_sold_recent_days": 181}, "last_sold_recent_days"),
            ({"last_sold_moderate_days": 29}, "last_sold_recent_days"),
            ({"last_sold_moderate_days": 10**30}, "last_sold_moderate_days"),
            ({"inventory_views": [{"name": "Dear"}]}, "inventory_views.0.query"),
            ({"inventory_views": [{"name": "x" * 41, "query": ""}]}, "inventory_views.0.name"),
            ({"inventory_views": [{"name": "x", "query": ""}] * 31}, "inventory_views"),
            (
                {"inventory_views": [{"name": one, "query": ""} for one in ("Dear", "dear")]},
                "inventory_views",
            ),
            ({"updatedAt": ""}, "updatedAt"),
            ({"updatedAt": "yesterday"}, "updatedAt"),
            ({"updatedAt": "2026-01-31"}, "updatedAt"),
            ({"updatedAt": "2026-01-31T12:00:00"}, "updatedAt"),
            ({"updatedAt": 7}, "updatedAt"),
        ],
        ids=str,
    )
    def test_refuses_what_is_none(self, api, ann, change, field):
        before = Preferences.objects.values().get()

        response = api(ann).patch(PREFERENCES, change)

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == [field]
        assert Preferences.objects.values().get() == before

    def test_refuses_a_change_of_what_changed_meanwhile(self, api, ann):
        (seen,) = api(ann).get(PREFERENCES).json()["data"]
        api(ann).patch(PREFERENCES, {"currency": "CHF"})

        response = api(ann).patch(PREFERENCES, {"currency": "GBP", "updatedAt": seen["updatedAt"]})

        assert response.status_code == 409
        assert response.json()["data"][0]["currency"] == "CHF"
        assert Preferences.objects.get().currency == "CHF"

    def test_takes_only_blanks_of_json_for_an_empty_body(self, api, ann):
        def change(body):
            return api(ann).generic("PATCH", PREFERENCES, body, content_type="application/json")

        assert change(b" \r\n").status_code == 200
        assert change(b"\x0b").status_code == 400
