import datetime as dt
from decimal import Decimal

import pytest

from apps.auctions.tests.factories import make_listing
from apps.backups.models import Backup
from apps.backups.tests.factories import backup_of
from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.tests.factories import list_all, make_batch, make_item, make_location, stow_all
from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.queries import assert_query_budget
from apps.exports.tests.factories import export_of
from apps.home.api.serializers import HomeRow
from apps.inventory.models import InventoryItem
from apps.inventory.tests.factories import make_stock
from apps.marketplace.models import LotRefresh
from apps.orders.models import Order
from apps.orders.tests.factories import make_order
from apps.recognition.models import StationSitting
from apps.sets.models import SetRequirement
from apps.sets.tests.factories import make_user_set
from apps.sources.models import Source

pytestmark = pytest.mark.django_db
URL = "/api/home"
DAY = dt.timedelta(days=1)


@pytest.fixture(autouse=True)
def _no_recogniser(settings):
    settings.RECOGNITION_URL = "http://127.0.0.1:9"


def home_of(client, **query):
    response = client.get(URL, query)
    assert response.status_code == 200, response.json()
    (row,) = response.json()["data"]
    return row


def costed(user, name, cost, worth, **also):
    """A batch that cost so much and holds one piece that is worth so much."""
    batch = make_batch(user, name, cost_total=Decimal(cost), **also)
    make_item(batch, quantity=1, price=worth)
    return batch


class TestHome:
    def test_of_a_new_account_is_empty_and_says_so(self, ann, api):
        row = home_of(api(ann))

        assert row["is_new"] is True
        assert row["first_steps"] == {"locations": False, "stock": False, "marketplace": False}
        assert row["last_added"] is None
        assert set(row["tiles"].values()) == {0, "0.0000"}
        assert [day["added"] + day["stowed"] for day in row["days"]] == [0] * 30
        assert not any(row["to_do"].values())

    def test_has_the_fields_of_its_schema(self, ann, api):
        assert set(home_of(api(ann))) == set(HomeRow().fields)

    def test_asks_anonymous_callers_to_sign_in(self, client):
        assert client.get(URL).status_code == 401

    def test_counts_only_ones_own(self, ann, bo, api):
        stow_all(costed(bo, "Bo's", "5", "9"), location=make_location(bo))
        make_listing(bo, end_time=now() + dt.timedelta(hours=1), watch="watching")

        row = home_of(api(ann))

        assert row["is_new"] is True
        assert row["batch_returns"] == row["to_do"]["auctions"] == []

    def test_costs_the_same_for_much_and_little(self, ann, api):
        from pathlib import Path

        ledger = Path(__file__).parent / "query_counts.json"
        client = api(ann)
        assert_query_budget(ledger, "home", lambda: home_of(client))
        for number in range(12):
            source = Source.objects.create(owner=ann, name=f"Market {number}")
            batch = costed(ann, f"Batch {number}", "5", "9", source=source)
            make_item(batch)
            bin_ = make_location(ann, f"A-{number}")
            if number % 2:
                stow_all(batch, location=bin_)
            make_listing(ann, end_time=now() + dt.timedelta(hours=1), watch="watching")
            make_user_set(ann)
        home_of(client)  # reckons what was changed

        assert_query_budget(ledger, "home", lambda: home_of(client))


