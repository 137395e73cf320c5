import datetime as dt
from decimal import Decimal
from io import BytesIO

import pytest
from pypdf import PdfReader

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.inventory.models import InventoryItem
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.stocktakes import (
    Count,
    apply_stocktake,
    record_counts,
    start_stocktake,
)
from apps.inventory.tests.factories import NOON, make_stock, quantities
from apps.locations.models import Location
from apps.locations.tests.factories import make_container_type, make_location

pytestmark = pytest.mark.django_db
URL = "/api/inventoryLocations"
D = Decimal


def data(response):
    return response.json()["data"]


def error_of(response):
    return response.json()["meta"]["error"]


def names(response):
    return [row["name"] for row in data(response)]


class TestListing:
    def test_shows_the_fields_of_the_spec(self, ann, api):
        drawer = make_container_type(ann, "Drawer", size_class="small")
        bin_ = make_location(
            ann,
            "B-07",
            container_type=drawer,
            max_item_count=10,
            max_total_weight=D(50),
            description="left",
        )
        lot = make_lot(make_item(weight_grams=D("2.5")))
        make_stock(ann, lot, 4, bin_)
        make_stock(ann, lot, 2, bin_, condition="N")
        make_stock(ann, lot, 0, bin_, price=D(9))

        row = data(api(ann).get(f"{URL}/{bin_.pk}"))[0]

        del row["createdAt"], row["updatedAt"]
        assert row == {
            "id": bin_.pk,
            "name": "B-07",
            "code": "B-07",
            "description": "left",
            "inventory_container_type_id": drawer.pk,
            "inventory_container_type_name": "Drawer",
            "size_class": "small",
            "max_item_count": 10,
            "max_total_weight": "50.0000",
            "min_item_weight": None,
            "max_item_weight": None,
            "item_count": 6,
            "lot_count": 2,
            "stored_weight": "15.0000",
            "unknown_weight_count": 0,
            "available_item_count": 4,
            "available_weight": "35.0000",
            "is_full": False,
            "exclude_from_recommendations": False,
            "labelPrintedAt": None,
            "lastCountedAt": None,
        }

    def test_tells_when_it_was_counted_last(self, ann, api):
        bin_, other = make_location(ann, "A-1"), make_location(ann, "A-2")
        item = make_stock(ann, quantity=3, location=bin_)
        for instant in (NOON, NOON + dt.timedelta(days=1)):
            count = start_stocktake(owner=ann, location=bin_)
            record_counts(stocktake=count, counts=[Count(counted=3, item_id=item.pk)], now=instant)
            apply_stocktake(stocktake=count, uncounted="keep", note="", by=ann, now=instant)
        start_stocktake(owner=ann, location=bin_)

        rows = {row["id"]: row["lastCountedAt"] for row in data(api(ann).get(URL))}

        assert rows == {bin_.pk: "2026-11-22T12:00:00Z", other.pk: None}

    def test_is_in_natural_order(self, ann, api):
        for name in ("A-10", "A-2", "b-1", "A-1"):
            make_location(ann, name)

        assert names(api(ann).get(URL)) == ["A-1", "A-2", "A-10", "b-1"]
        assert names(api(ann).get(URL, {"ordering": "-name"})) == ["b-1", "A-10", "A-2", "A-1"]

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ({"search": "a-1"}, ["A-1"]),
            ({"fill": "empty"}, ["A-1", "E-1"]),
            ({"fill": "over"}, ["C-1"]),
            ({"fill": "nearly_full"}, ["B-1", "C-1"]),
            ({"exclude_from_recommendations": "true"}, ["E-1"]),
            ({"is_full": "true"}, ["A-1"]),
            ({"code": "c-1"}, ["C-1"]),
            ({"code": "C"}, []),
            ({"container_type": "none"}, ["A-1", "B-1", "C-1", "E-1"]),
            ({"container_type": "7"}, []),
            ({"label_printed": "true"}, ["A-1"]),
            ({"label_printed": "false"}, ["B-1", "C-1", "E-1"]),
        ],
        ids=str,
    )
    def test_can_be_narrowed(self, ann, api, query, found):
        make_location(ann, "A-1", is_full=True)
        Location.objects.update(label_printed_at=NOON)
        make_stock(ann, quantity=9, location=make_location(ann, "B-1", max_item_count=10))
        over = make_location(ann, "C-1")
        make_stock(ann, quantity=9, location=over)
        Location.objects.filter(pk=over.pk).update(max_item_count=8)
        make_location(ann, "E-1", exclude_from_recommendations=True)

        assert names(api(ann).get(URL, query)) == found

    def test_can_be_narrowed_to_a_size(self, ann, bo, api):
        for owner, name, size in (
            (ann, "A-1", "small"),
            (ann, "A-2", "large"),
            (bo, "A-3", "small"),
        ):
            kind = make_container_type(owner, size_class=size)
            make_location(owner, name, container_type=kind)
        make_location(ann, "A-4")

        small = api(ann).get(URL, {"size_class": "small"})

        assert names(small) == ["A-1"]
        assert [row["size_class"] for row in data(api(ann).get(URL))] == ["small", "large", None]


