import pytest

from apps.marketplace.models import CallDay, MarketplaceConnection
from apps.marketplace.tests.factories import failing, make_part, secrets_named

ADDRESS = "/api/marketplaceConnection"
REFRESHES = "/api/marketplace/priceRefreshes"


def told(name="ann", **other):
    secrets = secrets_named(name)
    return {field: getattr(secrets, field) for field in secrets.__slots__} | other


@pytest.fixture
def client(api, ann, store):
    client = api(ann)
    client.raise_request_exception = False
    return client


@pytest.mark.django_db
class TestConnection:
    def test_is_none_at_first(self, client):
        (row,) = client.get(ADDRESS).json()["data"]

        assert (row["state"], row["connectedAt"], row["is_demo"]) == ("none", None, True)
        assert row["marketplace_name"] == "Demo store"

    def test_takes_the_secrets_and_never_gives_them_back(self, client, store):
        store.sellers.register("ann")

        put = client.put(ADDRESS, told(), format="json")
        answers = [put, client.get(ADDRESS), client.post(f"{ADDRESS}/test")]

        assert [answer.json()["data"][0]["state"] for answer in answers] == [
            "untested",
            "untested",
            "ok",
        ]
        text = "".join(answer.content.decode() for answer in answers)
        assert not any(secret in text for secret in told().values())

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("consumer_key", ""),
            ("consumer_secret", " "),
            ("token", "short"),
            ("token_secret", "has blanks in it"),
            ("token", "x" * 129),
            ("token", None),
            ("token_secret", "ümlaut-and-more"),
        ],
    )
    def test_refuses_what_is_no_secret_and_does_not_repeat_it(self, client, field, value):
        answer = client.put(ADDRESS, told(**{field: value}), format="json")

        assert answer.status_code == 400
        assert list(answer.json()["meta"]["error"]["fields"]) == [field]
        assert len(value or "") < 6 or value not in answer.content.decode()
        assert not MarketplaceConnection.objects.exists()

    def test_tells_that_secrets_are_refused(self, client):
        client.put(ADDRESS, told("nobody"), format="json")

        (row,) = client.post(f"{ADDRESS}/test").json()["data"]

        assert row["state"] == "refused"
        assert "does not know this ConsumerKey" in row["problem"]

    def test_tells_the_address_to_register(self, client, store):
        client.post(f"{ADDRESS}/demo")
        failing(store, "unauthorized_in_200")

        (row,) = client.post(f"{ADDRESS}/test").json()["data"]

        assert (row["state"], row["outgoing_address"]) == ("refused", "203.0.113.9")

    def test_says_502_where_a_page_came_and_504_where_nothing_did(
        self, client, store, no_pauses, monkeypatch
    ):
        monkeypatch.setattr("apps.marketplace.services.connections.TEST_READ_SECONDS", 0.05)
        client.post(f"{ADDRESS}/demo")
        failing(store, "html", times=3)
        page = client.post(f"{ADDRESS}/test")
        failing(store, "slow", times=3, seconds=0.3)

        slow = client.post(f"{ADDRESS}/test")

        assert (page.status_code, slow.status_code) == (502, 504)
        assert page.json()["meta"]["error"]["code"] == "UPSTREAM_ERROR"
        assert "a page for people" in page.json()["message"]
        assert slow.json()["meta"]["error"]["code"] == "UPSTREAM_TIMEOUT"
        assert CallDay.objects.get().total == 6  # counted, though refused

    def test_needs_a_connection_to_test(self, client):
        answer = client.post(f"{ADDRESS}/test")

        assert (answer.status_code, answer.json()["meta"]["error"]["code"]) == (409, "CONFLICT")

    def test_is_forgotten_on_request_as_often_as_one_likes(self, client):
        client.post(f"{ADDRESS}/demo")

        for _ in range(2):
            (row,) = client.delete(ADDRESS).json()["data"]
            assert row["state"] == "none"
        assert not MarketplaceConnection.objects.exists()

    def test_shows_the_calls_of_today_by_kind(self, client, settings):
        settings.MARKETPLACE_DAILY_CALLS = 100
        client.post(f"{ADDRESS}/demo")
        client.post(f"{ADDRESS}/test")

        (row,) = client.get(ADDRESS).json()["data"]

        calls = row["calls"]
        assert (calls["used"], calls["limit"]) == (1, 100)
        assert {each["kind"]: (each["used"], each["left"]) for each in calls["kinds"]} == {
            "stock": (0, 95),
            "note": (0, 71),
            "price": (0, 49),
            "lookup": (1, 39),
        }

    def test_is_each_persons_own(self, client, api, bo):
        client.post(f"{ADDRESS}/demo")

        (row,) = api(bo).get(ADDRESS).json()["data"]

        assert row["state"] == "none"

    def test_tells_when_the_days_calls_are_used(self, client, settings):
        settings.MARKETPLACE_DAILY_CALLS = 0
        client.post(f"{ADDRESS}/demo")

        answer = client.post(f"{ADDRESS}/test")

        assert (answer.status_code, answer.json()["meta"]["error"]["code"]) == (
            429,
            "RATE_LIMITED",
        )


@pytest.mark.django_db
class TestPriceRefreshes:
    def test_start_a_job(self, client):
        lot = make_part()

        answer = client.post(REFRESHES, {"lot_ids": [lot.pk]}, format="json")

        (job,) = answer.json()["data"]
        assert (answer.status_code, job["kind"], job["state"], job["total"]) == (
            202,
            "marketplace.refresh_prices",
            "queued",
            1,
        )

    @pytest.mark.parametrize("lots", [None, [], [0], ["x"], [2**70], "all", [10**12]])
    def test_are_refused_without_lots(self, client, lots):
        answer = client.post(REFRESHES, {"lot_ids": lots}, format="json")

        assert answer.status_code == 400
        assert any(
            field.startswith("lot_ids") for field in answer.json()["meta"]["error"]["fields"]
        )

    def test_say_that_no_store_is_connected(self, client, settings):
        settings.MARKETPLACE_IS_DEMO = False

        answer = client.post(REFRESHES, {"lot_ids": [make_part().pk]}, format="json")

        assert answer.status_code == 409
        assert answer.json()["message"].startswith("Connect your store first")


@pytest.mark.django_db
class TestAdmin:
    def test_never_shows_the_secrets(self, client, staff, admin_client):
        client.post(f"{ADDRESS}/demo")
        connection = MarketplaceConnection.objects.get()

        page = admin_client.get(f"/admin/marketplace/marketplaceconnection/{connection.pk}/change/")

        assert page.status_code == 200
        assert connection.sealed not in page.content.decode()
