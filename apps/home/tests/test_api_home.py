import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from apps.accounts.models import Preferences
from apps.auctions.tests.factories import make_listing
from apps.backups.models import Backup
from apps.backups.tests.factories import backup_of
from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.selectors import NEWEST_BATCHES
from apps.batches.tests.factories import list_all, make_batch, make_item, make_location, stow_all
from apps.catalog.models import PriceStat
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.queries import assert_query_budget
from apps.core.waiting import MOST_OF_A_KIND
from apps.exchange.lot_ids import IDS_OF_ONE
from apps.exports.tests.factories import export_of
from apps.home.selectors.home import HomeRow
from apps.inventory.models import Channel, InventoryItem
from apps.inventory.tests.factories import make_stock
from apps.listings.models import Listing
from apps.marketplace.models import LotRefresh, MarketplaceConnection
from apps.orders.models import Order
from apps.orders.tests.factories import make_order, sell
from apps.recognition.models import StationSitting
from apps.sets.models import SetRequirement
from apps.sets.tests.factories import make_user_set
from apps.sources.models import Source

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
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
    def test_of_a_new_account_is_empty_and_says_so(self, ann, api, settings):
        settings.MARKETPLACE_IS_DEMO = False
        row = home_of(api(ann))

        assert row["is_new"] is True
        assert row["first_steps"] == {"locations": False, "stock": False, "marketplace": False}
        assert row["last_added"] is None
        assert set(row["tiles"].values()) == {0, "0.0000"}
        assert row["waiting"] == []

    def test_has_the_fields_of_its_schema(self, ann, api):
        assert set(home_of(api(ann))) == set(HomeRow.__annotations__)

    def test_asks_anonymous_callers_to_sign_in(self, client):
        assert client.get(URL).status_code == 401

    def test_counts_only_ones_own(self, ann, bo, api):
        stow_all(costed(bo, "Bo's", "5", "9"), location=make_location(bo))
        make_listing(bo, end_time=now() + dt.timedelta(hours=1), watch="watching")

        row = home_of(api(ann))

        assert row["is_new"] is True
        assert row["batch_returns"] == row["waiting"] == []

    def test_costs_the_same_for_much_and_little(self, ann, api):
        from pathlib import Path

        ledger = Path(__file__).parent / "query_counts.json"
        client = api(ann)
        assert_query_budget(ledger, "home of a newcomer", lambda: home_of(client))
        for number in range(12):
            source = Source.objects.create(owner=ann, name=f"Market {number}")
            batch = costed(ann, f"Batch {number}", "5", "9", source=source)
            make_item(batch)
            bin_ = make_location(ann, f"A-{number}")
            if number % 2:
                stow_all(batch, location=bin_)
            make_listing(ann, end_time=now() + dt.timedelta(hours=1), watch="watching")
            make_user_set(ann)
            make_stock(ann, price=None)
            make_stock(ann, raw_item_number=f"x{number}", location=bin_)
            make_order(ann, (make_stock(ann, quantity=9), 4))
        home_of(client)  # reckons what was changed
        assert {line["id"].partition("-")[0] for line in home_of(client)["waiting"]} >= {
            "auction",
            "backup",
            "no",
            "orders",
            "to",
            "unknown",
            "unpriced",
        }

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


class TestTheWorkOfTheDay:
    def test_counts_since_midnight_where_the_person_is(self, ann, bo, api, monkeypatch):
        zone = "Pacific/Kiritimati"  # 14 hours before UTC
        midnight = dt.datetime(2026, 6, 15, tzinfo=ZoneInfo(zone))
        monkeypatch.setattr("apps.home.api.views.now", lambda: midnight + dt.timedelta(hours=9))
        before = midnight - dt.timedelta(minutes=1)
        for owner, at, pieces in ((ann, midnight, 40), (ann, before, 3), (bo, midnight, 5)):
            StationSitting.objects.create(
                owner=owner, key=f"k{pieces}", started_at=at, acted_at=at, pieces=pieces
            )
            batch = make_batch(owner)
            make_item(batch, quantity=pieces)
            stow_all(batch, location=make_location(owner, f"A-{pieces}"))
            batch.items.update(stowed_at=at)
            order = make_order(owner)
            Order.objects.filter(pk=order.pk).update(shipped_at=at)

        today = home_of(api(ann), time_zone=zone)["today"]

        assert today == {"sorted": 40, "put_away": 40, "shipped": 1}

    def test_is_none_before_the_first_act(self, ann, api):
        assert set(home_of(api(ann))["today"].values()) == {0}

    def test_shows_how_much_of_the_last_batch_is_put_away(self, ann, api):
        batch = make_batch(ann)
        make_item(batch, quantity=5)
        stow_all(batch, location=make_location(ann))
        make_item(batch, quantity=2)

        last = home_of(api(ann))["last_added"]

        assert (last["batch_pieces"], last["batch_put_away"]) == (7, 5)


