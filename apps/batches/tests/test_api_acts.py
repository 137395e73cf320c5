from decimal import Decimal

import pytest

from apps.accounts.models import Preferences
from apps.batches.models import Batch, BatchItem
from apps.batches.services.batches import archive_batch
from apps.batches.tests.factories import (
    NOON,
    list_all,
    make_batch,
    make_item,
    make_location,
    stock_of,
    stow_all,
)
from apps.catalog.models import PriceStat
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.catalog.tests.factories import make_lot
from apps.core.jobs.dispatch import start_job
from apps.core.testing.queries import count_queries
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.lots.models import KeptAct
from apps.marketplace.models import PriceWant
from apps.marketplace.services.connections import connect_demo_store
from apps.marketplace.tests.factories import make_part

pytestmark = pytest.mark.django_db
D = Decimal


def act(client, batch, verb, **body):
    if verb != "merge":
        body.setdefault("items", "all")
    return client.post(f"/api/batches/{batch.pk}/{verb}", body)


def done(client, batch, verb, **body):
    response = act(client, batch, verb, **body)
    assert response.status_code == 200, response.json()
    return response.json()["data"][0]


def undo(client, batch, act_id):
    return client.post(f"/api/batches/{batch.pk}/undo", {"act_id": act_id})


def everything():
    """All items as they are, but for the stamp of their last change."""
    return [
        {
            name: value
            for name, value in row.items()
            if name not in {"updated_at", "inventory_item_id"}
        }
        for row in BatchItem.objects.order_by("pk").values()
    ]


def assert_ledger_is_exact(owner):
    assert list(quantity_differences(owner=owner)) == []
    assert list(counter_differences(owner=owner)) == []


@pytest.fixture
def batch(ann):
    Preferences.objects.filter(user=ann).update(currency="EUR")
    return make_batch(ann, cost_total=D("10.00"))


@pytest.fixture
def client(ann, api):
    return api(ann)


class TestGetPrices:
    def test_asks_for_the_lots_of_a_batch(self, client, batch, ann, store):
        connect_demo_store(owner=ann, now=NOON)
        first, second = (
            make_item(batch, lot=make_part(number), quantity=2) for number in ("3001", "3002")
        )

        (row,) = act(client, batch, "getPrices").json()["data"]
        assert (row["lots_wanted"], row["lots_left"]) == (2, 2)
        PriceWant.objects.all().delete()
        (row,) = act(client, batch, "getPrices", items=[second.pk]).json()["data"]

        assert row["lots_wanted"] == 1
        assert PriceWant.objects.get().lot == second.lot
        assert first.lot != second.lot

    def test_is_for_the_owner_only(self, api, batch, bo):
        assert act(api(bo), batch, "getPrices").status_code == 404


