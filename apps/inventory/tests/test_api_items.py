from decimal import Decimal
from pathlib import Path

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.queries import assert_query_budget
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import make_stock, quantities
from apps.locations.models import Location
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
LEDGER = Path(__file__).parent / "query_counts.json"
URL = "/api/inventoryItems"
D = Decimal


def data(response):
    return response.json()["data"]


def error_of(response):
    return response.json()["meta"]["error"]


@pytest.fixture
def brick():
    return make_lot(make_item("3001", "Brick 2 x 4", weight_grams=D("2.5")), make_color(5))


class TestListing:
    def test_shows_the_fields_of_the_spec(self, ann, api, brick):
        bin_ = make_location(ann, "B-07")
        row = make_stock(ann, brick, 4, bin_, price=D("0.1500"), comments="shiny", condition="N")

        shown = data(api(ann).get(f"{URL}/{row.pk}"))[0]

        assert shown["item_number"] == "3001"
        assert (shown["part_name"], shown["description"]) == ("Brick 2 x 4", "shiny")
        assert (shown["item_type"], shown["is_known"]) == ("PART", True)
        assert (shown["color_id"], shown["color_name"], shown["color_html"]) == (
            5,
            "Red",
            "#B30006",
        )
        assert (shown["quantity"], shown["price"], shown["condition"]) == (4, "0.1500", "N")
        assert (shown["location_id"], shown["location_name"]) == (bin_.pk, "B-07")
        assert shown["createdAt"] == shown["updatedAt"] == "2026-11-21T12:00:00Z"
        assert not [name for name in shown if name.startswith(("raw_", "lot__"))]

    def test_shows_an_unknown_lot_as_its_file_called_it(self, ann, api):
        make_stock(
            ann,
            raw_item_type="M",
            raw_item_number="x9",
            raw_item_name="Odd",
            raw_color_id=321,
            raw_color_name="Mauve",
        )

        shown = data(api(ann).get(URL))[0]

        assert (shown["item_number"], shown["part_name"], shown["item_type"]) == (
            "x9",
            "Odd",
            "MINIFIG",
        )
        assert (shown["color_id"], shown["color_name"], shown["is_known"]) == (321, "Mauve", False)

    def test_hides_rows_at_zero_unless_asked(self, ann, api):
        make_stock(ann, quantity=0)
        make_stock(ann, quantity=3)

        assert [row["quantity"] for row in data(api(ann).get(URL))] == [3]
        everything = data(api(ann).get(URL, {"show_zero_quantity": "true"}))
        assert sorted(row["quantity"] for row in everything) == [0, 3]

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ({"condition": "N"}, [2]),
            ({"item_type": "MINIFIG"}, [3]),
            ({"color_id": "7"}, [2]),
            ({"search": "brick blue"}, [2]),
            ({"search": "BRICK"}, [1, 2]),
            ({"search": "x9"}, [3]),
            ({"location": "none"}, [2, 3]),
            ({"is_known": "false"}, [3]),
            ({"search": "nothing like it"}, []),
            ({"location": "x"}, []),
            ({"location_name": "b-0"}, [1]),
            ({"location_name": "none"}, []),
            ({"color": "blu"}, [2]),
            ({"color": "mau"}, [3]),
        ],
        ids=str,
    )
    def test_can_be_narrowed(self, ann, api, brick, query, found):
        blue = make_lot(brick.item, make_color(7, name="Blue"))
        make_stock(ann, brick, 1, make_location(ann, "B-07"))
        make_stock(ann, blue, 2, condition="N")
        unknown = {"raw_item_number": "x9", "raw_color_name": "Mauve"}
        make_stock(ann, quantity=3, raw_item_type="M", **unknown)

        rows = data(api(ann).get(URL, {**query, "ordering": "quantity"}))

        assert [row["quantity"] for row in rows] == found

    def test_shows_what_is_unconsolidated(self, ann, bo, api, brick):
        one, two = make_location(ann), make_location(ann)
        make_stock(ann, brick, 1, one)
        make_stock(ann, brick, 2, two)
        make_stock(ann, brick, 3, one, condition="N")
        make_stock(ann, brick, 4, one, condition="N", price=D(9))
        make_stock(ann, brick, 0, None, condition="N")
        other = make_lot(make_item())
        make_stock(ann, other, 5, one)
        make_stock(ann, other, 6)
        make_stock(bo, other, 7)

        rows = data(api(ann).get(URL, {"unconsolidated": "true", "ordering": "quantity"}))

        assert [row["quantity"] for row in rows] == [1, 2, 5, 6]

    @pytest.mark.parametrize(
        ("ordering", "found"),
        [
            ("quantity", [1, 2, 3]),
            ("-quantity", [3, 2, 1]),
            ("price", [3, 2, 1]),
            ("-value", [2, 3, 1]),
            ("value", [1, 3, 2]),
            ("item_number", [2, 1, 3]),
            ("location_name", [1, 3, 2]),
            ("-createdAt", [3, 2, 1]),
        ],
    )
    def test_can_be_ordered(self, ann, api, ordering, found):
        first, second = make_location(ann, "A-2"), make_location(ann, "A-10")
        make_stock(ann, make_lot(make_item("20")), 1, first, price=D(3))
        make_stock(ann, make_lot(make_item("10")), 2, price=D(2))
        make_stock(ann, make_lot(make_item("30")), 3, second, price=D(1))

        rows = data(api(ann).get(URL, {"ordering": ordering}))

        assert [row["quantity"] for row in rows] == found

    def test_without_a_price_come_after_all_others_by_value(self, ann, api):
        for quantity, price in ((5, None), (100, D("0.2")), (2, D(5)), (1, D(0))):
            make_stock(ann, quantity=quantity, price=price)

        rows = data(api(ann).get(URL, {"ordering": "-value"}))

        assert [row["quantity"] for row in rows] == [100, 2, 1, 5]

    @pytest.mark.parametrize(
        "query",
        [
            {"condition": "X"},
            {"ordering": "secret"},
            {"page_size": "501"},
            {"item_type": "P"},
            {"lot": "abc"},
        ],
        ids=str,
    )
    def test_refuses_what_it_does_not_know(self, ann, api, query):
        response = api(ann).get(URL, query)

        assert response.status_code == 400
        assert list(error_of(response)["fields"]) == list(query)

    def test_is_each_owners_own(self, ann, bo, api):
        row = make_stock(ann)

        assert data(api(bo).get(URL)) == []
        for method, path in [
            ("get", ""),
            ("patch", ""),
            ("delete", ""),
            ("get", "/movements"),
            ("post", "/move"),
        ]:
            body = ({"to": None},) if method == "post" else ()
            response = getattr(api(bo), method)(f"{URL}/{row.pk}{path}", *body)
            assert (path, response.status_code) == (path, 404)

    @pytest.mark.parametrize("rows", [2, 30])
    def test_costs_the_same_for_few_and_many(self, ann, api, brick, rows):
        bins = [make_location(ann), make_location(ann)]
        for n in range(rows):
            make_stock(ann, brick, 1, bins[n % 2], price=D(n))
        client = api(ann)

        assert_query_budget(
            LEDGER,
            "items unconsolidated and searched",
            lambda: client.get(URL, {"unconsolidated": "true", "search": "brick"}),
        )


