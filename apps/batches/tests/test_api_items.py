from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.batches.models import BatchItem, BatchOperation
from apps.batches.tests.factories import (
    in_location,
    list_all,
    make_batch,
    make_item,
    make_location,
    stock_of,
    stow_all,
)
from apps.catalog.models import Lot
from apps.catalog.rules.kinds import ItemType
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.errors import NotFound
from apps.core.testing.jobs import run_jobs, run_twice
from apps.core.testing.queries import count_queries
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.locations.models import Location
from apps.lots.models import KeptAct

pytestmark = pytest.mark.django_db
URL = "/api/batchItems"

FIELDS = {
    "id",
    "batch_id",
    "lot_id",
    "color_id",
    "color_name",
    "item_number",
    "item_name",
    "item_type",
    "qty",
    "condition",
    "price",
    "user_inventory_item_location_id",
    "user_inventory_item_location_name",
    "is_stowed",
    "is_stowed_pending",
    "is_listed",
    "is_listed_pending",
    "createdAt",
    "updatedAt",
    "stowedAt",
    "image_url",
}


def row_of(response):
    return response.json()["data"][0]


def fields_of(response):
    return response.json()["meta"]["error"]["fields"]


class TestList:
    def test_a_row_has_the_fields_of_the_spec(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        brick = make_catalogue_item("3001", "Brick 2 x 4", face="a" * 16)
        item = make_item(
            batch, quantity=3, lot=make_lot(brick, make_color(5)), location=place, condition="N"
        )

        row = row_of(api(ann).get(f"{URL}?batch={batch.pk}"))

        assert row.keys() >= FIELDS
        assert (row["item_number"], row["item_name"], row["item_type"]) == (
            "3001",
            "Brick 2 x 4",
            "PART",
        )
        assert (row["color_id"], row["color_name"], row["color_html"]) == (5, "Red", "#B30006")
        assert (row["qty"], row["price"], row["condition"]) == (3, "0.1000", "N")
        assert (
            row["user_inventory_item_location_id"],
            row["user_inventory_item_location_name"],
        ) == (place.pk, "A-01")
        assert row["id"] == item.pk
        assert row["is_known"] is True
        assert row["image_url"] == f"/pictures/1/{'a' * 16}/B30006-5/128.webp"

    def test_an_unknown_item_shows_what_its_file_said(self, ann, api):
        batch = make_batch(ann)
        make_item(
            batch,
            raw_item_type="G",
            raw_item_number="x999",
            raw_item_name="Mystery",
            raw_color_id=4,
            raw_color_name="Orange",
        )

        row = row_of(api(ann).get(URL))

        assert (row["lot_id"], row["is_known"], row["image_url"]) == (None, False, "")
        assert (row["item_type"], row["item_number"], row["item_name"]) == (
            "GEAR",
            "x999",
            "Mystery",
        )
        assert (row["color_id"], row["color_name"], row["color_html"]) == (4, "Orange", "")

    def test_the_four_states_filter(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        listed = make_item(batch)
        stow_all(batch, place)
        list_all(batch)
        stowed = make_item(batch)
        stow_all(batch, place)
        new = make_item(batch)

        def ids(state):
            answer = api(ann).get(f"{URL}?batch={batch.pk}&state={state}").json()
            return [row["id"] for row in answer["data"]]

        assert ids("all") == [listed.pk, stowed.pk, new.pk]
        assert ids("new") == [new.pk]
        assert ids("stowed") == [stowed.pk]
        assert ids("listed") == [listed.pk]
        assert api(ann).get(f"{URL}?state=gone").status_code == 400

    def test_other_filters(self, ann, api):
        batch, other, place = make_batch(ann), make_batch(ann, "Other"), make_location(ann)
        red = make_item(
            batch,
            lot=make_lot(make_catalogue_item("3001", "Brick 2 x 4"), make_color(5)),
            location=place,
            condition="N",
        )
        fig = make_item(
            batch, lot=make_lot(make_catalogue_item("sw0001", "Droid", "MINIFIG")), remarks="B-07"
        )
        odd = make_item(batch, raw_item_type="P", raw_item_number="x999", raw_color_id=11)
        make_item(other)

        def ids(query):
            answer = api(ann).get(f"{URL}?batch={batch.pk}&{query}").json()
            return [row["id"] for row in answer["data"]]

        assert ids("search=brick") == [red.pk]
        assert ids("search=red 3001") == [red.pk]
        assert ids("search=x999") == [odd.pk]
        assert ids("search=b-07") == [fig.pk]
        assert ids("item_type=MINIFIG") == [fig.pk]
        assert ids("item_type=PART") == [red.pk, odd.pk]
        assert ids("color_id=5") == [red.pk]
        assert ids("color_id=11") == [odd.pk]
        assert ids("condition=N") == [red.pk]
        assert ids(f"location={place.pk}") == [red.pk]
        assert ids("location=none") == [fig.pk, odd.pk]
        assert ids(f"lot={red.lot_id}") == [red.pk]
        assert ids("is_known=false") == [odd.pk]
        assert ids("is_known=true") == [red.pk, fig.pk]

    @pytest.mark.parametrize(
        "ordering",
        [
            "id",
            "createdAt",
            "updatedAt",
            "stowedAt",
            "qty",
            "price",
            "condition",
            "item_number",
            "item_name",
            "item_type",
            "color_name",
            "user_inventory_item_location_name",
        ],
    )
    def test_orders_both_ways(self, ann, api, ordering):
        batch = make_batch(ann)
        small = make_item(batch, quantity=1, lot=make_lot(make_catalogue_item("9")))
        large = make_item(
            batch, quantity=2, price="9.0000", lot=make_lot(make_catalogue_item("9b", "Plate"))
        )

        def ids(text):
            return [row["id"] for row in api(ann).get(f"{URL}?ordering={text}").json()["data"]]

        assert sorted(ids(ordering)) == sorted(ids(f"-{ordering}")) == [small.pk, large.pk]
        if ordering in {"qty", "price", "item_number"}:
            assert ids(ordering) == [small.pk, large.pk]
            assert ids(f"-{ordering}") == [large.pk, small.pk]


class TestCreate:
    def test_adds_a_lot_and_tells_what_was_added_last(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        make_item(batch, quantity=10)
        lot = make_lot(make_catalogue_item("3001", "Brick 2 x 4"), make_color(5))

        response = api(ann).post(
            URL,
            {
                "batch_id": batch.pk,
                "lot_id": lot.pk,
                "qty": 4,
                "condition": "N",
                "price": "0.1234",
                "user_inventory_item_location_id": place.pk,
            },
        )

        assert response.status_code == 201
        row = row_of(response)
        assert (row["qty"], row["price"], row["condition"], row["is_stowed"]) == (
            4,
            "0.1234",
            "N",
            False,
        )
        timestamp = row["last_added"].pop("timestamp")
        assert timestamp.endswith("Z")
        assert row["last_added"] == {
            "batchId": batch.pk,
            "batchName": "Summer lot",
            "totalItemsAdded": 14,
            "quantity": 4,
            "itemName": "Brick 2 x 4",
            "itemNumber": "3001",
            "itemType": "PART",
            "colorName": "Red",
            "colorHtml": "#B30006",
        }

    def test_defaults_are_one_used_piece_without_a_price(self, ann, api):
        batch, lot = make_batch(ann), make_lot()

        row = row_of(api(ann).post(URL, {"batch_id": batch.pk, "lot_id": lot.pk}))

        assert (row["qty"], row["condition"], row["price"]) == (1, "U", None)

    def test_tops_up_only_when_asked(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        body = {"batch_id": batch.pk, "lot_id": lot.pk, "qty": 2, "price": "0.10"}
        first = row_of(api(ann).post(URL, body))

        topped = row_of(api(ann).post(URL, {**body, "top_up": True}))
        apart = row_of(api(ann).post(URL, body))
        other = row_of(api(ann).post(URL, {**body, "price": "0.11", "top_up": True}))
        new = row_of(api(ann).post(URL, {**body, "condition": "N", "top_up": True}))

        assert (topped["id"], topped["qty"], topped["is_topped_up"]) == (first["id"], 4, True)
        assert topped["last_added"]["quantity"] == 2
        assert len({first["id"], apart["id"], other["id"], new["id"]}) == 4

    @pytest.mark.parametrize(("here", "added"), [("0.10", None), (None, "0.10"), (None, None)])
    def test_tops_up_a_row_where_either_has_no_price(self, ann, api, here, added):
        batch, lot = make_batch(ann), make_lot()
        body = {"batch_id": batch.pk, "lot_id": lot.pk}
        first = row_of(api(ann).post(URL, {**body, "price": here}))

        topped = row_of(api(ann).post(URL, {**body, "price": added, "top_up": True}))

        assert (topped["id"], topped["qty"]) == (first["id"], 2)
        assert topped["price"] == ("0.1000" if here or added else None)

    def test_tops_up_the_row_of_its_price_rather_than_one_without(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        body = {"batch_id": batch.pk, "lot_id": lot.pk}
        same = row_of(api(ann).post(URL, {**body, "price": "0.10"}))
        api(ann).post(URL, body)

        topped = row_of(api(ann).post(URL, {**body, "price": "0.10", "top_up": True}))

        assert topped["id"] == same["id"]

    def test_never_tops_up_what_is_stowed(self, ann, api):
        batch, lot, place = make_batch(ann), make_lot(), make_location(ann)
        stowed = make_item(batch, quantity=2, lot=lot)
        stow_all(batch, place)

        row = row_of(
            api(ann).post(
                URL,
                {
                    "batch_id": batch.pk,
                    "lot_id": lot.pk,
                    "qty": 1,
                    "price": "0.10",
                    "top_up": True,
                },
            )
        )

        assert row["id"] != stowed.pk
        assert stock_of(ann) == [("A-01", 2)]

    @pytest.mark.parametrize("kind", [kind.value for kind in ItemType])
    def test_takes_each_of_the_nine_types(self, ann, api, kind):
        batch = make_batch(ann)
        make_color(0)
        make_color(5)
        make_catalogue_item("known-1", "Known", kind)
        body = {"batch_id": batch.pk, "item_type": kind, "color_id": 5}

        known = row_of(api(ann).post(URL, {**body, "item_number": "known-1"}))
        unknown = row_of(api(ann).post(URL, {**body, "item_number": "unknown-1"}))

        assert (known["item_type"], known["item_number"], known["is_known"]) == (
            kind,
            "known-1",
            True,
        )
        assert known["color_id"] == (5 if kind in {"PART", "GEAR"} else 0)
        assert (unknown["item_type"], unknown["item_number"], unknown["is_known"]) == (
            kind,
            "unknown-1",
            False,
        )

    def test_a_pair_nobody_has_seen_becomes_a_lot(self, ann, api):
        batch = make_batch(ann)
        make_color(11)
        item = make_catalogue_item("3001")

        row = row_of(
            api(ann).post(
                URL,
                {
                    "batch_id": batch.pk,
                    "item_type": "PART",
                    "item_number": "3001",
                    "color_id": 11,
                },
            )
        )

        lot = Lot.objects.get(item=item, color_id=11)
        assert (row["lot_id"], lot.is_known) == (lot.pk, False)

    def test_an_unsorted_lot_needs_no_number(self, ann, api):
        batch = make_batch(ann)

        row = row_of(
            api(ann).post(
                URL,
                {
                    "batch_id": batch.pk,
                    "item_type": "UNSORTED_LOT",
                    "item_name": "Rest of the box",
                    "unit_weight_grams": "5200",
                },
            )
        )

        assert (row["item_type"], row["item_number"], row["item_name"]) == (
            "UNSORTED_LOT",
            "",
            "Rest of the box",
        )

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"qty": -1}, "qty"),
            ({"qty": 1.5}, "qty"),
            ({"qty": "1,234"}, "qty"),
            ({"qty": True}, "qty"),
            ({"qty": 10_000_000}, "qty"),
            ({"qty": None}, "qty"),
            ({"price": "-1"}, "price"),
            ({"price": "0.12345"}, "price"),
            ({"price": "0,50"}, "price"),
            ({"price": "NaN"}, "price"),
            ({"price": "100000000"}, "price"),
            ({"condition": "X"}, "condition"),
            ({"sub_condition": "S"}, "sub_condition"),
            ({"item_type": "BRICK"}, "item_type"),
            ({"batch_id": 999}, "batch_id"),
            ({"batch_id": "one"}, "batch_id"),
            ({"lot_id": 999_999}, "lot_id"),
            ({"color_id": 999_999, "item_type": "PART", "item_number": "1"}, "color_id"),
            ({"user_inventory_item_location_id": 999}, "user_inventory_item_location_id"),
            ({"bulk": 0}, "bulk"),
            ({"sale": 101}, "sale"),
            ({"tq1": -1}, "tq1"),
            ({"stockroom": "D"}, "stockroom"),
            ({"marker_color": "red"}, "marker_color"),
            ({"remarks": "a\x01b"}, "remarks"),
            ({"unit_weight_grams": "-1"}, "unit_weight_grams"),
        ],
    )
    def test_bad_input_names_the_field(self, ann, api, change, field):
        batch, lot = make_batch(ann), make_lot()

        response = api(ann).post(
            URL, {"batch_id": batch.pk, "lot_id": lot.pk, "qty": 1, "price": "1", **change}
        )

        assert response.status_code == 400
        assert field in fields_of(response)
        assert not BatchItem.objects.exists()

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "lot_id"),
            ({"item_number": "3001"}, "item_type"),
            ({"item_number": "3001", "item_type": "PART"}, "color_id"),
            ({"item_number": " ", "item_type": "SET"}, "item_number"),
            ({"item_type": "SET", "item_name": "No number"}, "item_number"),
        ],
    )
    def test_says_what_an_identity_lacks(self, ann, api, body, field):
        batch = make_batch(ann)

        response = api(ann).post(URL, {"batch_id": batch.pk, **body})

        assert response.status_code == 400
        assert field in fields_of(response)

    def test_the_same_request_twice_adds_once(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        body = {"batch_id": batch.pk, "lot_id": lot.pk, "qty": 2, "top_up": True}

        first = api(ann).post(URL, body, headers={"Idempotency-Key": "k"})
        again = api(ann).post(URL, body, headers={"Idempotency-Key": "k"})

        assert first.json() == again.json()
        assert BatchItem.objects.get().quantity == 2

    def test_costs_few_queries_however_many_rows_the_batch_holds(self, ann, api):
        client, batch, location = api(ann), make_batch(ann), make_location(ann)
        body = {"batch_id": batch.pk, "user_inventory_item_location_id": location.pk}

        def add():
            draft = {**body, "lot_id": make_lot().pk, "top_up": True}
            key = {"Idempotency-Key": f"add-{draft['lot_id']}"}
            return count_queries(lambda: client.post(URL, draft, headers=key))[0]

        counts = [add() for _ in range(3)]

        assert counts == [counts[0]] * 3
        assert counts[0] <= (15 if connection.vendor == "sqlite" else 18)


class TestEdit:
    def test_takes_zero_pieces_and_four_decimals(self, ann, api):
        item = make_item(make_batch(ann))

        row = row_of(api(ann).patch(f"{URL}/{item.pk}", {"qty": 0, "price": "0.1234"}))

        assert (row["qty"], row["price"]) == (0, "0.1234")

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"qty": -1}, "qty"),
            ({"qty": 1.5}, "qty"),
            ({"price": "-1"}, "price"),
            ({"price": "0.12345"}, "price"),
            ({"condition": "used"}, "condition"),
            ({"lot_id": 999_999}, "lot_id"),
            ({"color_id": 999_999}, "color_id"),
            ({"updatedAt": "yesterday"}, "updatedAt"),
        ],
    )
    def test_bad_input_names_the_field_and_changes_nothing(self, ann, api, change, field):
        item = make_item(make_batch(ann), quantity=3)

        response = api(ann).patch(f"{URL}/{item.pk}", change)

        assert response.status_code == 400
        assert field in fields_of(response)
        item.refresh_from_db()
        assert (item.quantity, item.price) == (3, Decimal("0.1000"))

    def test_the_batch_cannot_be_changed(self, ann, api):
        item, other = make_item(make_batch(ann)), make_batch(ann, "Other")

        response = api(ann).patch(f"{URL}/{item.pk}", {"batch_id": other.pk})

        assert fields_of(response) == {"batch_id": ["cannot be changed"]}

    def test_another_colour_is_another_lot_of_the_same_item(self, ann, api):
        brick = make_catalogue_item("3001")
        item = make_item(make_batch(ann), lot=make_lot(brick, make_color(5)))
        make_color(11)

        row = row_of(api(ann).patch(f"{URL}/{item.pk}", {"color_id": 11}))

        assert (row["item_number"], row["color_id"]) == ("3001", 11)

    def test_an_unknown_item_becomes_known_by_its_number(self, ann, api):
        brick = make_catalogue_item("3001")
        make_color(5)
        item = make_item(
            make_batch(ann),
            raw_item_type="P",
            raw_item_number="3OO1",
            raw_color_id=5,
            extra={"item_type_name": "Teil", "extra": [["OwlID", "1", None]]},
        )

        row = row_of(api(ann).patch(f"{URL}/{item.pk}", {"item_number": "3001"}))

        assert (row["is_known"], row["color_id"]) == (True, 5)
        item.refresh_from_db()
        assert item.lot.item_id == brick.pk
        assert item.raw_item_number == ""
        assert item.extra == {"extra": [["OwlID", "1", None]]}

    def test_the_same_lot_again_keeps_what_the_file_said(self, ann, api):
        item = make_item(make_batch(ann), raw_item_number="3001", lot=make_lot())
        BatchItem.objects.filter(pk=item.pk).update(lot=make_lot())
        item.refresh_from_db()

        api(ann).patch(f"{URL}/{item.pk}", {"lot_id": item.lot_id, "qty": 9})

        item.refresh_from_db()
        assert (item.raw_item_number, item.quantity) == ("3001", 9)

    def test_the_second_of_two_editors_gets_the_row_as_it_is_now(self, ann, api):
        item = make_item(make_batch(ann))
        seen = row_of(api(ann).get(f"{URL}/{item.pk}"))["updatedAt"]
        api(ann).patch(f"{URL}/{item.pk}", {"qty": 7, "updatedAt": seen})

        late = api(ann).patch(f"{URL}/{item.pk}", {"qty": 8, "updatedAt": seen})

        assert late.status_code == 409
        assert late.json()["data"][0]["qty"] == 7
        item.refresh_from_db()
        assert item.quantity == 7


