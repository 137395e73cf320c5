"""The calls on many rows at once, as they go over the wire."""

from decimal import Decimal

import pytest

from apps.catalog.models import LotMaker
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import make_stock, quantities
from apps.locations.tests.factories import make_location
from apps.lots.models import KeptAct

pytestmark = pytest.mark.django_db
URL = "/api/inventoryItems"
D = Decimal


def data(response):
    return response.json()["data"]


def error_of(response):
    return response.json()["meta"]["error"]


@pytest.fixture
def lot():
    return make_lot(make_item("3001", "Brick 2 x 4", weight_grams=D("2.5")), make_color(5))


@pytest.fixture
def spread(ann, lot):
    """One lot in two bins."""
    return [
        make_stock(ann, lot, pieces, make_location(ann, name), price=D(price))
        for name, pieces, price in (("A", 30, "0.10"), ("B", 10, "0.20"))
    ]


class TestBulk:
    def test_knows_no_lot_that_somebody_else_made(self, ann, bo, api, lot):
        theirs = make_lot(lot.item, make_color(11, "Black"), is_known=False)
        LotMaker.objects.create(lot=theirs, maker=bo)
        row = make_stock(ann, lot, 1)
        body = {
            "create": [{"lot_id": theirs.pk}],
            "update": [{"id": row.pk, "lot_id": theirs.pk}],
            "atomic": False,
        }

        found = data(api(ann).post(f"{URL}/bulk", body, format="json"))

        assert [one["code"] for one in found] == ["UNKNOWN_REFERENCE"] * 2
        assert InventoryItem.objects.get().lot_id == lot.pk

    def test_brings_deleted_rows_back_with_all_that_they_had(self, ann, bo, api, lot):
        had = {
            "bulk": 4,
            "sale": 10,
            "reserved": "Carl",
            "retain": True,
            "stockroom": "B",
            "marketplace_lot_id": 77,
            "comments": "scratched",
            "remarks": "A, top",
            "cost": D("0.05"),
            "unit_weight_grams": D("2.4"),
        }
        row = make_stock(ann, lot, 0, make_location(ann, "A"), price=D("0.10"), **had)
        before = data(api(ann).get(f"{URL}/{row.pk}"))[0]
        api(ann).post(f"{URL}/bulk", {"delete": [row.pk]}, format="json")
        assert api(ann).get(f"{URL}/{row.pk}").status_code == 404

        (back,) = data(api(ann).post(f"{URL}/bulk", {"restore": [row.pk]}, format="json"))

        assert (back["action"], back["ok"], back["id"]) == ("restore", True, row.pk)
        after = data(api(ann).get(f"{URL}/{row.pk}"))[0]
        assert {**after, "updatedAt": ""} == {**before, "updatedAt": ""}
        assert after["updatedAt"] > before["updatedAt"]
        assert back["row"] == after

    def test_restores_nobody_elses_rows_and_leaves_those_that_are_there(self, ann, bo, api, lot):
        mine = make_stock(ann, lot, 3)
        theirs = make_stock(bo, lot, 0)
        api(bo).post(f"{URL}/bulk", {"delete": [theirs.pk]}, format="json")
        body = {"restore": [mine.pk, theirs.pk], "atomic": False}

        rows = data(api(ann).post(f"{URL}/bulk", body, format="json"))

        assert [(row["ok"], row["code"]) for row in rows] == [(True, None), (False, "NOT_FOUND")]
        assert InventoryItem.with_deleted.get(pk=theirs.pk).deleted_at is not None
        assert quantities(ann) == [(None, 3)]

    def test_answers_row_by_row_with_the_rows_as_they_are(self, ann, api, lot, spread):
        body = {
            "create": [{"lot_id": lot.pk, "quantity": 2}],
            "update": [{"id": spread[0].pk, "price": "0.5", "quantity": 31, "note": "found one"}],
            "delete": [{"id": spread[1].pk, "zero": True}],
        }

        rows = data(api(ann).post(f"{URL}/bulk", body, format="json"))

        assert [(row["action"], row["index"], row["ok"]) for row in rows] == [
            ("create", 0, True),
            ("update", 0, True),
            ("delete", 0, True),
        ]
        assert rows[1]["row"]["price"] == "0.5000"
        assert rows[1]["row"]["updatedAt"] != "2026-11-21T12:00:00Z"
        assert quantities(ann) == [(None, 2), ("A", 31)]
        newest = spread[0].movements.order_by("-id").first()
        assert (newest.delta, newest.note) == (1, "found one")

    @pytest.mark.parametrize("atomic", [True, False])
    def test_answers_with_the_row_as_it_is_where_it_changed_elsewhere(
        self, ann, api, spread, atomic
    ):
        seen = data(api(ann).get(f"{URL}/{spread[0].pk}"))[0]["updatedAt"]
        api(ann).patch(f"{URL}/{spread[0].pk}", {"quantity": 29}, format="json")
        body = {
            "update": [
                {"id": spread[0].pk, "updatedAt": seen, "quantity": 28},
                {"id": spread[1].pk, "quantity": 9},
            ],
            "atomic": atomic,
        }

        response = api(ann).post(f"{URL}/bulk", body, format="json")

        rows = data(response)
        now = rows[0] if atomic else rows[0]["row"]
        assert response.status_code == (409 if atomic else 200)
        assert (now["id"], now["quantity"]) == (spread[0].pk, 29)
        assert quantities(ann) == [("A", 29), ("B", 10 if atomic else 9)]

    def test_shows_rows_that_changed_elsewhere_in_the_order_of_the_request(self, ann, api, spread):
        ids = [spread[1].pk, spread[0].pk]
        early = "2020-01-01T00:00:00Z"
        edits = [{"id": pk, "updatedAt": early, "quantity": 28} for pk in ids]

        refused = api(ann).post(f"{URL}/bulk", {"update": edits}, format="json")

        assert refused.status_code == 409
        assert [row["id"] for row in data(refused)] == ids

    def test_names_what_is_wrong_with_each_row_and_does_nothing(self, ann, api, spread):
        body = {
            "update": [
                {"id": spread[0].pk, "quantity": 9},
                {"id": spread[1].pk, "quantity": "1.5"},
                {"id": "x"},
            ]
        }

        response = api(ann).post(f"{URL}/bulk", body, format="json")

        assert response.status_code == 400
        assert set(error_of(response)["fields"]) == {"update.1", "update.2"}
        assert quantities(ann) == [("A", 30), ("B", 10)]

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"update": {}},
            {"update": []},
            {"update": [], "atomic": "yes"},
            {"set": {"price": "1"}},
            {"set": {}, "ids": [1]},
            {"set": {"price": "1"}, "ids": [1], "filter": {}},
            {"set": {"price": "1"}, "ids": "all"},
            {"set": {"price": "1"}, "filter": {"owner": "1"}},
            {"set": {"price": "-1"}, "ids": [1]},
            {"delete": [{"id": 1, "zero": "yes"}]},
            [1, 2],
        ],
    )
    def test_refuses_what_is_no_such_request(self, ann, api, body):
        assert api(ann).post(f"{URL}/bulk", body, format="json").status_code == 400

    def test_sets_alike_what_matches_a_filter(self, ann, api, spread):
        body = {"filter": {"location": str(spread[0].location_id)}, "set": {"price": "0.9"}}

        api(ann).post(f"{URL}/bulk", body, format="json")

        prices = InventoryItem.objects.order_by("pk").values_list("price", flat=True)
        assert list(prices) == [D("0.9"), D("0.2")]

    def test_sets_alike_as_an_act_that_is_undone(self, ann, api, spread):
        ids = [row.pk for row in spread]
        before = quantities(ann)
        body = {"ids": ids, "set": {"quantity": 4, "price": "0.9"}}

        rows = data(api(ann).post(f"{URL}/bulk", body, format="json"))

        assert quantities(ann) == [("A", 4), ("B", 4)]
        (act_id,) = {row["act_id"] for row in rows}
        assert api(ann).post(f"/api/inventoryActs/{act_id}/undo").status_code == 200
        assert quantities(ann) == before

    @pytest.mark.parametrize("dry_run", [True, False])
    def test_keeps_no_act_where_nothing_was_changed(self, ann, api, spread, dry_run):
        price = "0.9" if dry_run else str(spread[0].price)
        body = {"ids": [spread[0].pk], "set": {"price": price}, "dry_run": dry_run}

        (row,) = data(api(ann).post(f"{URL}/bulk", body, format="json"))

        assert (D(row["row"]["price"]), row["act_id"]) == (D(price), None)
        assert not KeptAct.objects.exists()
        spread[0].refresh_from_db()
        assert spread[0].price != D("0.9")

    def test_knows_whose_rows_a_filter_is_about(self, ann, bo, api, lot, spread):
        make_stock(bo, lot, 5, make_location(bo, "A"))
        body = {"filter": {"location_name": "a"}, "set": {"price": "0.9"}}

        assert api(ann).post(f"{URL}/bulk", body, format="json").status_code == 200

        changed = InventoryItem.objects.filter(price=D("0.9"))
        assert [(row.owner, row.location.name) for row in changed] == [(ann, "A")]

    def test_is_applied_once_for_one_key(self, ann, api, lot):
        body = {"create": [{"lot_id": lot.pk, "quantity": 2}]}
        client = api(ann)

        for _ in range(2):
            client.post(f"{URL}/bulk", body, format="json", HTTP_IDEMPOTENCY_KEY="k-1")

        assert quantities(ann) == [(None, 2)]