class TestItsTiles:
    def test_count_what_is_in_stock(self, ann, api):
        make_stock(ann, quantity=5, price=Decimal("0.2000"))
        make_stock(ann, quantity=2, price=Decimal("1.5000"))
        make_stock(ann, quantity=0)

        tiles = home_of(api(ann))["tiles"]

        assert (tiles["stock_pieces"], tiles["stock_lots"], tiles["stock_value"]) == (
            7,
            2,
            "4.0000",
        )

    def test_follow_a_change_at_once(self, ann, api):
        client = api(ann)
        row = make_stock(ann, quantity=5)
        assert home_of(client)["tiles"]["stock_pieces"] == 5
        make_stock(ann, quantity=1)
        assert home_of(client)["tiles"]["stock_pieces"] == 6
        InventoryItem.objects.filter(pk=row.pk).update(quantity=4)
        assert home_of(client)["tiles"]["stock_pieces"] == 5

    def test_tell_new_from_stowed_from_listed(self, ann, api):
        bin_ = make_location(ann)
        new, stowed, listed = (make_batch(ann, name) for name in ("new", "stowed", "listed"))
        for batch, quantity in ((new, 3), (stowed, 4), (listed, 5)):
            make_item(batch, quantity=quantity)
        for batch in (stowed, listed):
            stow_all(batch, location=bin_, now=now())
        list_all(listed, now=now())

        tiles = home_of(api(ann))["tiles"]

        assert (tiles["new_pieces"], tiles["stowed_pieces"], tiles["listed_pieces"]) == (3, 4, 5)
        assert (tiles["batches"], tiles["batches_with_new"]) == (3, 1)

    def test_leave_out_what_was_listed_before_this_week_and_what_is_archived(self, ann, api):
        batch = make_batch(ann)
        make_item(batch)
        stow_all(batch, location=make_location(ann), now=now() - 9 * DAY)
        list_all(batch, now=now() - 8 * DAY)
        Batch.objects.create(owner=ann, name="old", is_archived=True, archived_at=now())

        tiles = home_of(api(ann))["tiles"]

        assert (tiles["listed_pieces"], tiles["batches"]) == (0, 1)

    def test_count_bins_that_are_nearly_full_by_any_limit(self, ann, api):
        make_stock(ann, quantity=10, location=make_location(ann, "ten of ten", max_item_count=10))
        make_stock(ann, quantity=9, location=make_location(ann, "nine of ten", max_item_count=10))
        make_location(ann, "said full", is_full=True)
        make_location(ann, "roomy")

        tiles = home_of(api(ann))["tiles"]

        assert (tiles["locations"], tiles["locations_nearly_full"]) == (4, 2)

    def test_count_lots_that_lie_in_several_places(self, ann, api):
        lot, bin_ = make_lot(), make_location(ann)
        make_stock(ann, lot=lot, location=bin_)
        make_stock(ann, lot=lot, location=bin_)
        assert home_of(api(ann))["tiles"]["spread_lots"] == 0
        make_stock(ann, lot=lot)

        assert home_of(api(ann))["tiles"]["spread_lots"] == 1