class TestReprice:
    def sold_at(self, owner, price, condition="U"):
        lot = make_lot()
        PriceStat.objects.create(
            owner=owner,
            lot=lot,
            condition=condition,
            region="global",
            currency="EUR",
            avg_sold_price=price,
            synced_at=NOON,
        )
        return lot

    def test_by_the_rule_follows_the_market(self, ann, batch, client):
        item = make_item(batch, quantity=10, price="0.1", lot=self.sold_at(ann, D("0.2000")))

        row = done(client, batch, "reprice", by="rule", percent="10", rounding="0.05")

        item.refresh_from_db()
        assert item.price == D("0.2000")
        assert row["figures"] == {
            "changed": 1,
            "unchanged": 0,
            "without_data": 0,
            "without_figures": 0,
            "locked": 0,
            "shown_count": 1,
            "old_figures": 0,
            "figuresSince": None,
            "being_fetched": 0,
            "value_before": "1.0000",
            "lots_without_price_before": 0,
            "value_after": "2.0000",
            "lots_without_price_after": 0,
        }
        assert row["rows"][0]["found_by"] == "sold"

    def test_by_the_rule_asks_nobody_for_their_preferences_first(self, ann, batch, client):
        PriceStat.objects.create(
            owner=ann,
            lot=(lot := self.sold_at(ann, D("9.0000"))),
            condition="U",
            region="global",
            currency="USD",
            avg_sold_price=D("0.5000"),
            synced_at=NOON,
        )
        item = make_item(batch, lot=lot)
        Preferences.objects.filter(user=ann).delete()

        done(client, batch, "reprice", by="rule")

        item.refresh_from_db()
        assert item.price == D("0.5000")

    @pytest.mark.parametrize(
        ("without_data", "price", "marked"),
        [("keep", D("0.1000"), 0), ("zero", None, 0), ("mark", D("0.1000"), 1)],
    )
    def test_without_data_does_what_was_asked(self, batch, client, without_data, price, marked):
        item = make_item(batch)

        row = done(client, batch, "reprice", by="rule", without_data=without_data)

        item.refresh_from_db()
        assert item.price == price
        assert row["figures"]["without_data"] == marked
        assert row["figures"]["without_figures"] == 1
        assert [one["is_marked"] for one in row["rows"] if one["is_marked"]] == [True] * marked

    @pytest.mark.parametrize(
        ("body", "price"),
        [
            ({"by": "fixed", "price": "0.25"}, D("0.2500")),
            ({"by": "percent", "percent": "-10"}, D("0.1111")),
            ({"by": "percent", "percent": "-10", "rounding": "0.01"}, D("0.1100")),
            ({"by": "percent", "percent": "-50", "minimum": "0.1"}, D("0.1000")),
        ],
    )
    def test_by_hand(self, batch, client, body, price):
        item = make_item(batch, price="0.1234")

        done(client, batch, "reprice", **body)

        item.refresh_from_db()
        assert item.price == price

    def test_leaves_no_price_at_none(self, batch, client):
        item = make_item(batch, price="0")

        done(client, batch, "reprice", by="percent", percent="50", minimum="0.05")

        item.refresh_from_db()
        assert item.price == 0

    def test_a_dry_run_changes_nothing(self, batch, client):
        make_item(batch, price="0.1")
        before = everything()

        row = done(client, batch, "reprice", by="fixed", price="9", dry_run=True)

        assert (row["act_id"], row["figures"]["changed"]) == (None, 1)
        assert (row["rows"][0]["before"], row["rows"][0]["after"]) == ("0.1000", "9.0000")
        assert everything() == before
        assert not KeptAct.objects.exists()

    def test_stock_follows_and_comes_back(self, ann, batch, client):
        make_item(batch, quantity=3)
        stow_all(batch, make_location(ann))
        before = everything()

        row = done(client, batch, "reprice", by="fixed", price="2.5")

        item = BatchItem.objects.select_related("inventory_item").get()
        assert (item.price, item.inventory_item.price) == (D("2.5"), D("2.5"))
        assert undo(client, batch, row["act_id"]).status_code == 200
        item = BatchItem.objects.select_related("inventory_item").get()
        assert (item.price, item.inventory_item.price) == (D("0.1"), D("0.1"))
        assert everything() == before
        assert_ledger_is_exact(ann)

    def test_marks_listed_ones_as_changed(self, ann, batch, client):
        make_item(batch)
        stow_all(batch, make_location(ann))
        list_all(batch)

        row = done(client, batch, "reprice", by="fixed", price="2.5")

        assert BatchItem.objects.get().is_changed_since_listing
        undo(client, batch, row["act_id"])
        assert not BatchItem.objects.get().is_changed_since_listing

    def test_costs_the_same_for_one_and_for_a_thousand(self, ann, batch, client):
        lot = make_lot()
        BatchItem.objects.bulk_create(
            BatchItem(owner=ann, batch=batch, lot=lot, quantity=1) for _ in range(1_000)
        )
        one = [BatchItem.objects.first().pk]

        costs = [
            count_queries(
                lambda items=items: done(
                    client, batch, "reprice", by="rule", items=items, without_data="zero"
                )
            )[0]
            for items in (one, "all")
        ]

        assert costs[0] == costs[1]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "by"),
            ({"by": "fixed"}, "price"),
            ({"by": "percent"}, "percent"),
            ({"by": "percent", "percent": "-100"}, "percent"),
            ({"by": "fixed", "price": "-1"}, "price"),
            ({"by": "fixed", "price": "0.12345"}, "price"),
            ({"by": "rule", "basis": "dice"}, "basis"),
            ({"by": "fixed", "price": "1", "items": []}, "items"),
        ],
    )
    def test_bad_input_names_the_field(self, batch, client, body, field):
        make_item(batch)

        response = act(client, batch, "reprice", **body)

        assert response.status_code == 400
        assert field in response.json()["meta"]["error"]["fields"]
        assert BatchItem.objects.get().price == D("0.1")