class TestItsCharts:
    def test_show_the_newest_batches_that_cost_something_archived_or_listed(self, ann, api):
        made = [
            costed(ann, f"{number}", "5", f"{number + 1}") for number in range(NEWEST_BATCHES + 2)
        ]
        make_item(made[-1], quantity=2, price="1")
        for batch in made[:-1]:
            stow_all(batch, location=make_location(ann, batch.name))
            list_all(batch)
        Batch.objects.filter(pk=made[-2].pk).update(is_archived=True, archived_at=now())
        make_batch(ann, "empty", cost_total=Decimal(7))

        bars = home_of(api(ann))["batch_returns"]

        assert [bar["in_stock"] for bar in bars] == [
            *("10.0000", "7.0000", "6.0000", "5.0000", "4.0000", "3.0000")
        ]

    def test_compare_what_was_sold_with_cost_by_batch(self, ann, api):
        for name in ("good", "bad"):
            batch = make_batch(ann, name, cost_total=Decimal(10))
            make_item(batch, quantity=5, price="4")
            stow_all(batch, location=make_location(ann, name))
        sell(ann, BatchItem.objects.get(batch__name="good").inventory_item, 3)
        make_item(make_batch(ann, "cost unknown"), price="99")
        make_batch(ann, "empty", cost_total=Decimal(7))

        bars = {one.pop("name"): one for one in home_of(api(ann))["batch_returns"]}

        assert bars.keys() == {"good", "bad"}
        figures = ("cost", "sold", "paid_back", "in_stock")
        assert [bars["good"][name] for name in figures] == [
            "10.0000",
            "12.0000",
            "1.2000",
            "8.0000",
        ]
        assert [bars["bad"][name] for name in figures] == ["10.0000", "0.0000", None, "20.0000"]