class TestMoveMany:
    def test_moves_all_that_match_and_undoes_it(self, ann, api, spread):
        to = make_location(ann, "C")
        client = api(ann)

        (moved,) = data(client.post(f"{URL}/move", {"filter": {}, "to": to.pk}, format="json"))
        there = quantities(ann)
        (undone,) = data(client.post(f"/api/inventoryActs/{moved['act_id']}/undo"))

        assert (moved["moved"], moved["refused"]) == (2, [])
        assert there == [("C", 10), ("C", 30)]
        assert quantities(ann) == [("A", 30), ("B", 10)]
        assert undone["undoneAt"] is not None
        assert check_ledger().is_sound

    def test_moves_parts(self, ann, api, spread):
        to = make_location(ann, "C")
        body = {"items": [{"id": spread[0].pk, "quantity": 4}, {"id": spread[1].pk}], "to": to.pk}

        api(ann).post(f"{URL}/move", body, format="json")

        assert quantities(ann) == [("A", 26), ("C", 4), ("C", 10)]

    def test_says_which_rows_do_not_fit_when_not_atomic(self, ann, api, spread):
        to = make_location(ann, "C", max_item_count=12)
        body = {"ids": [row.pk for row in spread], "to": to.pk, "atomic": False}

        (moved,) = data(api(ann).post(f"{URL}/move", body, format="json"))

        assert moved["moved"] == 1
        assert [(row["id"], row["code"]) for row in moved["refused"]] == [
            (spread[0].pk, "CAPACITY_EXCEEDED")
        ]

    def test_refuses_all_for_one_that_does_not_fit(self, ann, api, spread):
        to = make_location(ann, "C", max_item_count=12)
        body = {"ids": [row.pk for row in spread], "to": to.pk}

        response = api(ann).post(f"{URL}/move", body, format="json")

        assert (response.status_code, error_of(response)["code"]) == (409, "CAPACITY_EXCEEDED")
        assert quantities(ann) == [("A", 30), ("B", 10)]