class TestSpreadCost:
    def test_adds_up_to_the_last_cent(self, batch, client):
        for quantity, price in ((3, "1"), (7, "0.33"), (1, "0.01")):
            make_item(batch, quantity=quantity, price=price)

        row = done(client, batch, "spreadCost", by="price")

        items = BatchItem.objects.all()
        assert sum(item.cost * item.quantity for item in items) == D("10.0000")
        assert (row["figures"]["total"], row["figures"]["left"]) == ("10.0000", "0.0000")

    def test_by_weight_gives_the_unknown_nothing_and_says_so(self, batch, client):
        heavy = make_item(batch, 2, lot=make_lot(make_catalogue_item(weight_grams=D("3"))))
        light = make_item(batch, 4, lot=make_lot(make_catalogue_item(weight_grams=D("1"))))
        unknown = make_item(batch, 5, lot=make_lot(make_catalogue_item(weight_grams=None)))

        row = done(client, batch, "spreadCost", by="weight")

        for item in (heavy, light, unknown):
            item.refresh_from_db()
        assert (heavy.cost, light.cost, unknown.cost) == (D("3"), D("1"), D("0"))
        assert row["warnings"] == ["1 item has no known weight and get no cost."]

    def test_another_sum_than_the_batch_cost(self, batch, client):
        item = make_item(batch, quantity=4)

        done(client, batch, "spreadCost", by="pieces", total="2")

        item.refresh_from_db()
        assert item.cost == D("0.5")

    @pytest.mark.parametrize(
        ("cost", "price", "word"), [(None, "1", "no cost"), ("5", "0", "a price")]
    )
    def test_refuses_where_there_is_nothing_to_spread(self, batch, client, cost, price, word):
        Batch.objects.update(cost_total=cost)
        make_item(batch, price=price)

        response = act(client, batch, "spreadCost", by="price")

        assert response.status_code == 409
        assert word in response.json()["message"]
        assert BatchItem.objects.get().cost == 0

    def test_is_undone(self, batch, client):
        make_item(batch)
        before = everything()

        row = done(client, batch, "spreadCost", by="price")
        undo(client, batch, row["act_id"])

        assert everything() == before


class TestRecommendLocations:
    def test_plans_where_the_same_lot_lies(self, ann, batch, client):
        lot, place = make_lot(), make_location(ann, "B-07")
        make_location(ann, "A-01")
        stow_all_of = make_batch(ann, "Before")
        make_item(stow_all_of, lot=lot)
        stow_all(stow_all_of, place)
        item = make_item(batch, lot=lot)

        row = done(client, batch, "recommendLocations")

        item.refresh_from_db()
        assert (item.location, item.is_stowed) == (place, False)
        assert row["rows"][0]["after"] == "B-07"

    def test_leaves_what_is_planned_unless_asked(self, ann, batch, client):
        there, free = make_location(ann, "Z-9", max_item_count=1), make_location(ann, "A-01")
        item = make_item(batch, quantity=5, location=there)

        assert done(client, batch, "recommendLocations")["figures"]["changed"] == 0
        done(client, batch, "recommendLocations", replace=True)

        item.refresh_from_db()
        assert item.location == free

    def test_plans_only_what_stowing_takes(self, ann, batch, client):
        lot = make_lot()
        home, free = make_location(ann, "B-01", max_item_count=5), make_location(ann, "B-02")
        make_item(make_batch(ann, "Before"), lot=lot, quantity=1, location=home)
        stow_all(Batch.objects.get(name="Before"))
        make_item(batch, quantity=3, lot=lot, location=home)
        later = make_item(make_batch(ann, "Later"), quantity=2, lot=lot)

        done(client, later.batch, "recommendLocations")

        later.refresh_from_db()
        assert later.location == free
        assert [stow_all(one).results.failed for one in (batch, later.batch)] == [[], []]

    def test_tells_what_fits_nowhere(self, ann, batch, client):
        make_location(ann, max_item_count=2)
        make_item(batch, quantity=3)

        row = done(client, batch, "recommendLocations")

        assert [one["reason"] for one in row["failed"]] == ["No bin has the room for it."]
        assert row["act_id"] is None