class TestMaking:
    def test_takes_limits_from_the_container_type(self, ann, api):
        drawer = make_container_type(ann, max_item_count=100, max_item_weight=D(5))

        response = api(ann).post(
            URL,
            {"name": " B - 07 ", "inventory_container_type_id": drawer.pk, "max_item_weight": None},
        )

        row = data(response)[0]
        assert response.status_code == 201
        assert (row["name"], row["code"]) == ("B - 07", "B - 07")
        assert (row["max_item_count"], row["max_item_weight"]) == (100, None)

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"name": ""}, "name"),
            ({"name": "x" * 101}, "name"),
            ({}, "name"),
            ({"name": "A-1"}, "name"),
            ({"name": "B", "code": "A-1"}, "code"),
            ({"name": "B", "max_item_count": -1}, "max_item_count"),
            ({"name": "B", "max_item_count": "many"}, "max_item_count"),
            ({"name": "B", "max_total_weight": "-1"}, "max_total_weight"),
            ({"name": "B", "min_item_weight": "5", "max_item_weight": "4"}, "min_item_weight"),
            ({"name": "B", "inventory_container_type_id": 99}, "inventory_container_type_id"),
        ],
        ids=str,
    )
    def test_refuses_bad_values_by_field(self, ann, api, body, field):
        make_location(ann, "A-1")

        response = api(ann).post(URL, body)

        assert response.status_code == 400
        assert list(error_of(response)["fields"]) == [field]
        assert Location.objects.count() == 1

    def test_lets_others_use_the_same_name(self, ann, bo, api):
        make_location(bo, "A-1")

        assert api(ann).post(URL, {"name": "A-1"}).status_code == 201


class TestPattern:
    def test_shows_what_it_would_make_and_makes_nothing(self, ann, api):
        make_location(ann, "A-02")

        response = api(ann).post(f"{URL}/pattern", {"pattern": "A-[01-03]", "dry_run": True})

        assert response.status_code == 200
        assert data(response) == [
            {
                "count": 2,
                "names": ["A-01", "A-03"],
                "existing_count": 1,
                "existing": ["A-02"],
                "dry_run": True,
                "ids": [],
            }
        ]
        assert Location.objects.count() == 1

    def test_makes_two_thousand_at_once(self, ann, api, django_assert_max_num_queries):
        drawer = make_container_type(ann, max_item_count=50)
        client = api(ann)

        with django_assert_max_num_queries(12):
            response = client.post(
                f"{URL}/pattern",
                {"pattern": "[A-J]-[001-200]", "inventory_container_type_id": drawer.pk},
            )

        assert (response.status_code, data(response)[0]["count"]) == (201, 2000)
        last = Location.objects.get(name="J-200")
        assert (last.max_item_count, last.container_type, last.code) == (50, drawer, "J-200")

    def test_skips_what_is_there(self, ann, api):
        there = make_location(ann, "A-1", max_item_count=7)

        api(ann).post(f"{URL}/pattern", {"pattern": "A-[1-2]"})

        assert sorted(Location.objects.values_list("name", flat=True)) == ["A-1", "A-2"]
        there.refresh_from_db()
        assert there.max_item_count == 7

    @pytest.mark.parametrize(
        ("pattern", "says"), [("A-[1-8", "Expected ]"), ("[1-2001]", "at most 2,000")]
    )
    def test_says_what_was_expected(self, ann, api, pattern, says):
        response = api(ann).post(f"{URL}/pattern", {"pattern": pattern})

        assert response.status_code == 400
        assert says in error_of(response)["fields"]["pattern"][0]
        assert not Location.objects.exists()