class TestConsolidate:
    def test_shows_it_first_then_does_what_was_shown(self, ann, api, spread):
        client, body = api(ann), {"filter": {"unconsolidated": True}, "target": "newest"}

        (shown,) = data(client.post(f"{URL}/consolidate", {**body, "dry_run": True}, format="json"))
        before = quantities(ann)
        body["mark"] = shown["mark"]
        (done,) = data(client.post(f"{URL}/consolidate", body, format="json"))

        (group,) = shown["groups"]
        assert group["target"]["id"] == spread[1].pk
        assert (group["quantity"], group["price"]) == (40, "0.1250")
        assert before == [("A", 30), ("B", 10)]
        assert (done["group_count"], done["refused"]) == (1, [])
        assert quantities(ann) == [("A", 0), ("B", 40)]

    @pytest.mark.parametrize(
        ("options", "field"),
        [
            ({"target": "biggest"}, "target"),
            ({"modes": {"price": "text"}}, "modes.price"),
            ({"modes": {"lot_id": "keep"}}, "modes.lot_id"),
            ({"emptied": "burn"}, "emptied"),
            ({"chosen": ["x"]}, "chosen.0"),
        ],
    )
    def test_refuses_options_that_there_are_not(self, ann, api, spread, options, field):
        body = {"ids": [row.pk for row in spread], **options}

        response = api(ann).post(f"{URL}/consolidate", body, format="json")

        assert response.status_code == 400
        assert list(error_of(response)["fields"]) == [field]
        assert quantities(ann) == [("A", 30), ("B", 10)]