class TestConsolidate:
    def test_makes_one_of_three_by_the_rules(self, batch, client):
        lot = make_lot()
        big = make_item(batch, 6, "0.10", lot=lot, comments="clean")
        make_item(batch, 2, "0.20", lot=lot, comments="scratched")
        make_item(batch, 2, None, lot=lot)
        other = make_item(batch, 1, lot=lot, condition="N")

        row = done(client, batch, "consolidate")

        big.refresh_from_db()
        assert (big.quantity, big.price, big.comments) == (10, D("0.1250"), "clean scratched")
        assert set(BatchItem.objects.all()) == {big, other}
        assert row["figures"] == {"groups": 1, "removed": 2}
        assert "no price" in row["warnings"][0]

    def test_undo_brings_each_back_with_its_id_and_what_its_file_said(self, batch, client):
        lot = make_lot()
        for n in range(3):
            make_item(batch, n + 1, lot=lot, extra={"tags": [["OwlID", str(n)]]}, reserved="Jo")
        before = everything()

        row = done(client, batch, "consolidate")
        assert BatchItem.objects.count() == 1
        assert undo(client, batch, row["act_id"]).status_code == 200

        assert everything() == before

    def test_leaves_what_differs_in_what_must_agree(self, ann, batch, client):
        lot = make_lot()
        make_item(batch, 1, "0.10", lot=lot)
        make_item(batch, 1, "0.20", lot=lot)

        row = done(client, batch, "consolidate", also_agree=["price"])

        assert row["figures"]["groups"] == 0
        assert BatchItem.objects.count() == 2

    def test_leaves_excluded_unknown_and_stowed_ones(self, ann, batch, client):
        lot = make_lot()
        make_item(batch, 1, lot=lot)
        stow_all(batch, make_location(ann))
        make_item(batch, 1, lot=lot)
        make_item(batch, 1, lot=lot, status="X")
        for _ in range(2):
            make_item(batch, 1, raw_item_number="x1", raw_item_type="P")

        row = done(client, batch, "consolidate")

        assert row["figures"]["groups"] == 0
        assert len(row["failed"]) == 1
        assert BatchItem.objects.count() == 5

    def test_a_price_mode_that_is_none_is_refused(self, batch, client):
        response = act(client, batch, "consolidate", modes={"price": "guess"})

        assert response.status_code == 400
        assert "modes" in response.json()["meta"]["error"]["fields"]


class TestSplit:
    def test_makes_a_batch_of_each_location(self, ann, batch, client):
        places = [make_location(ann, name) for name in ("A-2", "A-10", "B-1")]
        items = [make_item(batch, location=place) for place in places]
        homeless = make_item(batch)

        row = done(client, batch, "split")

        assert [one["name"] for one in row["rows"]] == [
            "Summer lot – A-2",
            "Summer lot – A-10",
            "Summer lot – B-1",
        ]
        for item in items:
            item.refresh_from_db()
        assert [item.batch.name for item in items] == [one["name"] for one in row["rows"]]
        homeless.refresh_from_db()
        assert homeless.batch == batch

    def test_by_aisle_and_back(self, ann, batch, client):
        for name in ("A-2", "A-10", "B-1"):
            make_item(batch, location=make_location(ann, name))
        before = everything()

        row = done(client, batch, "split", by="aisle")
        assert Batch.objects.count() == 3
        undo(client, batch, row["act_id"])

        assert everything() == before
        assert Batch.objects.get() == batch

    def test_a_hundred_and_one_batches_are_refused(self, ann, batch, client):
        for n in range(101):
            make_item(batch, location=make_location(ann, f"A-{n}"))

        response = act(client, batch, "split")

        assert response.status_code == 409
        assert Batch.objects.count() == 1


class TestMoveItems:
    def test_carries_stowed_ones_with_their_stock(self, ann, batch, client):
        to = make_batch(ann, "Other")
        make_item(batch)
        stow_all(batch, make_location(ann))
        item = BatchItem.objects.get()

        row = done(client, batch, "moveItems", items=[item.pk], to_batch_id=to.pk)

        moved = BatchItem.objects.get()
        assert (moved.pk, moved.batch, moved.is_stowed) == (item.pk, to, True)
        assert stock_of(ann) == [("A-01", 3)]
        undo(client, batch, row["act_id"])
        assert BatchItem.objects.get().batch == batch

    def test_copies_are_new(self, ann, batch, client):
        to = make_batch(ann, "Other")
        make_item(batch, marketplace_lot_id=77)
        stow_all(batch, make_location(ann))

        row = done(client, batch, "moveItems", to_batch_id=to.pk, copy=True)

        copy = BatchItem.objects.get(batch=to)
        assert (copy.is_stowed, copy.quantity, copy.marketplace_lot_id) == (False, 3, None)
        assert stock_of(ann) == [("A-01", 3)]
        undo(client, batch, row["act_id"])
        assert not BatchItem.objects.filter(batch=to).exists()

    def test_into_an_archived_batch_is_refused(self, ann, batch, client):
        to = make_batch(ann, "Old")
        archive_batch(batch=to, now=NOON)
        item = make_item(batch)

        assert act(client, batch, "moveItems", to_batch_id=to.pk).status_code == 409
        item.refresh_from_db()
        assert item.batch == batch

    def test_into_itself_is_refused(self, batch, client):
        assert act(client, batch, "moveItems", to_batch_id=batch.pk).status_code == 400