class TestItsCharts:
    def test_add_up_what_came_and_was_stowed_by_day(self, ann, api):
        batch = make_batch(ann)
        old, fresh = make_item(batch, quantity=4), make_item(batch, quantity=3)
        BatchItem.objects.filter(pk=old.pk).update(created_at=now() - 40 * DAY)
        stow_all(batch, location=make_location(ann), now=now())

        days = home_of(api(ann), time_zone="UTC")["days"]

        assert len(days) == 30
        assert days[-1] == {"day": f"{now().date()}", "added": fresh.quantity, "stowed": 7}
        assert sum(day["added"] for day in days[:-1]) == 0

    def test_are_by_the_days_of_the_profile(self, ann, api):
        ann.time_zone = "Pacific/Kiritimati"  # 14 hours ahead
        ann.save()

        last = home_of(api(ann), time_zone="UTC")["days"][-1]["day"]

        assert last == str((now() + dt.timedelta(hours=14)).date())

    @pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd"])
    def test_stay_where_the_profile_has_a_zone_that_is_none(self, ann, api, zone):
        ann.time_zone = zone
        ann.save()

        last = home_of(api(ann), time_zone="Pacific/Kiritimati")["days"][-1]["day"]

        assert last == str((now() + dt.timedelta(hours=14)).date())

    def test_refuse_a_zone_that_is_none(self, ann, api):
        response = api(ann).get(URL, {"time_zone": "Mars/Olympus"})

        assert response.status_code == 400
        assert "time_zone" in response.json()["meta"]["error"]["fields"]

    def test_tell_the_pace_of_the_last_sittings_in_the_order_of_time(self, ann, api):
        for number, pieces in enumerate((60, 0, 90)):
            began = now() - number * DAY
            StationSitting.objects.create(
                owner=ann,
                key=str(number),
                started_at=began,
                acted_at=began + dt.timedelta(minutes=10),
                pieces=pieces,
            )

        sittings = home_of(api(ann))["sittings"]

        assert [(one["pieces"], one["per_minute"]) for one in sittings] == [
            (90, "9.0"),
            (60, "6.0"),
        ]

    def test_tell_the_value_by_type_dearest_first(self, ann, api):
        from apps.catalog.tests.factories import make_item as make_whole

        figure = make_lot(item=make_whole("sw0001", item_type="MINIFIG"))
        make_stock(ann, lot=figure, quantity=1, price=Decimal(30))
        make_stock(ann, quantity=10, price=Decimal(1))
        make_stock(ann, quantity=1, price=Decimal(2), raw_item_number="x1")

        by_type = home_of(api(ann))["by_type"]

        assert [(one["item_type"], one["value"]) for one in by_type] == [
            ("MINIFIG", "30.0000"),
            ("PART", "10.0000"),
            ("", "2.0000"),
        ]

    def test_compare_value_with_cost_by_batch_and_source(self, ann, api):
        market = Source.objects.create(owner=ann, name="Market")
        costed(ann, "good", "10", "25", source=market)
        costed(ann, "bad", "10", "5", source=market)
        make_item(make_batch(ann, "cost unknown", source=market), price="99")
        make_batch(ann, "empty", cost_total=Decimal(7), source=market)

        row = home_of(api(ann))

        assert {one["name"]: one["gives_back"] for one in row["batch_returns"]} == {
            "good": "2.5000",
            "bad": "0.5000",
        }
        (source,) = row["source_returns"]
        assert (source["spent"], source["value"], source["gives_back"]) == (
            "27.0000",
            "30.0000",
            "1.1111",
        )
        (of_sources,) = api(ann).get("/api/sources").json()["data"]
        assert (of_sources["spent"], of_sources["return_on_cost"]) == (
            source["spent"],
            source["gives_back"],
        )
        assert source["batches"] == 4