class TestWhatWaits:
    """Each line leads to the place where it is settled; the dearest comes first."""

    def lines(self, api, user):
        return {line["id"]: line for line in home_of(api(user))["waiting"]}

    def test_shows_up_to_three_of_its_lots(self, ann, bo, api):
        lots = [
            make_lot(make_catalogue_item(f"30{n}", f"Brick {n}", face="a" * 16)) for n in "1234"
        ]
        for lot in (*lots, lots[-1]):
            make_stock(ann, lot=lot, price=None)
        make_stock(bo, price=None)
        make_item(make_batch(ann), raw_item_number="x1")

        lines = self.lines(api, ann)

        # Newest first; the same lot in two rows once.
        pictures = lines["unpriced"]["pictures"]
        assert [one["item_name"] for one in pictures] == ["Brick 4", "Brick 3"]
        assert pictures[0]["color_name"] == "Red"
        assert pictures[0]["image_url"].startswith("/pictures/")
        assert [line["pictures"] for key, line in lines.items() if key.startswith("to-")] == [[]]

    def test_shows_the_lots_of_batches_orders_and_of_no_bin(self, ann, api):
        batch = make_batch(ann)
        make_item(batch)
        make_order(ann)
        make_stock(ann)

        lines = self.lines(api, ann)

        for name in (f"to-stow-{batch.pk}", "orders-paid", "no-bin"):
            assert lines[name]["pictures"], name

    def told(self, api, user, name):
        line = self.lines(api, user)[name]
        return line["title"], line["count"], line["money"], line["to"]

    def test_is_sorted_by_the_money_at_stake(self, ann, api):
        bin_ = make_location(ann, label_printed_at=now(), max_item_count=2)
        make_stock(ann, location=bin_, quantity=1, price=None)
        make_stock(ann, quantity=1, price=Decimal(3))
        make_item(make_batch(ann), quantity=2, price=Decimal(4))
        make_stock(ann, location=bin_, quantity=1, price=Decimal(5), raw_item_number="x1")
        Job.objects.create(owner=ann, kind="exports.export_items", state="failed", message="no")

        rows = home_of(api(ann))["waiting"]

        assert [(row["id"].partition("-")[0], row["money"]) for row in rows] == [
            ("to", "8.0000"),
            ("unknown", "5.0000"),
            ("no", "3.0000"),
            ("job", None),
            ("backup", None),
            ("unpriced", None),
            ("full", None),
        ]

    def test_names_what_the_catalogue_does_not_know(self, ann, api):
        make_stock(ann, quantity=4, price=Decimal("0.5"), raw_item_number="x1")

        assert self.told(api, ann, "unknown") == (
            "Name 1 unknown item",
            1,
            "2.0000",
            "/app/unknown-items",
        )

    def test_counts_what_lies_in_no_bin_but_not_what_is_sold(self, ann, api):
        make_stock(ann, quantity=4, price=Decimal("0.5"))
        make_stock(ann, quantity=0)
        make_stock(ann, location=make_location(ann))

        assert self.told(api, ann, "no-bin") == (
            "Put 1 lot into a bin",
            1,
            "2.0000",
            "/app/inventory?location=none",
        )

    def test_values_what_has_no_price_at_the_market(self, ann, api):
        lot = make_lot()
        make_stock(ann, lot=lot, quantity=10, price=None)
        make_stock(ann, quantity=1, price=None)
        PriceStat.objects.create(
            owner=ann,
            lot=lot,
            condition="U",
            region="global",
            currency="EUR",
            avg_sold_price=Decimal("0.2"),
            synced_at=now(),
        )

        assert self.told(api, ann, "unpriced") == (
            "Price 2 lots",
            2,
            "2.0000",
            "/app/inventory?unpriced=true",
        )

    def test_names_full_bins_and_those_without_a_label(self, ann, api):
        make_stock(ann, quantity=10, location=make_location(ann, "A-1", max_item_count=10))
        make_location(ann, "A-2", is_full=True, label_printed_at=now())
        make_location(ann, "A-3", max_item_count=10, label_printed_at=now())

        lines = self.lines(api, ann)

        assert lines["full-bins"]["note"] == "A-1 and A-2 take no more pieces"
        assert [lines["no-label"][field] for field in ("title", "note", "to")] == [
            "Print 1 label",
            "For A-1",
            "/app/inventory-locations?label_printed=false&labels=1",
        ]
        listed = api(ann).get("/api/inventoryLocations", {"fill": "full"}).json()["data"]
        assert [row["name"] for row in listed] == ["A-1", "A-2"]

    def test_tells_what_is_to_be_stowed_from_what_is_to_be_listed(self, ann, api):
        new, stowed = make_batch(ann, "new"), make_batch(ann, "stowed")
        make_item(new, quantity=3, price=Decimal(1))
        make_item(stowed, quantity=4, price=Decimal(1))
        stow_all(stowed, location=make_location(ann), now=now())
        listed = make_batch(ann, "listed")
        make_item(listed)
        stow_all(listed, location=make_location(ann, "B"), now=now())
        list_all(listed, now=now())
        make_item(Batch.objects.create(owner=ann, name="o", is_archived=True, archived_at=now()))

        assert self.told(api, ann, f"to-stow-{new.pk}") == (
            "Put away 1 lot",
            1,
            "3.0000",
            f"/app/batches?batch={new.pk}&walk=1",
        )
        assert self.told(api, ann, f"to-list-{stowed.pk}") == (
            "List 1 lot",
            1,
            "4.0000",
            f"/app/batches?batch={stowed.pk}&list=1",
        )

    def test_opens_each_batch_of_few_and_lists_the_rest_of_many(self, ann, api):
        batches = [make_batch(ann, name) for name in "abcdef"]
        for worth, batch in enumerate(batches):
            make_item(batch, price=Decimal(10 - worth))

        lines = self.lines(api, ann)

        alone, rest = batches[: MOST_OF_A_KIND - 1], batches[MOST_OF_A_KIND - 1 :]
        assert [lines[f"to-stow-{batch.pk}"]["to"] for batch in alone] == [
            f"/app/batches?batch={batch.pk}&walk=1" for batch in alone
        ]
        ids = ",".join(str(batch.pk) for batch in rest)
        assert lines["to-stow"]["to"] == f"/app/batches?id={ids}"

    def test_names_operations_of_which_rows_were_refused(self, ann, api):
        batch = make_batch(ann, "Attic")
        self.operation(batch, "list", failed=2)

        line = self.lines(api, ann)[f"refused-{batch.pk}-list"]

        assert (line["title"], line["note"], line["is_pressing"]) == (
            "List 2 lots again",
            "Attic: they were refused",
            True,
        )

    def test_forgets_them_once_one_went_well(self, ann, api):
        batch = make_batch(ann)
        self.operation(batch, "list", failed=2)
        self.operation(batch, "list", failed=0)

        assert f"refused-{batch.pk}-list" not in self.lines(api, ann)

    def test_does_not_ask_for_acts_again_that_left_rows_as_they_were(self, ann, api):
        batch = make_batch(ann)
        self.operation(batch, "consolidate", failed=2)

        assert not [line for line in self.lines(api, ann) if line.startswith("refused-")]

    def operation(self, batch, kind, failed):
        BatchOperation.objects.create(
            owner=batch.owner,
            batch=batch,
            kind=kind,
            outcome="error" if failed else "success",
            failed_count=failed,
        )

    def test_names_lots_of_the_stock_that_the_store_refused(self, ann, api):
        row = make_stock(ann, quantity=2, price=Decimal(3))
        there = make_stock(ann, marketplace_lot_id=7)
        for number, of in enumerate((row, row, there)):
            Listing.objects.create(
                owner=ann,
                kind="create",
                state="rejected",
                reason="no",
                target=f"t{number}",
                mark=f"m{number}",
                inventory_item=of,
                quantity=1,
            )

        assert self.told(api, ann, "refused-listings") == (
            "List 1 lot again",
            1,
            "6.0000",
            "/app/store",
        )

    def test_names_failed_jobs(self, ann, api):
        job = Job.objects.create(
            owner=ann, kind="exports.export_items", state="failed", message="disk full"
        )

        line = self.lines(api, ann)[f"job-{job.pk}"]

        assert (line["title"], line["note"]) == ("Try again to export items", "disk full")

    def test_says_in_words_that_a_file_was_not_read(self, ann, api):
        job = Job.objects.create(
            owner=ann, kind="inventory.preview_sync", state="failed", message="It stops."
        )

        line = self.lines(api, ann)[f"job-{job.pk}"]

        assert (line["title"], line["note"]) == ("Try again to read a file", "It stops")

    def test_tells_no_worth_where_no_lot_has_a_price(self, ann, api):
        batch = make_batch(ann)
        make_item(batch, price=None)
        make_stock(ann, price=None)
        make_stock(ann, price=None, raw_item_number="x1")

        lines = self.lines(api, ann)

        assert lines[f"to-stow-{batch.pk}"]["money"] is None
        assert lines["no-bin"]["money"] is None
        assert lines["unknown"]["money"] is None

    def test_asks_for_no_backup_on_the_first_day(self, ann, api):
        batch = make_batch(ann)
        assert "backup" not in self.lines(api, ann)

        Batch.objects.filter(pk=batch.pk).update(created_at=now() - DAY)

        assert "backup" in self.lines(api, ann)

    def test_asks_for_a_backup_until_there_is_a_fresh_one(self, ann, api):
        make_stock(ann)
        assert self.lines(api, ann)["backup"]["note"] == "There is none yet"
        backup = backup_of(ann)
        assert "backup" not in self.lines(api, ann)

        Backup.objects.filter(pk=backup.pk).update(written_at=now() - 31 * DAY)

        assert self.lines(api, ann)["backup"]["note"] == "The last one is over a month old"

    def test_counts_prices_older_than_90_days(self, ann, api):
        old, fresh = make_lot(), make_lot()
        for lot, days in ((old, 91), (fresh, 89)):
            make_stock(ann, lot=lot)
            LotRefresh.objects.create(
                owner=ann, lot=lot, currency="EUR", refreshed_at=now() - days * DAY
            )

        assert self.lines(api, ann)["old-prices"]["count"] == 1

    def test_names_watched_auctions_that_end_within_a_day(self, ann, api):
        soon = now() + dt.timedelta(hours=5)
        make_listing(ann, "mine", end_time=soon, watch="watching", landed_cost=Decimal("31.04"))
        make_listing(ann, "not watched", end_time=soon)
        make_listing(ann, "later", end_time=now() + 2 * DAY, watch="watching")
        make_listing(ann, "over", end_time=now() - DAY, watch="watching")
        make_listing(ann, "endless", end_time=None, watch="watching")

        (line,) = self.lines(api, ann).values()

        assert (line["title"], line["money"], line["is_due"]) == ("mine", None, True)
        assert line["note"].startswith("$31.04 landed")

    def test_says_what_a_watched_auction_costs_in_its_own_currency_alone(self, ann, api):
        soon = now() + dt.timedelta(hours=5)
        make_listing(ann, "mine", end_time=soon, watch="watching", landed_cost=Decimal("31.04"))
        Preferences.objects.update_or_create(user=ann, defaults={"currency": "USD"})

        (line,) = self.lines(api, ann).values()

        assert line["money"] == "31.0400"

    def test_names_sets_that_the_newest_batch_completes(self, ann, api):
        brick, plate = make_lot(), make_lot()
        whole = make_user_set(ann, contents={brick: 4})
        make_user_set(ann, contents={brick: 4, plate: 1})
        SetRequirement.objects.filter(user_set=whole).update(quantity_on_hand=1)
        batch = make_batch(ann)
        make_item(batch, lot=brick, quantity=1)
        assert f"set-{whole.pk}" not in self.lines(api, ann)
        make_item(batch, lot=brick, quantity=2, price="0.5")

        assert self.lines(api, ann)[f"set-{whole.pk}"]["count"] == 3

    def test_shows_orders_by_their_next_step_until_they_are_shipped(self, ann, api):
        order = make_order(ann, (make_stock(ann, quantity=9, location=make_location(ann)), 4))
        Order.objects.filter(pk=order.pk).update(
            ordered_at=now() - 4 * DAY, subtotal=Decimal(8), currency="EUR"
        )

        assert self.told(api, ann, "orders-paid") == (
            "Pick 1 order",
            1,
            "8.0000",
            "/app/orders?state=paid",
        )
        assert self.lines(api, ann)["orders-paid"]["note"] == "1 order overdue"
        Order.objects.filter(pk=order.pk).update(state="shipped")
        assert "orders-paid" not in self.lines(api, ann)


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
    def test_tells_that_nothing_is_connected_and_nobody_answers(self, ann, api, settings):
        settings.MARKETPLACE_IS_DEMO = False
        health = home_of(api(ann))["health"]

        assert health["marketplace"]["state"] == "none"
        assert health["marketplace"]["has_store"] is False
        assert health["recognition"]["is_reachable"] is False
        assert (health["last_import"], health["last_backup"]) == (None, None)

    def test_tells_that_the_demo_store_is_there_before_it_is_used(self, ann, api, settings):
        settings.MARKETPLACE_IS_DEMO = True
        row = home_of(api(ann))

        assert row["health"]["marketplace"]["has_store"] is True
        # As the Store page shows it: a reserve of the day's calls is never used.
        store = api(ann).get("/api/marketplaceConnection").json()["data"][0]
        assert row["health"]["marketplace"]["calls_left"] == store["calls"]["left"] == 4850
        assert row["first_steps"]["marketplace"] is True

    def test_tells_of_several_stores_the_one_that_is_refused(self, ann, api):
        for number, (site, state, problem) in enumerate(
            (("bricklink", "ok", ""), ("brickowl", "refused", "The key was withdrawn."))
        ):
            channel = Channel.objects.create(
                owner=ann, marketplace=site, first_lot_id=number * IDS_OF_ONE
            )
            MarketplaceConnection.objects.create(
                owner=ann, channel=channel, state=state, problem=problem, connected_at=now()
            )

        store = home_of(api(ann))["health"]["marketplace"]

        assert (store["state"], store["problem"]) == ("refused", "The key was withdrawn.")

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