class TestEditing:
    def test_lets_remarks_follow_the_name(self, ann, api):
        bin_ = make_location(ann, "A-1")
        follows = make_stock(ann, location=bin_)
        stays = make_stock(ann, location=bin_, remarks="look twice")

        response = api(ann).patch(f"{URL}/{bin_.pk}", {"name": "B-1"})

        assert data(response)[0]["name"] == "B-1"
        follows.refresh_from_db()
        stays.refresh_from_db()
        assert (follows.remarks, stays.remarks) == ("B-1", "look twice")

    def test_refuses_a_change_over_a_newer_one(self, ann, api):
        bin_ = make_location(ann, "A-1")
        client = api(ann)
        seen = data(client.get(f"{URL}/{bin_.pk}"))[0]["updatedAt"]
        client.patch(f"{URL}/{bin_.pk}", {"description": "mine", "updatedAt": seen})

        response = client.patch(f"{URL}/{bin_.pk}", {"description": "theirs", "updatedAt": seen})

        assert (response.status_code, data(response)[0]["description"]) == (409, "mine")


class TestSettingMany:
    def test_suggests_a_limit_from_bins_of_the_same_type(self, ann, bo, api):
        kind = make_container_type(ann, "Drawer")
        bins = [make_location(ann, f"A-{n}", container_type=kind) for n in range(6)]
        for place, pieces in zip(bins, (10, 20, 30, 40, 50, 0), strict=True):
            Location.objects.filter(pk=place.pk).update(item_count=pieces)
        Location.objects.filter(pk=make_location(bo, "B").pk).update(item_count=9_000)
        body = {"ids": [bins[5].pk]}

        answer = api(ann).post(f"{URL}/suggestLimit", body, format="json")

        assert data(answer) == [{"max_item_count": 50, "learnt_from": 5}]
        bins[0].refresh_from_db()
        assert bins[0].max_item_count is None

    def test_sets_type_and_limits_and_puts_them_back(self, ann, api, django_assert_max_num_queries):
        drawer = make_container_type(ann, "Drawer", max_item_count=50)
        bins = [make_location(ann, f"A-{n}", max_item_count=n) for n in range(1, 31)]
        make_stock(ann, quantity=12, location=bins[20])
        other = make_location(ann, "B-1")
        client = api(ann)
        settings = ("name", "container_type", "max_item_count", "max_total_weight")
        before = list(Location.objects.order_by("pk").values_list(*settings))
        wanted = {
            "inventory_container_type_id": drawer.pk,
            "max_item_count": 10,
            "max_total_weight": "250.5",
        }

        with django_assert_max_num_queries(25):
            response = client.post(
                f"{URL}/setMany", {"filter": {"search": "A-"}, "set": wanted}, format="json"
            )

        (done,) = data(response)
        assert (done["changed"], done["over"], len(done["before"])) == (30, 1, 30)
        changed = Location.objects.exclude(pk=other.pk)
        assert set(changed.values_list(*settings[1:])) == {(drawer.pk, 10, Decimal("250.5"))}
        with django_assert_max_num_queries(25):
            undone = client.post(f"{URL}/putBackMany", {"rows": done["before"]}, format="json")
        assert data(undone) == [{"changed": 30}]
        assert list(Location.objects.order_by("pk").values_list(*settings)) == before

    def test_puts_nothing_back_where_one_was_changed_since(self, ann, api):
        first, second = make_location(ann, "A-1"), make_location(ann, "A-2")
        client = api(ann)
        body = {"ids": [first.pk, second.pk], "set": {"max_item_count": 10}}
        (done,) = data(client.post(f"{URL}/setMany", body, format="json"))
        client.patch(f"{URL}/{first.pk}", {"max_item_count": 7})

        refused = client.post(f"{URL}/putBackMany", {"rows": done["before"]}, format="json")

        assert refused.status_code == 409
        assert error_of(refused)["message"].startswith("1 of them were changed or deleted since")
        assert set(Location.objects.values_list("max_item_count", flat=True)) == {7, 10}

    def test_refuses_all_where_the_weights_of_one_contradict(self, ann, api):
        make_location(ann, "A-1")
        make_location(ann, "A-2", max_item_weight=Decimal(5))
        body = {"filter": {}, "set": {"min_item_weight": "9"}}

        refused = api(ann).post(f"{URL}/setMany", body, format="json")

        assert error_of(refused)["fields"] == {
            "min_item_weight": ["must not exceed max_item_weight of A-2"]
        }
        assert not Location.objects.filter(min_item_weight__isnull=False).exists()