class TestEditing:
    def test_a_note_does_not_pass_a_bins_limits(self, ann, api, brick):
        small = make_location(ann, "S", max_item_count=2)
        row = {"lot_id": brick.pk, "quantity": 3, "location_id": small.pk}
        client = api(ann)

        refused = client.post(URL, {**row, "note": "from the attic"})
        passed = client.post(URL, {**row, "note": "from the attic", "override_reason": "it closes"})

        assert (refused.status_code, error_of(refused)["code"]) == (409, "CAPACITY_EXCEEDED")
        assert passed.status_code == 201
        assert quantities(ann) == [("S", 3)]
        assert [move.note for move in Movement.objects.all()] == [
            "from the attic (beyond the bin's limits: it closes)"
        ]

    def test_makes_a_row(self, ann, api, brick):
        bin_ = make_location(ann, "B-07")

        response = api(ann).post(
            URL,
            {"lot_id": brick.pk, "quantity": 3, "location_id": bin_.pk, "price": "0.25"},
        )

        assert response.status_code == 201
        row = data(response)[0]
        assert (row["quantity"], row["price"], row["condition"]) == (3, "0.2500", "U")
        assert row["remarks"] == "B-07"
        assert check_ledger().is_sound

    def test_books_an_edited_quantity(self, ann, api, brick):
        row = make_stock(ann, brick, 5, make_location(ann))

        response = api(ann).patch(f"{URL}/{row.pk}", {"quantity": 3, "note": "counted"})

        assert data(response)[0]["quantity"] == 3
        booked = data(api(ann).get(f"{URL}/{row.pk}/movements"))
        assert [(m["delta"], m["balance"], m["note"]) for m in booked] == [
            (-2, 3, "counted"),
            (5, 5, ""),
        ]
        assert booked[0]["by_name"] == "Ann"
        assert check_ledger().is_sound

    def test_carries_a_row_and_its_remarks(self, ann, api, brick):
        row = make_stock(ann, brick, 5, make_location(ann, "A-1"))
        to = make_location(ann, "B-07")

        shown = data(api(ann).patch(f"{URL}/{row.pk}", {"location_id": to.pk, "quantity": 6}))[0]

        assert (shown["location_name"], shown["remarks"], shown["quantity"]) == ("B-07", "B-07", 6)
        deltas = Movement.objects.filter(item=row).order_by("id").values_list("delta", flat=True)
        assert list(deltas) == [5, -5, 5, 1]
        assert check_ledger().is_sound

    def test_weighs_anew_when_the_weight_changes(self, ann, api, brick):
        bin_ = make_location(ann)
        row = make_stock(ann, brick, 4, bin_)

        api(ann).patch(f"{URL}/{row.pk}", {"unit_weight_grams": "1.5"})

        bin_.refresh_from_db()
        assert bin_.stored_weight == D(6)
        assert check_ledger().is_sound

    def test_refuses_a_full_location_with_its_numbers(self, ann, api, brick):
        row = make_stock(ann, brick, 5)
        small = make_location(ann, "S", max_item_count=3)

        response = api(ann).patch(f"{URL}/{row.pk}", {"location_id": small.pk})

        assert response.status_code == 409
        assert error_of(response)["code"] == "CAPACITY_EXCEEDED"
        assert error_of(response)["message"] == "S takes 3 more pieces, not 5."
        assert data(response)[0]["room"] == "3"
        assert quantities(ann) == [(None, 5)]

    def test_names_the_pieces_that_a_limit_of_weight_leaves_out(self, ann, api, brick):
        row = make_stock(ann, brick, 5, unit_weight_grams=D(2))
        light = make_location(ann, "L", max_total_weight=D(4))
        make_stock(ann, make_lot(), 3, light)

        response = api(ann).patch(f"{URL}/{row.pk}", {"location_id": light.pk})

        assert error_of(response)["message"] == (
            "L takes 4 g more, not 10 g. "
            "3 pieces in it have no known weight and are not counted as weight."
        )

    def test_lets_a_reason_pass(self, ann, api, brick):
        row = make_stock(ann, brick, 5)
        small = make_location(ann, "S", max_item_count=3)

        response = api(ann).patch(
            f"{URL}/{row.pk}", {"location_id": small.pk, "override_reason": "for today"}
        )

        assert response.status_code == 200
        assert set(Movement.objects.filter(reason="move").values_list("note", flat=True)) == {
            "for today"
        }

    @pytest.mark.parametrize("is_marked", [False, True], ids=["at its limits", "marked full"])
    def test_a_full_bin_lets_a_row_in_it_be_corrected(self, ann, api, brick, is_marked):
        bin_ = make_location(ann, "S", max_item_count=5, max_total_weight=D("12.5"))
        row = make_stock(ann, brick, 5, bin_)
        Location.objects.filter(pk=bin_.pk).update(is_full=is_marked)
        plate = make_lot(make_item("3020", "Plate 2 x 4", weight_grams=D("1.2")), make_color(5))
        client = api(ann)

        heavier = client.patch(f"{URL}/{row.pk}", {"unit_weight_grams": "2.6"})
        bin_.refresh_from_db()
        weighed = bin_.stored_weight
        renumbered = client.patch(
            f"{URL}/{row.pk}", {"lot_id": plate.pk, "unit_weight_grams": None}, format="json"
        )
        bin_.refresh_from_db()

        assert (heavier.status_code, weighed) == (200, D(13))
        assert (renumbered.status_code, bin_.stored_weight) == (200, D(6))
        assert data(renumbered)[0]["item_number"] == "3020"
        assert check_ledger().is_sound

    def test_a_correction_with_more_pieces_meets_the_limits_for_those(self, ann, api, brick):
        bin_ = make_location(ann, "S", max_item_count=6)
        row = make_stock(ann, brick, 5, bin_)

        refused = api(ann).patch(f"{URL}/{row.pk}", {"unit_weight_grams": "9", "quantity": 7})

        bin_.refresh_from_db()
        assert error_of(refused)["message"] == "S takes 1 more piece, not 2."
        assert (bin_.item_count, bin_.stored_weight) == (5, D("12.5"))

    def test_refuses_a_change_over_a_newer_one(self, ann, api, brick):
        row = make_stock(ann, brick, 5)
        client = api(ann)
        seen = data(client.get(f"{URL}/{row.pk}"))[0]["updatedAt"]
        client.patch(f"{URL}/{row.pk}", {"quantity": 4, "updatedAt": seen})

        response = client.patch(f"{URL}/{row.pk}", {"quantity": 9, "updatedAt": seen})

        assert response.status_code == 409
        assert (error_of(response)["code"], data(response)[0]["quantity"]) == ("CONFLICT", 4)
        assert quantities(ann) == [(None, 4)]

    @pytest.mark.parametrize(
        "change",
        [
            {"quantity": -1},
            {"quantity": "1,234"},
            {"quantity": 1.5},
            {"quantity": 2**31},
            {"price": "-0.01"},
            {"price": "1,50"},
            {"price": "0.00001"},
            {"condition": "X"},
            {"sale": 101},
            {"bulk": 0},
            {"lot_id": 999999},
            {"marker_color": "red"},
            {"comments": "bell\x07"},
            {"updatedAt": "yesterday"},
        ],
        ids=str,
    )
    def test_refuses_bad_values_by_field(self, ann, api, brick, change):
        row = make_stock(ann, brick, 5)

        response = api(ann).patch(f"{URL}/{row.pk}", change)

        assert response.status_code == 400
        assert list(error_of(response)["fields"]) == list(change)
        assert quantities(ann) == [(None, 5)]

    def test_deletes_only_what_holds_nothing(self, ann, api, brick):
        row = make_stock(ann, brick, 5)
        client = api(ann)

        refused = client.delete(f"{URL}/{row.pk}")
        client.patch(f"{URL}/{row.pk}", {"quantity": 0})
        done = client.delete(f"{URL}/{row.pk}")

        assert (refused.status_code, error_of(refused)["code"]) == (409, "CONFLICT")
        assert done.status_code == 200
        assert not InventoryItem.objects.exists()
        assert Movement.objects.count() == 2

    def test_applies_the_same_request_once(self, ann, api, brick):
        body = {"lot_id": brick.pk, "quantity": 3}
        client = api(ann)

        first = client.post(URL, body, headers={"Idempotency-Key": "k1"})
        second = client.post(URL, body, headers={"Idempotency-Key": "k1"})

        assert data(first)[0]["id"] == data(second)[0]["id"]
        assert quantities(ann) == [(None, 3)]