class TestSplit:
    def test_answers_with_the_new_row(self, ann, api, spread):
        body = {"quantity": 4, "changes": {"condition": "N", "price": "0.3"}}

        response = api(ann).post(f"{URL}/{spread[0].pk}/split", body, format="json")

        (made,) = data(response)
        assert response.status_code == 201
        assert (made["row"]["quantity"], made["row"]["condition"]) == (4, "N")
        assert quantities(ann) == [("A", 4), ("A", 26), ("B", 10)]

    def test_a_note_does_not_pass_a_bins_limits(self, ann, api, spread):
        small = make_location(ann, "S", max_item_count=2)
        url = f"{URL}/{spread[0].pk}/split"
        body = {"quantity": 3, "changes": {"location_id": small.pk, "note": "chipped"}}
        client = api(ann)

        refused = client.post(url, body, format="json")
        body["changes"]["override_reason"] = "it closes"
        passed = client.post(url, body, format="json")

        assert refused.status_code == 409
        assert refused.json()["meta"]["error"]["code"] == "CAPACITY_EXCEEDED"
        assert passed.status_code == 201
        assert quantities(ann) == [("A", 27), ("B", 10), ("S", 3)]
        assert set(Movement.objects.filter(reason="split").values_list("note", flat=True)) == {
            "chipped (beyond the bin's limits: it closes)"
        }

    @pytest.mark.parametrize("quantity", [0, -1, 30, 1.5, "many", None])
    def test_refuses_quantities_that_leave_nothing(self, ann, api, spread, quantity):
        response = api(ann).post(
            f"{URL}/{spread[0].pk}/split", {"quantity": quantity}, format="json"
        )

        assert response.status_code in {400, 409}
        assert quantities(ann) == [("A", 30), ("B", 10)]


class TestByLot:
    def test_sums_a_lot_with_its_places(self, ann, api, lot, spread):
        make_stock(ann, lot, 7, condition="N")
        make_stock(ann, quantity=3, raw_item_number="x9", raw_item_type="P")

        rows = data(api(ann).get(f"{URL}/lots", {"ordering": "-quantity"}))

        assert [(row["item_number"], row["condition"], row["quantity"]) for row in rows] == [
            ("3001", "U", 40),
            ("3001", "N", 7),
            ("x9", "U", 3),
        ]
        used = rows[0]
        assert (used["row_count"], used["location_count"], used["value"]) == (2, 2, "5.0000")
        assert (used["price_min"], used["price_max"]) == ("0.1000", "0.2000")
        assert [(place["location_name"], place["quantity"]) for place in used["places"]] == [
            ("A", 30),
            ("B", 10),
        ]

    def test_narrows_as_the_list_does(self, ann, api, spread):
        rows = data(api(ann).get(f"{URL}/lots", {"location": spread[1].location_id}))

        assert [(row["quantity"], len(row["places"])) for row in rows] == [(10, 1)]

    def test_refuses_an_order_that_there_is_not(self, ann, api):
        assert api(ann).get(f"{URL}/lots", {"ordering": "owner"}).status_code == 400