class TestDeletingMany:
    def test_undoes_a_pattern(self, ann, api, django_assert_max_num_queries):
        there = make_location(ann, "A-001")
        client = api(ann)
        (made,) = data(client.post(f"{URL}/pattern", {"pattern": "A-[001-600]"}))

        with django_assert_max_num_queries(25):
            (done,) = data(client.post(f"{URL}/deleteMany", {"ids": made["ids"]}, format="json"))

        assert (len(made["ids"]), done) == (599, {"deleted": 599})
        assert list(Location.objects.all()) == [there]

    def test_deletes_none_where_one_is_filled(self, ann, bo, api):
        empty, filled, strange = (
            make_location(ann, "A"),
            make_location(ann, "B"),
            make_location(bo, "C"),
        )
        make_stock(ann, quantity=3, location=filled)
        client = api(ann)

        ids = [empty.pk, filled.pk, strange.pk]
        refused = client.post(f"{URL}/deleteMany", {"ids": ids}, format="json")
        done = client.post(f"{URL}/deleteMany", {"ids": [empty.pk, strange.pk]}, format="json")

        assert (refused.status_code, error_of(refused)["message"]) == (409, "B still holds 1 lot.")
        assert data(refused)[0]["quantity"] == 3
        assert data(done) == [{"deleted": 1}]
        assert set(Location.objects.all()) == {filled, strange}


class TestDeleting:
    def test_lists_what_lies_there(self, ann, api):
        bin_ = make_location(ann, "B-07")
        row = make_stock(ann, make_lot(make_item("3001", "Brick 2 x 4")), 3, bin_)
        make_stock(ann, quantity=0, location=bin_)

        response = api(ann).delete(f"{URL}/{bin_.pk}")

        assert response.status_code == 409
        assert error_of(response)["code"] == "LOCATION_NOT_EMPTY"
        assert error_of(response)["message"] == "B-07 still holds 1 lot."
        assert data(response) == [
            {"id": row.pk, "name": "Brick 2 x 4", "number": "3001", "quantity": 3}
        ]
        assert Location.objects.filter(pk=bin_.pk).exists()

    def test_works_after_everything_was_moved(self, ann, api):
        bin_, to = make_location(ann, "B-07"), make_location(ann, "C-01")
        make_stock(ann, quantity=3, location=bin_)
        make_stock(ann, quantity=2, location=bin_)
        client = api(ann)

        moved = client.post(f"{URL}/{bin_.pk}/move", {"to": to.pk})
        deleted = client.delete(f"{URL}/{bin_.pk}")

        assert data(moved)[0]["moved"] == 2
        assert deleted.status_code == 200
        assert quantities(ann) == [("C-01", 2), ("C-01", 3)]
        assert check_ledger().is_sound

    def test_of_everything_is_an_act_that_can_be_undone(self, ann, api):
        bin_, to = make_location(ann, "B-07"), make_location(ann, "C-01")
        make_stock(ann, quantity=3, location=bin_)
        client = api(ann)

        (moved,) = data(client.post(f"{URL}/{bin_.pk}/move", {"to": to.pk}))
        undone = client.post(f"/api/inventoryActs/{moved['act_id']}/undo", {})

        assert undone.status_code == 200
        assert quantities(ann) == [("B-07", 3)]
        assert check_ledger().is_sound

    def test_lets_sold_out_rows_go_homeless(self, ann, api):
        bin_ = make_location(ann)
        row = make_stock(ann, quantity=0, location=bin_)

        assert api(ann).delete(f"{URL}/{bin_.pk}").status_code == 200

        row.refresh_from_db()
        assert row.location is None

    def test_moves_all_or_nothing(self, ann, api):
        bin_ = make_location(ann, "B-07")
        small = make_location(ann, "S", max_item_count=4)
        make_stock(ann, quantity=3, location=bin_)
        make_stock(ann, quantity=2, location=bin_)

        refused = api(ann).post(f"{URL}/{bin_.pk}/move", {"to": small.pk})
        forced = api(ann).post(
            f"{URL}/{bin_.pk}/move", {"to": small.pk, "override_reason": "no other place"}
        )

        assert (refused.status_code, error_of(refused)["code"]) == (409, "CAPACITY_EXCEEDED")
        assert data(forced)[0]["moved"] == 2
        assert quantities(ann) == [("S", 2), ("S", 3)]


