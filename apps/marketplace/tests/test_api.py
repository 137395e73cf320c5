import pytest

from apps.catalog.tests.factories import make_color
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.inventory.tests.factories import make_stock
from apps.marketplace.models import CallDay, MarketplaceConnection, PriceWant
from apps.marketplace.tests.factories import failing, make_part, secrets_named, wait_for_late_calls

ADDRESS = "/api/marketplaceConnection"
RUN = "/api/marketplace/priceRun"
LOOK_UPS = "/api/marketplace/itemLookups"
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

    @pytest.mark.parametrize(
        ("given", "fields"),
        [
            ({"marketplace": "brickowl"}, {"key"}),
            ({"marketplace": "elsewhere", "key": "k" * 20}, {"marketplace"}),
            ({"key": "k" * 20, **told()}, {"key"}),
            ({"marketplace": "brickowl", "key": "k" * 20, "token": "t" * 20}, {"token"}),
        ],
    )
    def test_takes_all_secrets_of_one_marketplace_and_no_others(self, client, given, fields):
        answer = client.put(ADDRESS, given, format="json")

        assert answer.status_code == 400
        assert set(answer.json()["meta"]["error"]["fields"]) == fields
        assert not MarketplaceConnection.objects.exists()

    def test_takes_the_key_of_another_marketplace(self, client):
        key = {"marketplace": "brickowl", "key": "k" * 20}

        (row,) = client.put(ADDRESS, key, format="json").json()["data"]

        assert (row["marketplace"], row["state"]) == ("brickowl", "untested")

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
        client.post(f"{ADDRESS}/demo")
        failing(store, "html", times=3)
        page = client.post(f"{ADDRESS}/test")
        monkeypatch.setattr("apps.marketplace.services.connections.TEST_READ_SECONDS", 0.05)
        failing(store, "slow", times=3, seconds=0.3)

        slow = client.post(f"{ADDRESS}/test")

        assert (page.status_code, slow.status_code) == (502, 504)
        wait_for_late_calls(store, left=0)
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

    def test_is_one_of_several_where_the_marketplace_is_named(self, client, owl):
        client.post(f"{ADDRESS}/demo")
        client.post(f"{ADDRESS}/demo", {"marketplace": "brickowl"})

        (first,) = client.get(ADDRESS).json()["data"]
        (second,) = client.get(ADDRESS, {"marketplace": "brickowl"}).json()["data"]

        assert (first["marketplace"], second["marketplace"]) == ("bricklink", "brickowl")
        assert [each["state"] for each in first["choices"]] == ["untested", "untested"]
        client.delete(f"{ADDRESS}?marketplace=brickowl")
        assert [each.marketplace for each in MarketplaceConnection.objects.all()] == ["bricklink"]

    def test_is_at_no_marketplace_that_there_is_not(self, client):
        answer = client.get(ADDRESS, {"marketplace": "ebay"})

        assert answer.status_code == 400
        assert list(answer.json()["meta"]["error"]["fields"]) == ["marketplace"]

    def test_shows_the_calls_of_today_by_kind(self, client, settings):
        settings.MARKETPLACE_DAILY_CALLS = 100
        client.post(f"{ADDRESS}/demo")
        client.post(f"{ADDRESS}/test")

        (row,) = client.get(ADDRESS).json()["data"]

        calls = row["calls"]
        assert (calls["used"], calls["limit"]) == (1, 100)
        assert {each["kind"]: (each["used"], each["left"]) for each in calls["kinds"]} == {
            "stock": (0, 96),
            "note": (0, 92),
            "price": (0, 89),
            "lookup": (1, 85),
            "guide": (0, 79),
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
class TestItemLookUps:
    def unknown(self, owner, number):
        make_color(5)
        fields = {"raw_item_type": "P", "raw_item_number": number, "raw_color_id": 5}
        return make_stock(owner, **fields)

    def test_name_what_the_marketplace_knows_by_one_call(self, client, ann):
        client.post(f"{ADDRESS}/demo")
        row = self.unknown(ann, "11090")

        answer = client.post(LOOK_UPS, {"id": row.pk}, format="json")

        assert answer.json()["data"][0]["item_count"] == 1
        row.refresh_from_db()
        assert row.lot.item.name == "Bar Holder with Clip"
        assert client.get(ADDRESS).json()["data"][0]["calls"]["used"] == 1

    def test_say_that_the_marketplace_does_not_know_it_either(self, client, ann):
        client.post(f"{ADDRESS}/demo")

        answer = client.post(LOOK_UPS, {"id": self.unknown(ann, "my lamp").pk}, format="json")

        assert (answer.status_code, answer.json()["message"][:38]) == (
            409,
            "The marketplace does not know my lamp ",
        )

    def test_need_a_connection_and_a_row_of_ones_own(self, client, ann, bo):
        for row, status in ((self.unknown(ann, "x1"), 409), (self.unknown(bo, "x1"), 400)):
            assert client.post(LOOK_UPS, {"id": row.pk}, format="json").status_code == status


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
class TestPriceRun:
    def row(self, answer, status=202):
        assert answer.status_code == status, answer.json()
        (row,) = answer.json()["data"]
        return row

    def test_gets_the_prices_of_lots(self, client):
        lots = [{"lot_id": make_part(number).pk, "condition": "U"} for number in ("3001", "3002")]

        row = self.row(client.post(RUN, {"lots": lots}, format="json"))

        assert (row["lots_wanted"], row["lots_known"], row["lots_unknown"]) == (2, 0, 0)
        assert (row["state"], row["lots_done"], row["lots_left"]) == ("queued", 0, 2)
        run_jobs()
        row = self.row(client.get(RUN), 200)
        assert (row["state"], row["lots_done"], row["lots_left"]) == ("succeeded", 2, 0)
        assert row["expectedAt"] is None
        row = self.row(client.post(RUN, {"lots": lots}, format="json"))
        assert (row["lots_wanted"], row["lots_known"]) == (0, 2)

    def test_gets_the_prices_of_rows_of_stock(self, client, ann, bo):
        first, second = make_part("3001"), make_part("3002")
        row = make_stock(ann, first, condition="N")
        make_stock(ann, second, condition="U")
        make_stock(bo, make_part("3003"))

        told = self.row(client.post(RUN, {"ids": [row.pk]}, format="json"))
        assert told["lots_wanted"] == 1
        told = self.row(client.post(RUN, {"filter": {"condition": "U"}}, format="json"))
        assert told["lots_wanted"] == 1

        assert set(PriceWant.objects.values_list("lot_id", "condition")) == {
            (first.pk, "N"),
            (second.pk, "U"),
        }

    def test_goes_on_with_what_is_left(self, client, ann):
        lot = make_part()
        client.post(RUN, {"lots": [{"lot_id": lot.pk, "condition": "U"}]}, format="json")
        Job.objects.update(state="failed")

        row = self.row(client.post(RUN, {}, format="json"))

        assert (row["state"], row["lots_left"]) == ("queued", 1)

    def test_is_stopped(self, client):
        lot = make_part()
        client.post(RUN, {"lots": [{"lot_id": lot.pk, "condition": "U"}]}, format="json")

        row = self.row(client.delete(RUN), 200)

        assert (row["state"], row["lots_left"]) == ("cancelled", 0)
        assert self.row(client.delete(RUN), 200)["lots_left"] == 0

    @pytest.mark.parametrize(
        "body",
        [
            {"lots": [{"lot_id": 0, "condition": "U"}]},
            {"lots": [{"lot_id": 1, "condition": "X"}]},
            {"lots": [], "ids": [1]},
            {"ids": []},
            {"filter": {"nonsense": 1}},
            {"lots": "all"},
        ],
    )
    def test_refuses_what_names_no_lots(self, client, body):
        assert client.post(RUN, body, format="json").status_code == 400
        assert not PriceWant.objects.exists()

    def test_is_each_persons_own(self, client, api, bo):
        lot = make_part()
        client.post(RUN, {"lots": [{"lot_id": lot.pk, "condition": "U"}]}, format="json")

        assert self.row(api(bo).get(RUN), 200)["lots_left"] == 0
        api(bo).delete(RUN)
        assert PriceWant.objects.count() == 1

    def test_keeps_to_the_share_that_is_set(self, client, settings):
        settings.MARKETPLACE_DAILY_CALLS = 1_000
        client.post(f"{ADDRESS}/demo")

        row = self.row(client.patch(ADDRESS, {"guide_share": 30}, format="json"), 200)

        assert row["guide_share"] == 30
        told = self.row(client.get(RUN), 200)
        assert (told["share"], told["calls_a_day"], told["calls_left_today"]) == (30, 300, 300)

    @pytest.mark.parametrize("share", [0, 81, "x", None])
    def test_refuses_a_share_that_leaves_no_calls(self, client, share):
        client.post(f"{ADDRESS}/demo")

        answer = client.patch(ADDRESS, {"guide_share": share}, format="json")

        assert answer.status_code == 400
        assert "guide_share" in answer.json()["meta"]["error"]["fields"]

    def test_says_that_no_store_is_connected(self, client, settings):
        settings.MARKETPLACE_IS_DEMO = False
        body = {"lots": [{"lot_id": make_part().pk, "condition": "U"}]}

        for answer in (
            client.post(RUN, body, format="json"),
            client.patch(ADDRESS, {"guide_share": 30}, format="json"),
        ):
            assert answer.status_code == 409
            assert answer.json()["message"].startswith("Connect your store first")


@pytest.mark.django_db
class TestPause:
    def test_leaves_the_named_store_out_of_syncs_until_it_is_resumed(self, client, owl):
        client.post(f"{ADDRESS}/demo")
        client.post(f"{ADDRESS}/demo", {"marketplace": "brickowl"}, format="json")
        second = f"{ADDRESS}?marketplace=brickowl"

        (paused,) = client.patch(second, {"is_paused": True}, format="json").json()["data"]
        (first,) = client.get(ADDRESS).json()["data"]
        (resumed,) = client.patch(second, {"is_paused": False}, format="json").json()["data"]

        assert (paused["marketplace"], paused["is_paused"]) == ("brickowl", True)
        assert (first["is_paused"], resumed["is_paused"]) == (False, False)
        assert [(one["mark"], one["is_paused"]) for one in first["choices"]] == [
            ("BL", False),
            ("BO", True),
        ]

    @pytest.mark.parametrize("told", [{"is_paused": "x"}, {"is_paused": None}])
    def test_refuses_what_is_neither_yes_nor_no(self, client, told):
        client.post(f"{ADDRESS}/demo")

        answer = client.patch(ADDRESS, told, format="json")

        assert answer.status_code == 400
        assert list(answer.json()["meta"]["error"]["fields"]) == ["is_paused"]

    def test_wants_a_connection(self, client):
        answer = client.patch(ADDRESS, {"is_paused": True}, format="json")

        assert answer.status_code == 409


@pytest.mark.django_db
class TestAdmin:
    def test_never_shows_the_secrets(self, client, staff, admin_client):
        client.post(f"{ADDRESS}/demo")
        connection = MarketplaceConnection.objects.get()

        page = admin_client.get(f"/admin/marketplace/marketplaceconnection/{connection.pk}/change/")

        assert page.status_code == 200
        assert connection.sealed not in page.content.decode()