class TestFilters:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ({"quantity_max": "10"}, ["B"]),
            ({"quantity_min": "11"}, ["A"]),
            ({"price_min": "0.15"}, ["B"]),
            ({"price_max": "0.1"}, ["A"]),
            ({"unpriced": "true"}, []),
            ({"unpriced": "false"}, ["A", "B"]),
            ({"updated_from": "2026-11-21"}, ["A", "B"]),
            ({"updated_from": "2026-11-22"}, []),
            ({"updated_to": "2026-11-21"}, ["A", "B"]),
            ({"updated_to": "2026-11-20"}, []),
            ({"changed_since": "2026-11-21T12:00:00Z"}, ["A", "B"]),
            ({"changed_since": "2026-11-21T12:00:01Z"}, []),
        ],
    )
    def test_narrow_the_list(self, ann, api, spread, query, found):
        rows = data(api(ann).get(URL, {**query, "ordering": "location_name"}))

        assert [row["location_name"] for row in rows] == found

    @pytest.mark.parametrize(
        ("state", "found"), [("for_sale", ["A"]), ("stockroom", ["B"]), ("no", [None])]
    )
    def test_tell_rows_apart_by_how_they_are_listed(self, ann, api, spread, state, found):
        make_stock(ann, spread[0].lot, 1)
        for row, stockroom in zip(spread, ("", "B"), strict=True):
            InventoryItem.objects.filter(pk=row.pk).update(
                marketplace_lot_id=400 + row.pk, stockroom=stockroom
            )

        rows = data(api(ann).get(URL, {"listed": state}))

        assert [row["location_name"] for row in rows] == found


class TestStocktakes:
    def test_counts_a_location_and_books_the_difference(self, ann, api, lot, spread):
        client, bin_ = api(ann), spread[0].location_id
        (take,) = data(client.post("/api/stocktakes", {"location_id": bin_}, format="json"))
        url = f"/api/stocktakes/{take['id']}"
        found = make_lot(make_item("3002"))

        (tally,) = data(
            client.post(
                f"{url}/counts",
                {
                    "counts": [
                        {"item_id": spread[0].pk, "counted": 28},
                        {"lot_id": found.pk, "counted": 2},
                    ]
                },
                format="json",
            )
        )
        (row,) = data(client.get(f"{url}/rows"))
        (extra,) = data(client.get(f"{url}/found"))
        (applied,) = data(client.post(f"{url}/apply", {"note": "spring"}, format="json"))

        assert (tally["fewer_pieces"], tally["found_pieces"]) == (2, 2)
        assert (row["counted"], row["seen"], row["quantity"]) == (28, 30, 30)
        assert (extra["item_number"], extra["counted"]) == ("3002", 2)
        assert applied["state"] == "applied"
        assert quantities(ann) == [("A", 2), ("A", 28), ("B", 10)]
        client.post(f"/api/inventoryActs/{applied['act_id']}/undo")
        assert quantities(ann) == [("A", 30), ("B", 10)]

    @pytest.mark.parametrize(
        "body",
        [
            {"counts": []},
            {"counts": [{"counted": 3}]},
            {"counts": [{"item_id": 1, "lot_id": 1, "counted": 3}]},
            {"counts": [{"item_id": 1, "counted": -1}]},
            {"counts": "all"},
        ],
    )
    def test_refuses_counts_of_nothing(self, ann, api, spread, body):
        client = api(ann)
        location = {"location_id": spread[0].location_id}
        (take,) = data(client.post("/api/stocktakes", location, format="json"))

        response = client.post(f"/api/stocktakes/{take['id']}/counts", body, format="json")

        assert response.status_code == 400