class TestMerging:
    def test_carries_stock_plans_and_memory_over_and_deletes(self, ann, api):
        old, new = make_location(ann, "A-1"), make_location(ann, "A-2")
        lot = make_lot()
        make_stock(ann, lot, 4, old)
        sold_out = make_stock(ann, make_lot(), 0, old, remarks="A-1")
        make_stock(ann, lot, 2, new)

        response = api(ann).post(f"{URL}/{old.pk}/merge", {"into": new.pk})

        assert (response.status_code, data(response)) == (200, [{"moved": 1}])
        assert not Location.objects.filter(pk=old.pk).exists()
        new.refresh_from_db()
        assert new.item_count == 6
        sold_out.refresh_from_db()
        assert (sold_out.location_id, sold_out.remarks) == (new.pk, "A-2")
        report = check_ledger()
        assert (report.quantities, report.counters) == ([], [])

    def test_is_refused_whole_where_the_other_is_too_small(self, ann, api):
        old, small = make_location(ann, "A-1"), make_location(ann, "A-2", max_item_count=3)
        make_stock(ann, quantity=4, location=old)

        refused = api(ann).post(f"{URL}/{old.pk}/merge", {"into": small.pk})

        assert (refused.status_code, error_of(refused)["code"]) == (409, "CAPACITY_EXCEEDED")
        old.refresh_from_db()
        assert old.item_count == 4
        done = api(ann).post(
            f"{URL}/{old.pk}/merge", {"into": small.pk, "override_reason": "a second box"}
        )
        assert done.status_code == 200
        small.refresh_from_db()
        assert small.item_count == 4

    def test_leaves_the_ledger_and_its_names_as_they_were(self, ann, api):
        old, new = make_location(ann, "A-1"), make_location(ann, "A-2")
        item = make_stock(ann, quantity=4, location=old)
        client = api(ann)

        client.post(f"{URL}/{old.pk}/merge", {"into": new.pk})

        rows = data(client.get(f"/api/inventoryItems/{item.pk}/movements"))
        assert [
            (row["delta"], row["from_location_name"], row["to_location_name"]) for row in rows
        ] == [(4, "A-1", "A-2"), (-4, "A-1", "A-2"), (4, None, "A-1")]
        assert {row["from_location_id"] for row in rows} == {old.pk, None}

    def test_waits_for_a_stocktake_that_counted_something(self, ann, api):
        old, new = make_location(ann, "A-1"), make_location(ann, "A-2")
        item = make_stock(ann, quantity=4, location=old)
        client = api(ann)
        counting = {
            place.pk: data(client.post("/api/stocktakes", {"location_id": place.pk}))[0]["id"]
            for place in (old, new)
        }
        url = f"/api/stocktakes/{counting[old.pk]}"
        counts = {"counts": [{"item_id": item.pk, "counted": 3}]}
        assert client.post(f"{url}/counts", counts, format="json").status_code == 200

        refused = client.post(f"{URL}/{old.pk}/merge", {"into": new.pk})
        client.post(f"{url}/discard")
        done = client.post(f"{URL}/{old.pk}/merge", {"into": new.pk})

        assert (refused.status_code, error_of(refused)["message"]) == (
            409,
            "A stocktake of A-1 is open. Apply or discard it, then merge.",
        )
        assert done.status_code == 200
        assert data(client.get(f"/api/stocktakes/{counting[new.pk]}"))[0]["state"] == "open"

    def test_ends_a_stocktake_that_counted_nothing(self, ann, api):
        old, new = make_location(ann, "A-1"), make_location(ann, "A-2")
        item = make_stock(ann, quantity=4, location=new)
        client = api(ann)
        begun, kept = (
            data(client.post("/api/stocktakes", {"location_id": place.pk}))[0]["id"]
            for place in (old, new)
        )
        counts = {"counts": [{"item_id": item.pk, "counted": 3}]}
        client.post(f"/api/stocktakes/{kept}/counts", counts, format="json")

        assert client.post(f"{URL}/{old.pk}/merge", {"into": new.pk}).status_code == 200

        states = {row["id"]: row["state"] for row in data(client.get("/api/stocktakes"))}
        assert states[kept] == "open"
        assert states.get(begun) != "open"
        (counted,) = data(client.get(f"/api/stocktakes/{kept}/tally"))
        assert counted["counted"] == 1

    def test_is_refused_into_itself(self, ann, api):
        one = make_location(ann, "A-1")
        response = api(ann).post(f"{URL}/{one.pk}/merge", {"into": one.pk})
        assert (response.status_code, list(error_of(response)["fields"])) == (400, ["into"])
        assert Location.objects.filter(pk=one.pk).exists()

    def test_does_not_find_the_locations_of_others(self, ann, bo, api):
        mine, hers = make_location(bo, "A-1"), make_location(ann, "A-1")
        client = api(bo)
        assert client.post(f"{URL}/{mine.pk}/merge", {"into": hers.pk}).status_code == 404
        assert client.post(f"{URL}/{hers.pk}/merge", {"into": mine.pk}).status_code == 404
        assert Location.objects.count() == 2


