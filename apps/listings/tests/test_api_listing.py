"""Listing and sync over HTTP: the app's own routes in front, the demo store behind."""

import pytest

from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.listings.tests.listing import (
    items_of,
    let_a_minute_pass,
    list_items,
    lots_of,
    part,
    stock_of_store,
    stowed,
)
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.tests.factories import secrets_named

LISTINGS = "/api/marketplace/listings"
SYNCS = "/api/marketplace/syncs"
pytestmark = pytest.mark.django_db


@pytest.fixture
def client(api, connected):
    client = api(connected)
    client.raise_request_exception = False
    return client


def post(client, address, body=None):
    return client.post(address, body or {}, format="json")


def job_of(client, answer):
    """Run the job of a response. Return the job from the API."""
    run_jobs()
    job_id = answer.json()["data"][0]["job_id"]
    return client.get(f"/api/jobs/{job_id}").json()["data"][0]


def batch_row(client, batch):
    return client.get(f"/api/batches/{batch.pk}").json()["data"][0]


class TestListing:
    def test_answers_with_the_job_and_shows_that_it_is_pending(self, client, connected, store):
        batch = stowed(connected, 2)

        answer = post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"})

        assert answer.status_code == 202
        (row,) = answer.json()["data"]
        assert row["item_count"] == 2
        shown = batch_row(client, batch)
        assert shown["isListing"] is True
        assert [item["is_listed_pending"] for item in shown["batch_items"]] == [True, True]
        run_jobs()
        shown = batch_row(client, batch)
        assert shown["isListing"] is False
        assert [
            (item["is_listed_pending"], item["is_listed"]) for item in shown["batch_items"]
        ] == [(False, True)] * 2
        assert shown["stats"]["listed_items"] == 6

    def test_tells_what_was_sent(self, client, connected, store):
        list_items(stowed(connected, 1))

        (row,) = client.get(LISTINGS).json()["data"]

        assert (row["kind"], row["state"], row["quantity"], row["price"]) == (
            "create",
            "listed",
            3,
            "0.1000",
        )
        assert row["marketplace_lot_id"] == lots_of(store, connected)[0]["inventory_id"]
        assert client.get(f"{LISTINGS}?state=rejected").json()["data"] == []

    def test_runs_tell_what_each_came_to(self, client, connected, store):
        first = stowed(connected, 2)
        list_items(first)
        second = stowed(connected, 1, first=3010, place="B-01", price=None)
        list_items(second)

        refused, done = client.get(f"{LISTINGS}/runs").json()["data"]

        assert (done["batch_id"], done["batch_name"], done["state"]) == (
            first.pk,
            first.name,
            "succeeded",
        )
        assert (done["item_count"], done["created"], done["failed_count"]) == (2, 2, 0)
        assert (refused["batch_id"], refused["item_count"], refused["failed_count"]) == (
            second.pk,
            0,
            1,
        )
        assert "failed" not in done  # thousands perhaps: its job tells them

    def test_runs_tell_how_far_one_came_that_was_stopped(self, client, connected, settings):
        batch = stowed(connected, 3)
        settings.MARKETPLACE_DAILY_CALLS = 2
        list_items(batch)
        stowed(connected, 1, batch=batch, first=3010, place="B-01")
        post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"})

        waiting, failed = client.get(f"{LISTINGS}/runs").json()["data"]

        assert (failed["state"], failed["item_count"]) == (
            "failed",
            sum(item.is_listed for item in items_of(batch)),
        )
        assert "calls are used" in failed["message"]
        assert (waiting["state"], waiting["item_count"], waiting["finishedAt"]) == (
            "queued",
            None,
            None,
        )
        (row,) = client.get(f"{LISTINGS}/runs?state=failed").json()["data"]
        assert row["id"] == failed["id"]

    def test_runs_cost_the_same_however_many_there_are(
        self, client, connected, django_assert_num_queries
    ):
        for place in ("A-01", "A-02", "A-03"):
            batch = stowed(connected, 1, first=3001, place=place)
            post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"})

        for size in (1, 3):
            with django_assert_num_queries(3):  # count, jobs, names of their batches
                rows = client.get(f"{LISTINGS}/runs?page_size={size}").json()["data"]
            assert len(rows) == size

    def test_runs_refuse_a_state_that_is_none(self, client):
        assert client.get(f"{LISTINGS}/runs?state=perhaps").status_code == 400

    @pytest.mark.parametrize("body", [{}, {"items": []}, {"items": "all", "stockroom": "D"}])
    def test_refuses_what_is_no_choice(self, client, connected, body):
        batch = stowed(connected, 1)

        assert post(client, LISTINGS, {"batch_id": batch.pk, **body}).status_code == 400
        assert not items_of(batch)[0].is_listed_pending

    def test_of_nothing_is_a_conflict(self, client, connected):
        batch = make_batch(connected)

        answer = post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"})

        assert answer.status_code == 409
        assert answer.json()["message"] == "There is nothing in this batch to list."

    def test_of_what_is_being_listed_says_so(self, client, connected):
        batch = stowed(connected, 2)
        body = {"batch_id": batch.pk, "items": "all"}
        post(client, LISTINGS, body)

        everything = post(client, LISTINGS, body)
        one = post(client, LISTINGS, {**body, "items": [items_of(batch)[0].pk]})

        assert (everything.status_code, one.status_code) == (409, 409)
        for answer in (everything, one):
            assert answer.json()["message"] == (
                "What could be listed here is being listed already. Wait for the end of it."
            )
        assert Job.objects.count() == 1

    def test_wants_a_store_where_the_marketplace_is_the_real_one(self, api, ann, store, settings):
        settings.MARKETPLACE_IS_DEMO = False
        batch = stowed(ann, 1)

        answer = post(api(ann), LISTINGS, {"batch_id": batch.pk, "items": "all"})

        assert answer.status_code == 409
        assert answer.json()["message"].startswith("Connect your store first")

    def test_connects_the_demo_store_by_itself(self, api, ann, store):
        batch = stowed(ann, 1)

        assert post(api(ann), LISTINGS, {"batch_id": batch.pk, "items": "all"}).status_code == 202
        run_jobs()
        assert len(lots_of(store, ann)) == 1

    def test_keeps_the_item_until_it_has_ended(self, client, connected):
        batch = stowed(connected, 1)
        (item,) = items_of(batch)
        post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"})

        removed = post(client, f"/api/batches/{batch.pk}/remove", {"items": [item.pk]})
        deleted = client.delete(f"/api/batchItems/{item.pk}?stock=out")

        assert (removed.status_code, deleted.status_code) == (409, 409)
        assert removed.json()["message"] == "It is being listed: wait for the end of it."

    def test_costs_the_same_for_more_items(self, client, connected, django_assert_max_num_queries):
        counts = []
        for count, first, place in ((2, 3001, "A-01"), (40, 4001, "A-02")):
            batch = stowed(connected, count, first=first, place=place)
            with django_assert_max_num_queries(40) as captured:
                post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"})
            counts.append(len(captured))
        assert counts[0] == counts[1]