class TestMerge:
    def test_carries_items_and_cost_and_archives_the_empty_one(self, ann, batch, client):
        to = make_batch(ann, "Other", cost_total=D("5"), foreign_count=30)
        Batch.objects.filter(pk=batch.pk).update(foreign_count=12)
        make_item(batch)
        make_item(batch)

        row = done(client, batch, "merge", to_batch_id=to.pk)

        batch.refresh_from_db()
        to.refresh_from_db()
        assert (batch.is_archived, batch.cost_total, to.cost_total) == (True, None, D("15"))
        assert (batch.foreign_count, to.foreign_count) == (None, 42)
        assert BatchItem.objects.filter(batch=to).count() == 2
        assert row["figures"]["cost_total"] == "15.0000"

    def test_undo_restores_both(self, ann, batch, client):
        to = make_batch(ann, "Other")
        make_item(batch)
        before = everything()

        row = done(client, batch, "merge", to_batch_id=to.pk)
        assert undo(client, batch, row["act_id"]).status_code == 200

        batch.refresh_from_db()
        to.refresh_from_db()
        assert (batch.is_archived, batch.cost_total, to.cost_total) == (False, D("10"), None)
        assert everything() == before


class TestUndo:
    def test_is_refused_where_an_item_changed_since(self, batch, client):
        item, other = make_item(batch), make_item(batch)
        row = done(client, batch, "reprice", by="fixed", price="2")
        client.patch(f"/api/batchItems/{item.pk}", {"price": "3"})

        response = undo(client, batch, row["act_id"])

        assert response.status_code == 409
        assert response.json()["data"] == [{"id": item.pk}]
        assert response.json()["message"] == "1 item was changed since, so nothing was undone."
        other.refresh_from_db()
        assert other.price == D("2")

    def test_happens_once(self, batch, client):
        make_item(batch)
        row = done(client, batch, "reprice", by="fixed", price="2")

        assert undo(client, batch, row["act_id"]).status_code == 200
        assert undo(client, batch, row["act_id"]).status_code == 409

    def test_of_another_persons_act_is_none(self, ann, bo, api, batch, client):
        make_item(batch)
        row = done(client, batch, "reprice", by="fixed", price="2")

        assert undo(api(bo), batch, row["act_id"]).status_code == 404
        assert undo(api(bo), make_batch(bo), row["act_id"]).status_code == 404
        assert BatchItem.objects.get().price == D("2")

    def test_forgets_a_planned_location_that_is_gone(self, ann, batch, client):
        lot, place = make_lot(), make_location(ann)
        make_item(batch, 5, lot=lot)
        make_item(batch, 1, lot=lot, location=place)
        row = done(client, batch, "consolidate")
        place.delete()

        assert undo(client, batch, row["act_id"]).status_code == 200
        assert set(BatchItem.objects.values_list("quantity", "location")) == {(5, None), (1, None)}

    def test_the_list_tells_what_was_done(self, batch, client):
        make_item(batch)
        row = done(client, batch, "reprice", by="fixed", price="2")
        undo(client, batch, row["act_id"])

        rows = client.get(f"/api/batches/{batch.pk}/acts").json()["data"]

        assert [(one["kind"], one["note"]) for one in rows] == [
            ("reprice", "1 of 1 prices changed")
        ]
        assert rows[0]["undoneAt"] is not None


class TestEveryAct:
    @pytest.mark.parametrize(
        ("verb", "body"),
        [
            ("reprice", {"by": "fixed", "price": "2"}),
            ("spreadCost", {"by": "price"}),
            ("recommendLocations", {}),
            ("consolidate", {}),
            ("split", {}),
        ],
    )
    def test_leaves_archived_and_busy_batches(self, ann, batch, client, verb, body):
        make_item(batch)
        before = everything()
        job = start_job(
            owner=ann, kind="batches.stow_items", payload={}, about={"batch": [batch.pk]}
        )

        assert act(client, batch, verb, **body).status_code == 409
        job.delete()
        archive_batch(batch=batch, now=NOON)
        response = act(client, batch, verb, **body)

        assert response.status_code == 409
        assert "archived" in response.json()["message"]
        assert everything() == before

    def test_tells_ids_that_are_not_in_the_batch(self, ann, batch, client):
        item, stranger = make_item(batch), make_item(make_batch(ann, "Other"))

        row = done(client, batch, "reprice", by="fixed", price="2", items=[item.pk, stranger.pk])

        assert [one["id"] for one in row["failed"]] == [stranger.pk]
        stranger.refresh_from_db()
        assert stranger.price == D("0.1")