class TestHistory:
    def test_tells_what_came_and_went_newest_first(self, ann, api):
        bin_, other = make_location(ann, "A-1"), make_location(ann, "A-2")
        item = make_stock(ann, make_lot(make_item("3001", "Brick 2 x 4")), 5, bin_)
        make_stock(ann, quantity=9, location=other)
        client = api(ann)
        client.post(f"/api/inventoryItems/{item.pk}/move", {"to": other.pk, "quantity": 2})

        rows = data(client.get(f"{URL}/{bin_.pk}/movements"))

        assert [(row["delta"], row["reason"], row["to_location_name"]) for row in rows] == [
            (-2, "move", "A-2"),
            (5, "edit", "A-1"),
        ]
        assert (rows[0]["item_id"], rows[0]["item_number"], rows[0]["part_name"]) == (
            item.pk,
            "3001",
            "Brick 2 x 4",
        )


class TestLookAlikes:
    def test_are_items_that_lie_there_in_several_colours(self, ann, api):
        bin_ = make_location(ann, "A-1")
        brick, plate = make_item("3001", "Brick 2 x 4"), make_item("3020")
        red, dark = make_color(5, "Red", rgb="B30006"), make_color(59, "Dark Red", rgb="6A0E15")
        red_brick, dark_plate = make_lot(brick, red), make_lot(plate, dark)
        make_stock(ann, red_brick, 3, bin_)
        make_stock(ann, red_brick, 2, bin_, condition="N")
        make_stock(ann, make_lot(brick, dark), 9, bin_)
        make_stock(ann, make_lot(plate, red), 1, bin_)
        make_stock(ann, dark_plate, 0, bin_)
        make_stock(ann, dark_plate, 4, make_location(ann, "A-2"))

        assert data(api(ann).get(f"{URL}/{bin_.pk}/lookAlikes")) == [
            {
                "item_number": "3001",
                "part_name": "Brick 2 x 4",
                "colors": [
                    {"color_name": "Dark Red", "color_html": "#6A0E15", "quantity": 9},
                    {"color_name": "Red", "color_html": "#B30006", "quantity": 5},
                ],
            }
        ]


class TestWeight:
    def test_says_how_many_pieces_it_leaves_out(self, ann, api):
        bin_ = make_location(ann, "A-1")
        make_stock(ann, make_lot(make_item(weight_grams=D(2))), 3, bin_)
        unknown = make_lot(make_item(number="x", weight_grams=None))
        make_stock(ann, unknown, 5, bin_)
        make_stock(ann, unknown, 9, bin_, condition="U")
        make_stock(ann, unknown, 7, make_location(ann, "A-2"))
        make_location(ann, "A-3")

        for url in (URL, f"{URL}/map"):
            rows = {row["name"]: row for row in data(api(ann).get(url))}
            assert rows["A-1"]["stored_weight"] == "6.0000"
            counts = {name: row["unknown_weight_count"] for name, row in rows.items()}
            assert counts == {"A-1": 14, "A-2": 7, "A-3": 0}
        of_one = data(api(ann).get(f"{URL}/{bin_.pk}"))
        assert of_one[0]["unknown_weight_count"] == 14