class TestEditStowed:
    @pytest.fixture
    def stowed(self, ann):
        batch, place = make_batch(ann), make_location(ann, max_item_count=10)
        item = make_item(batch, quantity=5)
        stow_all(batch, place)
        return item

    def test_more_and_fewer_pieces_move_the_difference(self, ann, api, stowed):
        api(ann).patch(f"{URL}/{stowed.pk}", {"qty": 8})
        assert stock_of(ann) == [("A-01", 8)]

        api(ann).patch(f"{URL}/{stowed.pk}", {"qty": 2})
        assert stock_of(ann) == [("A-01", 2)]

        stowed.refresh_from_db()
        assert [
            (one.delta, one.reason, one.cause_id)
            for one in stowed.inventory_item.movements.order_by("pk")
        ] == [(5, "stow", stowed.pk), (3, "stow", stowed.pk), (-6, "remove", stowed.pk)]

    def test_more_than_fit_are_refused_and_nothing_changes(self, ann, api, stowed):
        response = api(ann).patch(f"{URL}/{stowed.pk}", {"qty": 11, "price": "9"})

        assert response.status_code == 409
        assert response.json()["meta"]["error"]["message"] == "A-01 takes 5 more pieces, not 6."
        stowed.refresh_from_db()
        assert (stowed.quantity, stowed.price) == (5, Decimal("0.1000"))
        assert stock_of(ann) == [("A-01", 5)]

    def test_a_reason_overrides(self, ann, api, stowed):
        response = api(ann).patch(
            f"{URL}/{stowed.pk}", {"qty": 11, "override_reason": "They are tiny."}
        )

        assert response.status_code == 200
        assert stock_of(ann) == [("A-01", 11)]

    def test_price_and_condition_follow_in_a_row_of_its_own(self, ann, api, stowed):
        api(ann).patch(
            f"{URL}/{stowed.pk}", {"price": "0.2500", "condition": "N", "comments": "shiny"}
        )

        stowed.refresh_from_db()
        row = stowed.inventory_item
        assert (row.price, row.condition, row.comments, row.quantity) == (
            Decimal("0.2500"),
            "N",
            "shiny",
            5,
        )

    def test_in_a_shared_row_the_pieces_go_apart(self, ann, api, stowed):
        lot, batch = stowed.lot, stowed.batch
        other = make_item(batch, quantity=3, lot=lot)
        stowed.refresh_from_db()
        stow_all(batch, stowed.location)
        other.refresh_from_db()
        assert other.inventory_item_id == stowed.inventory_item_id

        response = api(ann).patch(f"{URL}/{stowed.pk}", {"price": "0.2500"})

        assert response.status_code == 200
        stowed.refresh_from_db()
        other.refresh_from_db()
        assert stowed.inventory_item_id != other.inventory_item_id
        assert (stowed.inventory_item.quantity, stowed.inventory_item.price) == (
            5,
            Decimal("0.2500"),
        )
        assert (other.inventory_item.quantity, other.inventory_item.price) == (
            3,
            Decimal("0.1000"),
        )
        stowed.location.refresh_from_db()
        assert stowed.location.item_count == 8

    def test_a_full_bin_lets_a_part_of_a_shared_row_be_corrected(self, ann, api, stowed):
        stowed.refresh_from_db()
        other = make_item(stowed.batch, quantity=3, lot=stowed.lot)
        stow_all(stowed.batch, stowed.location)
        Location.objects.filter(pk=stowed.location_id).update(is_full=True)
        client = api(ann)

        response = client.patch(f"{URL}/{stowed.pk}", {"price": "0.2500", "qty": 4})
        more = client.patch(f"{URL}/{other.pk}", {"qty": 4})

        assert response.status_code == 200
        assert more.status_code == 409
        assert stock_of(ann) == [("A-01", 3), ("A-01", 4)]
        assert in_location("A-01", ann) == 7

    def test_another_location_moves_the_pieces(self, ann, api, stowed):
        there = make_location(ann, "B-01")

        api(ann).patch(f"{URL}/{stowed.pk}", {"user_inventory_item_location_id": there.pk})

        assert stock_of(ann) == [("B-01", 5)]

    def test_no_location_is_refused(self, ann, api, stowed):
        response = api(ann).patch(f"{URL}/{stowed.pk}", {"user_inventory_item_location_id": None})

        assert response.status_code == 400
        assert stock_of(ann) == [("A-01", 5)]

    def test_a_listed_item_is_marked_as_changed_since(self, ann, api, stowed):
        list_all(stowed.batch)

        row = row_of(api(ann).patch(f"{URL}/{stowed.pk}", {"price": "0.2500"}))

        assert (row["is_listed"], row["is_changed_since_listing"]) == (True, True)