class TestBadInput:
    """What a seller meets: each ends with a reason that says what to do."""

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"consumer_secret": "WRONG" * 6}, "ConsumerSecret or TokenSecret does not fit"),
            ({"token": "WRONG" * 6}, "does not know this TokenValue"),
            (
                {"swap": ("consumer_secret", "token_secret")},
                "ConsumerSecret or TokenSecret does not fit",
            ),
            ({"swap": ("consumer_key", "token")}, "does not know this ConsumerKey"),
        ],
    )
    def test_secrets_that_are_wrong_or_swapped(self, client, connected, store, change, words):
        seller = f"user-{connected.pk}"
        told = {
            name: getattr(secrets_named(seller), name) for name in secrets_named(seller).__slots__
        }
        one, other = change.pop("swap", ("token", "token"))
        told |= {one: told[other], other: told[one], **change}
        client.put("/api/marketplaceConnection", told, format="json")
        batch = stowed(connected, 6)

        job = job_of(client, post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"}))

        assert job["state"] == "failed"
        assert words in job["message"]
        assert MarketplaceConnection.objects.get().state == "refused"
        assert not any(item.is_listed_pending for item in items_of(batch))
        assert lots_of(store, connected) == []

    def test_a_clock_that_is_wrong(self, client, connected, store):
        store.clock_ahead = 3_600
        batch = stowed(connected, 1)

        job = job_of(client, post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"}))

        assert job["message"] == ("The clock of this server is wrong: the call counted as expired.")

    def test_a_token_that_is_bound_to_another_address(self, client, connected, store):
        stock_of_store(store, connected).address = "198.51.100.7"
        batch = stowed(connected, 1)

        job = job_of(client, post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"}))

        assert job["message"] == (
            "The token is registered for another address: this app calls from 127.0.0.1."
        )
        connection = client.get("/api/marketplaceConnection").json()["data"][0]
        assert connection["outgoing_address"] == "127.0.0.1"

    def test_a_marketplace_that_is_away_is_waited_for(
        self, client, connected, store, settings, unused_address
    ):
        there, settings.MARKETPLACE_URL = settings.MARKETPLACE_URL, unused_address
        batch = stowed(connected, 1)
        answer = post(client, LISTINGS, {"batch_id": batch.pk, "items": "all"})

        for _ in range(5):
            let_a_minute_pass()
            job = job_of(client, answer)
        assert (job["state"], job["message"]) == (
            "queued",
            "The marketplace cannot be reached. Trying again.",
        )
        settings.MARKETPLACE_URL = there
        let_a_minute_pass()
        job = job_of(client, answer)

        assert job["state"] == "succeeded"
        assert [item.is_listed for item in items_of(batch)] == [True]


class TestListWithStow:
    def test_lists_what_was_stowed_in_the_same_act(self, client, connected, store):
        batch = make_batch(connected)
        place = make_location(connected)
        make_item(batch, lot=part(3001), location=place)
        make_item(batch, lot=part(3002), location=place, quantity=0)

        answer = post(client, f"/api/batches/{batch.pk}/stow", {"items": "all", "list": True})

        (row,) = answer.json()["data"]
        assert answer.status_code == 200
        assert str(Job.objects.get().pk) == row["listing_job_id"]
        run_jobs()
        assert [lot["item"]["no"] for lot in lots_of(store, connected)] == ["3001"]
        assert [item.is_listed for item in items_of(batch)] == [True, False]

    def test_is_off_unless_asked_for(self, client, connected, store):
        batch = make_batch(connected)
        make_item(batch, lot=part(3001), location=make_location(connected))

        (row,) = post(client, f"/api/batches/{batch.pk}/stow", {"items": "all"}).json()["data"]

        assert row["listing_job_id"] is None
        assert not Job.objects.exists()

    def test_starts_at_the_end_of_a_stow_that_is_a_job(self, client, connected, store, monkeypatch):
        monkeypatch.setattr("apps.batches.services.stowing.AT_ONCE", 2)
        batch = make_batch(connected)
        place = make_location(connected)
        earlier = make_item(batch, lot=part(2001), location=place)
        stow_all(batch)
        for number in range(3001, 3004):
            make_item(batch, lot=part(number), location=place)
        body = {"items": "all", "list": True, "stockroom": "C"}

        job = job_of(client, post(client, f"/api/batches/{batch.pk}/stow", body))

        assert job["kind"] == "batches.stow_items"
        assert Job.objects.filter(pk=job["result"]["listing_job_id"]).exists()
        assert len(lots_of(store, connected)) == 3
        assert {lot["stock_room_id"] for lot in lots_of(store, connected)} == {"C"}
        earlier.refresh_from_db()
        assert not earlier.is_listed

    def test_a_job_lists_what_it_stowed_and_not_what_was_stowed_beside_it(
        self, client, connected, store, monkeypatch
    ):
        monkeypatch.setattr("apps.batches.services.stowing.AT_ONCE", 1)
        batch, place = make_batch(connected), make_location(connected)
        chosen = [make_item(batch, lot=part(n), location=place).pk for n in (3002, 3003)]
        other = make_item(batch, lot=part(3004), location=place)
        stow = f"/api/batches/{batch.pk}/stow"
        queued = post(client, stow, {"items": chosen, "list": True})
        post(client, stow, {"items": [other.pk]})

        job_of(client, queued)

        assert sorted(lot["item"]["no"] for lot in lots_of(store, connected)) == ["3002", "3003"]
        other.refresh_from_db()
        assert (other.is_stowed, other.is_listed) == (True, False)

    def test_stows_nothing_where_no_store_is_connected(self, api, ann, store, settings):
        settings.MARKETPLACE_IS_DEMO = False
        batch = make_batch(ann)
        make_item(batch, lot=part(3001), location=make_location(ann))

        answer = post(api(ann), f"/api/batches/{batch.pk}/stow", {"items": "all", "list": True})

        assert answer.status_code == 409
        assert not items_of(batch)[0].is_stowed


class TestSync:
    def test_is_planned_looked_at_and_applied(self, client, connected, store):
        batch = stowed(connected, 2, quantity=10)
        list_items(batch)
        lot_id = items_of(batch)[0].marketplace_lot_id
        stock_of_store(store, connected).sell(lot_id, 10)

        planning = post(client, SYNCS)
        assert planning.status_code == 202
        assert post(client, SYNCS).status_code == 409
        job = job_of(client, planning)
        address = f"{SYNCS}/{planning.json()['data'][0]['id']}"
        (sync,) = client.get(address).json()["data"]
        rows = client.get(f"{address}/rows?kind=gone").json()

        assert (job["state"], sync["state"], sync["removals"]) == ("succeeded", "planned", 1)
        assert (sync["counts"]["gone"], sync["counts"]["same"]) == (1, 1)
        assert [
            (row["name"], row["quantity_here"], row["quantity_there"]) for row in rows["data"]
        ] == [("Red Brick 2 x 4 (3001)", 10, 0)]
        assert rows["meta"]["pagination"]["total_items"] == 1
        refused = post(client, f"{address}/apply")
        assert refused.json()["meta"]["error"]["fields"] == {
            "confirm_removals": ["1 lots would be removed: type 1"]
        }
        applied = post(client, f"{address}/apply", {"confirm_removals": 1})
        assert job_of(client, applied)["result"]["item_count"] == 1
        assert client.get(address).json()["data"][0]["state"] == "applied"
        assert post(client, f"{address}/apply").status_code == 409

    def test_of_a_batch_raises_its_flag_and_tells_its_name(self, client, connected, store):
        batch = stowed(connected, 1)
        list_items(batch)

        (row,) = post(client, SYNCS, {"batch_id": batch.pk}).json()["data"]

        assert (row["batch_id"], row["batch_name"]) == (batch.pk, "Summer lot")
        assert batch_row(client, batch)["isUpdating"] is True