class TestMap:
    def test_draws_all_in_natural_order_with_their_fill(self, ann, bo, api):
        make_location(bo, "A-0")
        make_location(ann, "A-10", is_full=True)
        bin_ = make_location(ann, "A-2", max_item_count=10)
        make_stock(ann, quantity=4, location=bin_)

        response = api(ann).get(f"{URL}/map")

        assert names(response) == ["A-2", "A-10"]
        assert data(response)[0] == {
            "id": bin_.pk,
            "name": "A-2",
            "inventory_container_type_name": None,
            "item_count": 4,
            "max_item_count": 10,
            "stored_weight": data(response)[0]["stored_weight"],
            "unknown_weight_count": 4,
            "max_total_weight": None,
            "min_item_weight": None,
            "max_item_weight": None,
            "is_full": False,
            "exclude_from_recommendations": False,
            "total_value": "0.4000",
            "lots_without_price": 0,
        }
        assert response.json()["meta"]["pagination"]["page_size"] == 10_000

    def test_says_what_lies_in_each_is_worth(self, ann, bo, api):
        bin_, brick = make_location(ann, "A-1"), make_lot()
        make_stock(ann, brick, 2, bin_, price=D("0.50"))
        make_stock(ann, brick, 4, bin_, price=D("0.25"), condition="N")
        make_stock(ann, make_lot(make_item(number="x")), 7, bin_, price=None)
        make_stock(ann, brick, 8, price=D(9))
        make_stock(bo, brick, 8, make_location(bo, "A-1"), price=D(9))
        make_location(ann, "B-1")
        make_stock(ann, brick, 7, make_location(ann, "C-1"), price=None)

        rows = data(api(ann).get(f"{URL}/map"))

        told = {row["name"]: (row["total_value"], row["lots_without_price"]) for row in rows}
        assert told == {"A-1": ("2.0000", 1), "B-1": ("0.0000", 0), "C-1": (None, 1)}