class TestDelete:
    def test_a_new_item_goes(self, ann, api):
        item = make_item(make_batch(ann))

        assert api(ann).delete(f"{URL}/{item.pk}").status_code == 200
        assert not BatchItem.objects.exists()

    def test_a_stowed_item_asks_about_its_stock(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        first, second = make_item(batch, quantity=3), make_item(batch, quantity=4)
        stow_all(batch, place)

        asked = api(ann).delete(f"{URL}/{first.pk}")

        assert asked.status_code == 409
        assert "stock" in fields_of(asked)
        assert BatchItem.objects.count() == 2
        assert api(ann).delete(f"{URL}/{first.pk}?stock=burn").status_code == 400

        api(ann).delete(f"{URL}/{first.pk}?stock=out")
        assert stock_of(ann) == [("A-01", 4)]

        api(ann).delete(f"{URL}/{second.pk}?stock=keep")
        assert stock_of(ann) == [("A-01", 4)]
        assert not BatchItem.objects.exists()

    def test_a_listed_item_stays(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        item = make_item(batch)
        stow_all(batch, place)
        list_all(batch)

        assert api(ann).delete(f"{URL}/{item.pk}?stock=out").status_code == 409
        assert stock_of(ann) == [("A-01", 3)]


class TestCount:
    def count(self, client, item, change):
        return client.post(f"{URL}/{item.pk}/count", {"change": change})

    def test_puts_pieces_onto_what_the_item_holds_by_now(self, ann, api):
        item = make_item(make_batch(ann), quantity=3)
        api(ann).patch(f"{URL}/{item.pk}", {"qty": 10})

        assert row_of(self.count(api(ann), item, 2))["qty"] == 12
        assert row_of(self.count(api(ann), item, -5))["qty"] == 7

    @pytest.mark.parametrize("change", [-3, -8])
    def test_the_last_piece_takes_the_item_along(self, ann, api, change):
        item = make_item(make_batch(ann), quantity=3)

        answer = self.count(api(ann), item, change)

        assert (answer.status_code, answer.json()["data"]) == (200, [])
        assert not BatchItem.objects.exists()

    def test_moves_the_stock_of_a_stowed_item(self, ann, api):
        item, place = make_item(make_batch(ann), quantity=3), make_location(ann)
        stow_all(item.batch, place)

        self.count(api(ann), item, 2)
        assert stock_of(ann) == [("A-01", 5)]
        self.count(api(ann), item, -5)

        assert stock_of(ann) == []
        assert not BatchItem.objects.exists()

    def test_a_listed_item_stays(self, ann, api):
        item = make_item(make_batch(ann), quantity=3)
        stow_all(item.batch, make_location(ann))
        list_all(item.batch)

        assert self.count(api(ann), item, -3).status_code == 409
        assert stock_of(ann) == [("A-01", 3)]

    def test_another_persons_item_is_not_there(self, ann, bo, api):
        item = make_item(make_batch(ann), quantity=3)

        assert self.count(api(bo), item, 1).status_code == 404

    def test_a_row_has_its_most(self, ann, api):
        item = make_item(make_batch(ann), quantity=9_999_999)

        refused = self.count(api(ann), item, 1)

        assert (refused.status_code, list(fields_of(refused))) == (400, ["change"])


class TestBulkAlike:
    def bulk(self, client, **body):
        return client.post(f"{URL}/bulk", body)

    def test_sets_the_same_for_all_that_are_named(self, ann, api):
        batch = make_batch(ann)
        first, second, other = make_item(batch), make_item(batch), make_item(batch)

        response = self.bulk(
            api(ann), ids=[first.pk, second.pk], set={"condition": "N", "price": "0.5"}
        )

        assert [row["ok"] for row in response.json()["data"]] == [True, True]
        assert sorted(BatchItem.objects.values_list("pk", "condition", "price")) == [
            (first.pk, "N", Decimal("0.5000")),
            (second.pk, "N", Decimal("0.5000")),
            (other.pk, "U", Decimal("0.1000")),
        ]

    def test_sets_the_same_for_all_that_match(self, ann, bo, api):
        batch, place = make_batch(ann), make_location(ann)
        stowed = make_item(batch)
        stow_all(batch, place)
        new = make_item(batch)
        strange = make_item(make_batch(bo))

        self.bulk(api(ann), filter={"batch": batch.pk, "state": "new"}, set={"qty": 9})

        assert dict(BatchItem.objects.values_list("pk", "quantity")) == {
            stowed.pk: 3,
            new.pk: 9,
            strange.pk: 3,
        }

    def test_more_than_a_thousand_become_a_job(self, ann, bo, api):
        batch, lot = make_batch(ann), make_lot()
        strange = make_item(make_batch(bo))
        BatchItem.objects.bulk_create(
            BatchItem(owner=ann, batch=batch, lot=lot, quantity=1) for _ in range(1_001)
        )
        ids = [*BatchItem.objects.filter(owner=ann).values_list("pk", flat=True), strange.pk]
        client = api(ann)

        response = self.bulk(client, ids=ids, set={"price": "0.5", "comments": "clean"})

        assert response.status_code == 202
        assert row_of(client.get(f"/api/batches/{batch.pk}"))["isUpdating"] is True

        [job] = run_jobs()

        assert (job.state, job.done) == ("succeeded", 1_002)
        assert job.failed == [{"id": strange.pk, "reason": NotFound.message, "name": ""}]
        acts = KeptAct.objects.order_by("pk")
        assert job.result == {
            "batch_ids": [batch.pk],
            "acts": [{"batch_id": batch.pk, "act_id": act.pk} for act in acts],
            "item_count": 1_001,
            "failed_count": 1,
        }
        mine = BatchItem.objects.filter(owner=ann)
        assert set(mine.values_list("price", "comments")) == {(Decimal("0.5000"), "clean")}
        strange.refresh_from_db()
        assert strange.comments == ""
        assert row_of(client.get(f"/api/batches/{batch.pk}"))["isUpdating"] is False

    def test_delivered_twice_edits_once(self, ann):
        batch, lot = make_batch(ann), make_lot()
        BatchItem.objects.bulk_create(
            BatchItem(owner=ann, batch=batch, lot=lot, quantity=1) for _ in range(700)
        )

        job = run_twice(
            owner=ann,
            kind="batches.edit_items",
            payload={
                "batch_ids": [batch.pk],
                "item_ids": sorted(BatchItem.objects.values_list("pk", flat=True)),
                "changes": {"quantity": 4},
                "override_reason": "",
            },
        )

        assert (job.state, job.result["item_count"]) == ("succeeded", 700)
        assert set(BatchItem.objects.values_list("quantity", flat=True)) == {4}

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"set": {"qty": 1}}, "set"),
            ({"set": {"qty": 1}, "ids": [1], "filter": {}}, "set"),
            ({"set": {"qty": 1}, "ids": [1], "update": []}, "set"),
            ({"set": {"qty": -1}, "ids": [1]}, "set"),
            ({"set": {}, "ids": [1]}, "set"),
            ({"set": {"qty": 1}, "ids": []}, "ids"),
            ({"set": {"qty": 1}, "ids": ["x"]}, "id"),
            ({"set": {"qty": 1}, "ids": [1], "atomic": 1}, "atomic"),
            ({"set": {"qty": 1}, "ids": [1], "dry_run": "yes"}, "dry_run"),
            ({"set": {"qty": 1}, "filter": "all"}, "filter"),
            ({"set": {"qty": 1}, "filter": {"colour": 5}}, "filter"),
            ({"set": {"qty": 1}, "filter": {"state": "gone"}}, "filter"),
            ({"set": {"qty": 1}, "filter": {"batch": 999}}, "filter"),
        ],
    )
    def test_bad_input_names_the_field(self, ann, api, body, field):
        make_item(make_batch(ann))

        response = self.bulk(api(ann), **body)

        assert response.status_code == 400
        assert field in fields_of(response)
        assert BatchItem.objects.get().quantity == 3