class TestWhatToDo:
    def to_do(self, api, user):
        return home_of(api(user))["to_do"]

    def test_names_operations_of_which_rows_were_refused(self, ann, api):
        batch = make_batch(ann, "Attic")
        self.operation(batch, "list", failed=2)

        (refused,) = self.to_do(api, ann)["refused"]

        assert (refused["batch_name"], refused["kind"], refused["failed_count"]) == (
            "Attic",
            "list",
            2,
        )

    def test_forgets_them_once_one_went_well(self, ann, api):
        batch = make_batch(ann)
        self.operation(batch, "list", failed=2)
        self.operation(batch, "list", failed=0)

        assert self.to_do(api, ann)["refused"] == []

    def operation(self, batch, kind, failed):
        BatchOperation.objects.create(
            owner=batch.owner,
            batch=batch,
            kind=kind,
            outcome="error" if failed else "success",
            failed_count=failed,
        )

    def test_names_failed_jobs(self, ann, api):
        Job.objects.create(
            owner=ann, kind="exports.export_items", state="failed", message="disk full"
        )

        row = home_of(api(ann))

        assert [one["message"] for one in row["to_do"]["failed_jobs"]] == ["disk full"]
        assert row["tiles"]["failed_jobs"] == 1

    def test_counts_what_has_been_planned_for_more_than_three_days(self, ann, api):
        bin_ = make_location(ann)
        batch = make_batch(ann)
        old = make_item(batch, quantity=6, location=bin_)
        make_item(batch, quantity=9, location=bin_)
        unplanned = make_item(batch, quantity=1)
        BatchItem.objects.filter(pk__in=[old.pk, unplanned.pk]).update(created_at=now() - 4 * DAY)

        planned = self.to_do(api, ann)["planned"]

        assert (planned["lots"], planned["pieces"], planned["batch_id"]) == (1, 6, batch.pk)

    def test_counts_prices_older_than_90_days(self, ann, api):
        old, fresh = make_lot(), make_lot()
        for lot, days in ((old, 91), (fresh, 89)):
            make_stock(ann, lot=lot)
            LotRefresh.objects.create(lot=lot, currency="EUR", refreshed_at=now() - days * DAY)

        prices = self.to_do(api, ann)["old_prices"]

        assert (prices["lots"], prices["looked_at"]) == (1, 2)

    def test_names_watched_auctions_that_end_within_a_day(self, ann, api):
        soon = now() + dt.timedelta(hours=5)
        make_listing(ann, "mine", end_time=soon, watch="watching", landed_cost=Decimal("31.04"))
        make_listing(ann, "not watched", end_time=soon)
        make_listing(ann, "later", end_time=now() + 2 * DAY, watch="watching")
        make_listing(ann, "over", end_time=now() - DAY, watch="watching")
        make_listing(ann, "endless", end_time=None, watch="watching")

        (one,) = self.to_do(api, ann)["auctions"]

        assert (one["title"], one["landed_cost"]) == ("mine", "31.0400")

    def test_names_sets_that_the_newest_batch_completes(self, ann, api):
        brick, plate = make_lot(), make_lot()
        whole = make_user_set(ann, contents={brick: 4})
        make_user_set(ann, contents={brick: 4, plate: 1})
        SetRequirement.objects.filter(user_set=whole).update(quantity_on_hand=1)
        batch = make_batch(ann)
        make_item(batch, lot=brick, quantity=1)
        assert self.to_do(api, ann)["sets"] == []
        make_item(batch, lot=brick, quantity=2, price="0.5")

        (found,) = self.to_do(api, ann)["sets"]

        assert (found["id"], found["pieces"]) == (whole.pk, 3)


class TestTheLastItemAdded:
    def test_leads_back_to_its_batch(self, ann, api):
        batch = make_batch(ann, "Attic")
        make_item(batch, quantity=3)
        make_item(batch, quantity=2)

        last = home_of(api(ann))["last_added"]

        assert (last["batch_id"], last["batch_name"], last["quantity"], last["batch_pieces"]) == (
            batch.pk,
            "Attic",
            2,
            5,
        )


class TestHealth:
    def test_tells_that_nothing_is_connected_and_nobody_answers(self, ann, api):
        health = home_of(api(ann))["health"]

        assert health["marketplace"]["state"] == "none"
        assert health["recognition"]["is_reachable"] is False
        assert (health["last_import"], health["last_backup"]) == (None, None)

    def test_tells_the_newest_copy_a_backup_or_an_export(self, ann, bo, api):
        make_stock(ann)
        export = export_of(ann)
        backup_of(bo)
        client = api(ann)
        copy = home_of(client)["health"]["last_backup"]
        assert (copy["id"], copy["name"], copy["of"]) == (export.pk, export.file_name, "inventory")

        backup = backup_of(ann)
        Backup.objects.filter(pk=backup.pk).update(written_at=export.written_at + DAY)

        copy = home_of(client)["health"]["last_backup"]
        assert (copy["id"], copy["name"], copy["of"]) == (
            backup.pk,
            backup.file_name,
            "everything",
        )


class TestOrders:
    def test_that_wait_are_told_until_they_are_shipped(self, ann, api):
        order = make_order(ann, (make_stock(ann, quantity=9), 4))
        Order.objects.filter(pk=order.pk).update(ordered_at=now() - dt.timedelta(days=4))

        assert home_of(api(ann))["to_do"]["orders"] == {
            "to_pick": 1,
            "to_pack": 0,
            "to_ship": 0,
            "overdue": 1,
            "pieces_to_pick": 4,
        }
        Order.objects.filter(pk=order.pk).update(state="shipped")
        assert home_of(api(ann))["to_do"]["orders"] is None