class TestLabels:
    def test_come_as_a_pdf_of_the_chosen_ones(self, ann, api):
        ids = [make_location(ann, name).pk for name in ("A-1", "A-2", "A-3")]
        body = {"ids": ids[:2], "layout": "avery_l7160", "start": 21}
        response = api(ann).post(f"{URL}/labels", body, headers={"Idempotency-Key": "k"})
        assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
        assert response["Content-Disposition"] == 'attachment; filename="labels.pdf"'
        assert len(PdfReader(BytesIO(response.content)).pages) == 2

    @pytest.mark.parametrize(
        ("sizes", "told"),
        [
            (["roll_62", "roll_62"], ["roll_62"]),
            (["roll_62", "roll_12"], ["roll_12", "roll_62"]),
            (["roll_62", ""], ["", "roll_62"]),
            (["roll_62", None], ["", "roll_62"]),
            ([None], [""]),
        ],
        ids=str,
    )
    def test_tell_which_sizes_their_container_types_name(self, ann, api, sizes, told):
        ids = [
            make_location(
                ann,
                container_type=None if size is None else make_container_type(ann, label_size=size),
            ).pk
            for size in sizes
        ]
        body = {"ids": ids, "layout": "avery_l7160", "dry_run": True}
        assert data(api(ann).post(f"{URL}/labels", body))[0]["label_sizes"] == told

    def test_are_of_all_that_the_filters_leave(self, ann, api):
        drawer = make_container_type(ann, size_class="small")
        make_location(ann, "A-1", container_type=drawer)
        make_location(ann, "A-2")
        body = {"layout": "roll_62", "dry_run": True}
        found = data(api(ann).post(f"{URL}/labels?size_class=small", body))[0]
        assert found["names"] == ["A-1"]

    def test_are_remembered_until_the_name_changes(self, ann, api):
        bin_ = make_location(ann, "A-1")
        client = api(ann)
        body = {"ids": [bin_.pk], "layout": "roll_62"}
        client.post(f"{URL}/labels", body | {"dry_run": True})
        assert data(client.get(f"{URL}/{bin_.pk}"))[0]["labelPrintedAt"] is None

        client.post(f"{URL}/labels", body)
        client.patch(f"{URL}/{bin_.pk}", {"description": "left"})
        assert data(client.get(f"{URL}/{bin_.pk}"))[0]["labelPrintedAt"] is not None

        client.patch(f"{URL}/{bin_.pk}", {"name": "A-2"})
        assert data(client.get(f"{URL}/{bin_.pk}"))[0]["labelPrintedAt"] is None

    def test_come_for_all_that_the_filters_leave(self, ann, bo, api):
        make_location(bo, "A-9")
        make_location(ann, "A-1")
        make_location(ann, "B-1")
        body = {"layout": "avery_l7160", "start": 20, "dry_run": True}
        response = api(ann).post(f"{URL}/labels?search=a-", body)
        assert data(response) == [
            {
                "count": 1,
                "names": ["A-1"],
                "pages": 1,
                "unknown_characters": [],
                "label_sizes": [""],
            }
        ]

    def test_print_no_location_of_anybody_else(self, ann, bo, api):
        hers = make_location(ann, "A-1")
        response = api(bo).post(f"{URL}/labels", {"ids": [hers.pk], "layout": "roll_62"})
        assert (response.status_code, list(error_of(response)["fields"])) == (400, ["ids"])

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"layout": "nothing"}, "layout"),
            ({}, "layout"),
            ({"layout": "roll_12", "start": 2}, "start"),
            ({"layout": "roll_12", "shift_right": 21}, "shift_right"),
            ({"layout": "roll_12", "ids": [0]}, "ids.0"),
        ],
        ids=str,
    )
    def test_name_the_field_that_is_wrong(self, ann, api, body, field):
        make_location(ann, "A-1")
        response = api(ann).post(f"{URL}/labels", body)
        assert (response.status_code, list(error_of(response)["fields"])) == (400, [field])

    @pytest.mark.parametrize("beside", [{}, {"test_page": True}], ids=str)
    def test_refuse_an_unreadable_filter_beside_ids(self, ann, api, beside):
        body = {"ids": [make_location(ann, "A-1").pk], "layout": "roll_62"} | beside
        response = api(ann).post(f"{URL}/labels?is_full=perhaps", body)
        assert (response.status_code, list(error_of(response)["fields"])) == (400, ["is_full"])

    def test_have_a_test_page(self, ann, api):
        body = {"layout": "avery_5160", "test_page": True}
        response = api(ann).post(f"{URL}/labels", body)
        assert PdfReader(BytesIO(response.content)).pages[0].extract_text().split()[-1] == "30"

    def test_have_papers_to_choose_from(self, ann, api):
        papers = {row["id"]: row for row in data(api(ann).get("/api/labelLayouts"))}
        assert (papers["avery_l7163"]["per_page"], papers["avery_l7163"]["is_roll"]) == (14, False)
        assert (papers["roll_12"]["width"], papers["roll_12"]["is_roll"]) == (None, True)


class TestFaces:
    def test_are_of_what_most_pieces_are_and_count_what_is_promised(self, ann, bo, api):
        mine, empty, others = (
            make_location(ann, "A-1"),
            make_location(ann, "A-2"),
            make_location(bo, "B"),
        )
        lots = [make_lot() for _ in range(4)]
        for pieces, lot in enumerate(lots, start=1):
            make_stock(ann, lot, pieces, mine)
        InventoryItem.objects.filter(lot=lots[0]).update(promised=1)
        make_stock(bo, lots[0], 5, others)

        ids = [mine.pk, empty.pk, others.pk]
        (row,) = (
            api(ann)
            .post("/api/inventoryLocations/faces", {"ids": ids}, format="json")
            .json()["data"]
        )

        assert (row["location_id"], row["promised"]) == (mine.pk, 1)
        names = [lot.item.name for lot in reversed(lots)][:3]
        assert [face["part_name"] for face in row["faces"]] == names

    def test_refuse_what_are_no_ids(self, ann, api):
        for ids in ([], ["x"], None):
            answer = api(ann).post("/api/inventoryLocations/faces", {"ids": ids}, format="json")
            assert answer.status_code == 400