class TestBulk:
    def test_adds_changes_and_deletes_with_a_result_for_each(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        changed, gone = make_item(batch), make_item(batch)

        response = api(ann).post(
            f"{URL}/bulk",
            {
                "create": [{"batch_id": batch.pk, "lot_id": lot.pk, "qty": 7}],
                "update": [{"id": changed.pk, "qty": 8, "price": "0.5"}],
                "delete": [gone.pk],
            },
        )

        assert response.status_code == 200
        rows = response.json()["data"]
        assert [(row["action"], row["index"], row["ok"]) for row in rows] == [
            ("create", 0, True),
            ("update", 0, True),
            ("delete", 0, True),
        ]
        assert (rows[0]["row"]["qty"], rows[1]["row"]["qty"], rows[1]["row"]["price"]) == (
            7,
            8,
            "0.5000",
        )
        assert sorted(BatchItem.objects.values_list("quantity", flat=True)) == [7, 8]

    def test_tops_up_where_a_row_asks_for_it(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        there = make_item(batch, quantity=2, lot=lot, price=None)
        draft = {"batch_id": batch.pk, "lot_id": lot.pk, "qty": 3}

        response = api(ann).post(f"{URL}/bulk", {"create": [{**draft, "top_up": True}, draft]})

        assert response.status_code == 200
        topped, new = (row["row"] for row in response.json()["data"])
        assert (topped["id"], topped["qty"], new["qty"]) == (there.pk, 5, 3)
        assert BatchItem.objects.count() == 2

    def test_two_drafts_of_the_same_missing_row_make_one(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        draft = {"batch_id": batch.pk, "lot_id": lot.pk, "top_up": True}

        response = api(ann).post(
            f"{URL}/bulk", {"create": [{**draft, "qty": 3}, {**draft, "qty": 4}]}
        )

        first, second = (row["row"] for row in response.json()["data"])
        assert first["id"] == second["id"]
        assert BatchItem.objects.get().quantity == 7

    def test_a_draft_without_a_price_tops_up_a_row_that_the_request_adds(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        draft = {"batch_id": batch.pk, "lot_id": lot.pk, "top_up": True}

        api(ann).post(f"{URL}/bulk", {"create": [draft, {**draft, "price": "0.10"}]})

        item = BatchItem.objects.get()
        assert (item.quantity, item.price) == (2, Decimal("0.10"))

    def test_the_limit_of_a_row_counts_what_the_request_put_there_before(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        there = make_item(batch, quantity=9_999_990, lot=lot, price=None)
        draft = {"batch_id": batch.pk, "lot_id": lot.pk, "qty": 5, "top_up": True}

        response = api(ann).post(f"{URL}/bulk", {"create": [draft, draft], "atomic": False})

        there.refresh_from_db()
        assert there.quantity == 9_999_995
        assert [row["ok"] for row in response.json()["data"]] == [True, False]

    def test_a_row_that_is_named_twice_is_refused(self, ann, api):
        item = make_item(make_batch(ann))
        body = {"update": [{"id": item.pk, "qty": 8}], "delete": [item.pk]}

        response = api(ann).post(f"{URL}/bulk", body)

        assert fields_of(response) == {"delete.0": {"id": ["is named twice"]}}
        assert BatchItem.objects.get().quantity == 3

    def test_brings_back_what_was_deleted_alone(self, ann, api):
        item = make_item(make_batch(ann), quantity=4)
        api(ann).delete(f"{URL}/{item.pk}")

        response = api(ann).post(f"{URL}/bulk", {"restore": [item.pk]})

        assert response.json()["data"][0]["row"]["qty"] == 4

    def test_one_bad_row_keeps_all_from_being_changed(self, ann, api):
        batch = make_batch(ann)
        first, second = make_item(batch), make_item(batch)

        response = api(ann).post(
            f"{URL}/bulk",
            {"update": [{"id": first.pk, "qty": 8}, {"id": second.pk, "qty": -1}]},
        )

        assert response.status_code == 400
        assert fields_of(response).keys() == {"update.1"}
        assert "qty" in fields_of(response)["update.1"]
        assert set(BatchItem.objects.values_list("quantity", flat=True)) == {3}

    def test_without_atomic_the_good_rows_are_done(self, ann, bo, api):
        batch = make_batch(ann)
        first, second = make_item(batch), make_item(batch)
        strange = make_item(make_batch(bo))

        rows = (
            api(ann)
            .post(
                f"{URL}/bulk",
                {
                    "update": [
                        {"id": first.pk, "qty": 8},
                        {"id": second.pk, "qty": -1},
                        {"id": strange.pk, "qty": 1},
                        {"id": first.pk, "qty": 9},
                        {"qty": 1},
                    ],
                    "atomic": False,
                },
            )
            .json()["data"]
        )

        assert [(row["index"], row["ok"], row["code"]) for row in rows] == [
            (0, True, None),
            (1, False, "VALIDATION_ERROR"),
            (2, False, "NOT_FOUND"),
            (3, False, "VALIDATION_ERROR"),
            (4, False, "VALIDATION_ERROR"),
        ]
        first.refresh_from_db()
        strange.refresh_from_db()
        assert (first.quantity, strange.quantity) == (8, 3)

    def test_stock_follows_stowed_rows(self, ann, api):
        batch, place = make_batch(ann), make_location(ann, max_item_count=10)
        first, second = make_item(batch, quantity=3), make_item(batch, quantity=4)
        stow_all(batch, place)

        rows = (
            api(ann)
            .post(
                f"{URL}/bulk",
                {
                    "update": [{"id": first.pk, "qty": 5}, {"id": second.pk, "qty": 9}],
                    "atomic": False,
                },
            )
            .json()["data"]
        )

        assert [row["code"] for row in rows] == [None, "CAPACITY_EXCEEDED"]
        assert stock_of(ann) == [("A-01", 4), ("A-01", 5)]

    def test_a_row_that_changed_since_is_refused(self, ann, api):
        item = make_item(make_batch(ann))
        seen = row_of(api(ann).get(f"{URL}/{item.pk}"))["updatedAt"]
        api(ann).patch(f"{URL}/{item.pk}", {"qty": 7})

        response = api(ann).post(
            f"{URL}/bulk", {"update": [{"id": item.pk, "qty": 8, "updatedAt": seen}]}
        )

        assert response.status_code == 409
        item.refresh_from_db()
        assert item.quantity == 7

    @pytest.mark.parametrize("atomic", [True, False])
    def test_an_edit_of_a_row_that_changed_elsewhere_answers_with_it_as_it_is(
        self, ann, api, atomic
    ):
        batch = make_batch(ann)
        stale, other = make_item(batch, quantity=3), make_item(batch, quantity=4)
        seen = api(ann).get(f"{URL}/{stale.pk}").json()["data"][0]["updatedAt"]
        api(ann).patch(f"{URL}/{stale.pk}", {"remarks": "theirs"})
        body = {
            "update": [
                {"id": stale.pk, "updatedAt": seen, "remarks": "mine"},
                {"id": other.pk, "remarks": "mine"},
            ],
            "atomic": atomic,
        }

        response = api(ann).post(f"{URL}/bulk", body)

        rows = response.json()["data"]
        now = rows[0] if atomic else rows[0]["row"]
        assert response.status_code == (409 if atomic else 200)
        assert (now["id"], now["remarks"]) == (stale.pk, "theirs")
        assert len(rows) == (1 if atomic else 2)
        assert atomic or (rows[0]["ok"], rows[0]["code"]) == (False, "CONFLICT")

    def test_deletes_of_stowed_rows_say_what_becomes_of_the_stock(self, ann, api):
        batch, place = make_batch(ann), make_location(ann)
        item, asking = make_item(batch, quantity=3), make_item(batch, quantity=4)
        stow_all(batch, place)

        rows = (
            api(ann)
            .post(
                f"{URL}/bulk",
                {"delete": [{"id": item.pk, "stock": "out"}, asking.pk], "atomic": False},
            )
            .json()["data"]
        )

        assert [(row["ok"], row["code"]) for row in rows] == [(True, None), (False, "CONFLICT")]
        assert stock_of(ann) == [("A-01", 4)]

    @pytest.mark.parametrize(
        "body",
        [
            {},
            [],
            {"update": "all"},
            {"update": [], "create": []},
            {"update": [{"id": 1}] * 1001},
            {"update": [{"id": 1, "qty": 1}], "atomic": "yes"},
        ],
    )
    def test_refuses_what_is_no_such_request(self, ann, api, body):
        assert api(ann).post(f"{URL}/bulk", body).status_code == 400

    def test_a_thousand_edits_cost_at_most_twelve_statements(self, ann, api):
        batch, lot = make_batch(ann), make_lot()
        BatchItem.objects.bulk_create(
            BatchItem(owner=ann, batch=batch, lot=lot, quantity=1) for _ in range(1_000)
        )
        ids = BatchItem.objects.values_list("pk", flat=True)
        body = {"update": [{"id": pk, "price": f"0.{pk % 100:02d}", "qty": 5} for pk in ids]}

        number, response = count_queries(lambda: api(ann).post(f"{URL}/bulk", body))

        assert response.status_code == 200
        assert number <= 12
        assert set(BatchItem.objects.values_list("quantity", flat=True)) == {5}

    def statements(self, act):
        """What `act` asks of the database, the marks of transactions left out."""
        with CaptureQueriesContext(connection) as captured:
            response = act()
        marks = ("SAVEPOINT", "RELEASE")
        return sum(not query["sql"].startswith(marks) for query in captured), response

    def stowed(self, ann, count):
        """Stowed items, each with a stock row of its own, in ten places."""
        batch = make_batch(ann)
        places = [make_location(ann, f"A-{n:02d}") for n in range(10)]
        lots = [make_lot() for _ in range(20)]
        BatchItem.objects.bulk_create(
            BatchItem(
                owner=ann,
                batch=batch,
                lot=lots[n % 20],
                location=places[n % 10],
                quantity=3,
                price=Decimal(n) / 1000,
            )
            for n in range(count)
        )
        stow_all(batch)
        return list(BatchItem.objects.order_by("pk"))

    def test_a_thousand_edits_of_stowed_items_and_their_undo_cost_no_more(self, ann, api):
        items = self.stowed(ann, 1_000)
        client = api(ann)
        there = {"update": [{"id": row.pk, "qty": 2 + 3 * (row.pk % 2)} for row in items]}
        back = {"update": [{"id": row.pk, "qty": 3} for row in items]}

        cost, response = self.statements(lambda: client.post(f"{URL}/bulk", there))

        assert response.status_code == 200
        assert cost <= 12
        assert sum(pieces for _, pieces in stock_of(ann)) == 500 * 2 + 500 * 5
        cost, _ = self.statements(lambda: client.post(f"{URL}/bulk", back))
        assert cost <= 12
        assert [pieces for _, pieces in stock_of(ann)] == [3] * 1_000
        assert list(quantity_differences(owner=ann)) == []
        assert list(counter_differences(owner=ann)) == []

    def test_a_thousand_prices_of_stowed_items_follow_into_stock(self, ann, api):
        items = self.stowed(ann, 1_000)
        body = {"update": [{"id": row.pk, "price": f"{row.pk}.5"} for row in items]}

        cost, response = self.statements(lambda: api(ann).post(f"{URL}/bulk", body))

        assert response.status_code == 200
        assert cost <= 12
        assert {
            (row.price, row.inventory_item.price)
            for row in BatchItem.objects.select_related("inventory_item")
        } == {(Decimal(f"{row.pk}.5"), Decimal(f"{row.pk}.5")) for row in items}

    def test_pieces_of_a_shared_row_go_apart_together(self, ann, api):
        batch, place, lot = make_batch(ann), make_location(ann), make_lot()
        items = [make_item(batch, quantity=n, lot=lot) for n in (1, 2, 4)]
        stow_all(batch, place)
        assert stock_of(ann) == [("A-01", 7)]

        response = api(ann).post(
            f"{URL}/bulk",
            {"update": [{"id": row.pk, "price": "0.9"} for row in items[:2]]},
        )

        assert response.status_code == 200
        assert stock_of(ann) == [("A-01", 3), ("A-01", 4)]
        rows = {row.pk: row.inventory_item for row in BatchItem.objects.all()}
        assert rows[items[0].pk] == rows[items[1].pk] != rows[items[2].pk]
        assert rows[items[0].pk].price == Decimal("0.9000")
        assert list(quantity_differences(owner=ann)) == []

    def test_a_place_that_refuses_one_of_the_shared_takes_the_other(self, ann, api):
        batch, place, lot = make_batch(ann), make_location(ann), make_lot()
        small = make_location(ann, "B-01", max_item_count=2)
        items = [make_item(batch, quantity=n, lot=lot) for n in (3, 2)]
        stow_all(batch, place)

        rows = (
            api(ann)
            .post(
                f"{URL}/bulk",
                {
                    "update": [
                        {"id": row.pk, "user_inventory_item_location_id": small.pk} for row in items
                    ],
                    "atomic": False,
                },
            )
            .json()["data"]
        )

        assert [row["code"] for row in rows] == ["CAPACITY_EXCEEDED", None]
        assert stock_of(ann) == [("A-01", 3), ("B-01", 2)]
        assert list(counter_differences(owner=ann)) == []

    def test_a_thousand_deletes_take_their_stock_out_in_few_statements(self, ann, api):
        items = self.stowed(ann, 1_000)
        body = {"delete": [{"id": row.pk, "stock": "out"} for row in items]}

        cost, response = self.statements(lambda: api(ann).post(f"{URL}/bulk", body))

        assert response.status_code == 200
        assert cost <= 25
        assert not BatchItem.objects.exists()
        assert stock_of(ann) == []
        assert list(quantity_differences(owner=ann)) == []

    def test_deletes_are_in_the_log_of_their_batch(self, ann, api):
        batch, other = make_batch(ann), make_batch(ann, "Other")
        items = [make_item(batch), make_item(batch), make_item(other)]

        api(ann).post(f"{URL}/bulk", {"delete": [item.pk for item in items]})

        log = BatchOperation.objects.order_by("batch")
        assert list(log.values_list("batch", "kind", "outcome", "item_count")) == [
            (batch.pk, "remove", "success", 2),
            (other.pk, "remove", "success", 1),
        ]

    def test_refused_deletes_are_not(self, ann, api):
        batch = make_batch(ann)
        make_item(batch)
        stow_all(batch, make_location(ann))
        stowed = BatchItem.objects.get()

        api(ann).post(f"{URL}/bulk", {"delete": [stowed.pk]})

        assert not BatchOperation.objects.filter(kind="remove").exists()


class TestNarrowing:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ({"qty_min": 5}, ["big"]),
            ({"qty_max": 4}, ["small", "unknown"]),
            ({"price_min": "0.2", "price_max": "0.5"}, ["small"]),
            ({"price_max": 0}, ["unknown"]),
            ({"failed": "true"}, ["big"]),
            ({"failed": "false"}, ["small", "unknown"]),
            ({"location": "any"}, ["small"]),
            ({"location": "none"}, ["big", "unknown"]),
            ({"color": "red"}, ["small", "unknown"]),
            ({"created_from": "2000-01-01", "created_to": "2000-01-02"}, []),
        ],
    )
    def test_by_column(self, ann, api, query, found):
        batch, place = make_batch(ann), make_location(ann)
        red, blue = (
            make_lot(color=make_color(5, name="Red")),
            make_lot(color=make_color(7, name="Blue")),
        )
        rows = {
            "small": make_item(batch, 2, "0.3", lot=red, location=place),
            "big": make_item(batch, 9, "0.9", lot=blue, failure="B-01 is full."),
            "unknown": make_item(
                batch, 1, "0", raw_item_number="x", raw_item_type="P", raw_color_name="Dark Red"
            ),
        }
        names = {item.pk: name for name, item in rows.items()}

        response = api(ann).get(URL, {"batch": batch.pk, **query})

        assert response.status_code == 200
        assert sorted(names[row["id"]] for row in response.json()["data"]) == sorted(found)

    @pytest.mark.parametrize(
        "query", [{"qty_min": -1}, {"price_min": "dear"}, {"created_from": "never"}]
    )
    def test_by_nonsense_is_refused(self, ann, api, query):
        assert api(ann).get(URL, query).status_code == 400