class TestMoving:
    def test_carries_a_part_into_another_bin(self, ann, api, brick):
        row = make_stock(ann, brick, 5, make_location(ann, "A-1"))
        to = make_location(ann, "B-07")

        shown = data(api(ann).post(f"{URL}/{row.pk}/move", {"to": to.pk, "quantity": 2}))[0]

        assert (shown["location_name"], shown["quantity"]) == ("B-07", 2)
        assert shown["id"] != row.pk
        assert quantities(ann) == [("A-1", 3), ("B-07", 2)]
        assert check_ledger().is_sound

    def test_refuses_more_than_there_is(self, ann, api, brick):
        row = make_stock(ann, brick, 5)

        response = api(ann).post(
            f"{URL}/{row.pk}/move", {"to": make_location(ann).pk, "quantity": 6}
        )

        assert response.status_code == 409
        assert error_of(response)["message"] == "There are 5 here, not 6."


class TestDestinations:
    def test_come_best_first_with_their_reasons(self, ann, api, brick):
        full = make_location(ann, "A-1", max_item_count=5)
        same = make_location(ann, "A-2", max_item_count=20)
        make_stock(ann, brick, 5, full)
        make_stock(ann, brick, 7, same)
        make_location(ann, "Z-9")
        make_location(ann, "no", exclude_from_recommendations=True)

        rows = data(
            api(ann).get(f"{URL}/destinations", {"lot": brick.pk, "condition": "U", "quantity": 2})
        )

        assert rows == [
            {
                "lot_id": brick.pk,
                "id": same.pk,
                "name": "A-2",
                "qty_on_hand": 7,
                "lastSold": "unknown",
                "lastSoldDate": None,
                "recommended": True,
                "reason": "same lot and condition: 7 here, 35 % full",
                "available_item_count": 13,
                "item_count": 7,
                "max_item_count": 20,
                "stored_weight": "17.5000",
                "unknown_weight_count": 0,
                "max_total_weight": None,
                "inventory_container_type_name": None,
            },
            {
                "lot_id": brick.pk,
                "id": rows[1]["id"],
                "name": "Z-9",
                "qty_on_hand": 0,
                "lastSold": "unknown",
                "lastSoldDate": None,
                "recommended": False,
                "reason": "empty",
                "available_item_count": None,
                "item_count": 0,
                "max_item_count": None,
                "stored_weight": "0.0000",
                "unknown_weight_count": 0,
                "max_total_weight": None,
                "inventory_container_type_name": None,
            },
        ]

    def test_come_for_several_lots_one_lot_after_the_other(self, ann, api, brick):
        plate = make_lot()
        for lot in (brick, plate):
            make_stock(ann, lot, 5, make_location(ann))

        rows = data(
            api(ann).get(f"{URL}/destinations", {"lot": plate.pk, "more_lots": str(brick.pk)})
        )

        assert [row["lot_id"] for row in rows if row["recommended"]] == [plate.pk, brick.pk]

    @pytest.mark.parametrize(
        "query",
        [
            *({}, {"lot": "x"}, {"lot": 1, "quantity": 0}, {"lot": 1, "condition": "A"}),
            *({"lot": 1, "more_lots": "2,x"}, {"lot": 1, "more_lots": ",".join("123456789" * 2)}),
        ],
        ids=str,
    )
    def test_want_a_lot(self, ann, api, query):
        assert api(ann).get(f"{URL}/destinations", query).status_code == 400


class TestOwned:
    def test_tells_what_there_is_of_a_lot_or_of_an_item(self, ann, bo, api, brick):
        blue = make_lot(brick.item, make_color(7))
        make_stock(ann, brick, 2, make_location(ann, "A-1"))
        make_stock(ann, brick, 0)
        make_stock(ann, blue, 5)
        make_stock(bo, blue, 9)
        client = api(ann)

        of_lot = data(client.get(f"{URL}/owned", {"lot": brick.pk}))
        of_item = data(client.get(f"{URL}/owned", {"item": brick.item_id}))

        assert [(row["quantity"], row["location_name"]) for row in of_lot] == [(2, "A-1")]
        assert [(row["quantity"], row["color_id"]) for row in of_item] == [(5, 7), (2, 5)]

    def test_wants_one_of_the_two(self, ann, api):
        assert api(ann).get(f"{URL}/owned").status_code == 400
        assert api(ann).get(f"{URL}/owned", {"lot": 1, "item": 1}).status_code == 400
