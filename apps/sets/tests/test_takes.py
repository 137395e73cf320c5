import pytest

from apps.catalog.tests.factories import make_lot
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location
from apps.locations.tests.factories import make_location
from apps.sets.models import SetRequirement, SetTake
from apps.sets.tests.factories import make_user_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def lot(db):
    return make_lot()


def on_hand(lot):
    return SetRequirement.objects.get(lot=lot).quantity_on_hand


def stock(owner):
    return sorted(InventoryItem.objects.owned_by(owner).values_list("quantity", flat=True))


def assert_ledger_adds_up(owner):
    assert list(quantity_differences(owner=owner)) == []
    assert list(counter_differences(owner=owner)) == []


class TestTake:
    def test_takes_what_is_missing_out_of_stock_through_the_ledger(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4, make_lot(): 2}, number="10255-1")
        make_stock(ann, lot, quantity=9, location=make_location(ann, name="A-1"))

        answer = api(ann).post(f"/api/userSets/{owned.pk}/take", {})

        (row,) = answer.json()["data"]
        assert (row["pieces"], row["still_missing"]) == (4, 2)
        assert (row["picks"][0]["location_name"], row["picks"][0]["quantity"]) == ("A-1", 4)
        assert (on_hand(lot), stock(ann)) == (4, [5])
        booked = Movement.objects.get(delta__lt=0)
        assert (booked.reason, booked.cause_kind, booked.cause_id, booked.note) == (
            "set",
            "set",
            row["take_id"],
            "10255-1",
        )
        assert_ledger_adds_up(ann)

    def test_leaves_pieces_that_are_promised_to_buyers(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        promised = make_stock(ann, lot, quantity=5)
        InventoryItem.objects.filter(pk=promised.pk).update(promised=3)

        (row,) = api(ann).post(f"/api/userSets/{owned.pk}/take", {}).json()["data"]

        assert (row["pieces"], row["still_missing"], stock(ann)) == (2, 2, [3])

    def test_empties_the_smallest_rows_first(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        make_stock(ann, lot, quantity=9, location=make_location(ann, name="A-1"))
        make_stock(ann, lot, quantity=1, location=make_location(ann, name="A-2"))

        api(ann).post(f"/api/userSets/{owned.pk}/take", {})

        assert stock(ann) == [0, 6]

    def test_tells_before_it_takes(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        make_stock(ann, lot, quantity=9)

        (row,) = api(ann).post(f"/api/userSets/{owned.pk}/take", {"dry_run": True}).json()["data"]

        assert (row["take_id"], row["pieces"]) == (None, 4)
        assert (on_hand(lot), stock(ann)) == (0, [9])

    def test_takes_so_many_of_one_part(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        make_stock(ann, lot, quantity=9)
        part = owned.requirements.get()

        api(ann).post(f"/api/userSets/{owned.pk}/take", {"parts": [{"id": part.pk, "quantity": 3}]})

        assert (on_hand(lot), stock(ann)) == (3, [6])

    @pytest.mark.parametrize(
        ("there", "wanted", "said"),
        [
            (2, 3, "There are 2 of Red Brick 2 x 4"),
            (0, 1, "There are 0 of Red Brick 2 x 4"),
            (9, 5, "lacks 4 of Red Brick 2 x 4"),
        ],
    )
    def test_refuses_parts_that_are_not_there_or_not_missing(
        self, api, ann, lot, there, wanted, said
    ):
        owned = make_user_set(ann, contents={lot: 4})
        make_stock(ann, lot, quantity=there)
        part = owned.requirements.get()

        answer = api(ann).post(
            f"/api/userSets/{owned.pk}/take", {"parts": [{"id": part.pk, "quantity": wanted}]}
        )

        assert answer.status_code == 409
        assert said in answer.json()["message"]
        assert (on_hand(lot), stock(ann)) == (0, [there])
        assert not SetTake.objects.exists()

    def test_leaves_what_is_reserved_or_of_another_condition(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        make_stock(ann, lot, quantity=9, reserved="Bo")
        make_stock(ann, lot, quantity=8, condition="U")

        answer = api(ann).post(f"/api/userSets/{owned.pk}/take", {"condition": "N"})

        assert answer.status_code == 409
        assert stock(ann) == [8, 9]

    def test_takes_nothing_of_somebody_elses(self, api, ann, bo, lot):
        owned = make_user_set(ann, contents={lot: 4})
        make_stock(bo, lot, quantity=9)

        assert api(ann).post(f"/api/userSets/{owned.pk}/take", {}).status_code == 409
        assert stock(bo) == [9]


class TestUndoTake:
    @pytest.fixture
    def taken(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        make_stock(ann, lot, quantity=9, location=make_location(ann, name="A-1"))
        answer = api(ann).post(f"/api/userSets/{owned.pk}/take", {})
        return owned, answer.json()["data"][0]["take_id"]

    def undo(self, client, taken):
        owned, take_id = taken
        return client.post(f"/api/userSets/{owned.pk}/undoTake", {"take_id": take_id})

    def test_puts_the_pieces_back(self, api, ann, lot, taken):
        assert self.undo(api(ann), taken).status_code == 200

        assert (on_hand(lot), stock(ann)) == (0, [9])
        assert Location.objects.get(name="A-1").item_count == 9
        assert_ledger_adds_up(ann)

    def test_does_so_once(self, api, ann, lot, taken):
        self.undo(api(ann), taken)

        assert self.undo(api(ann), taken).status_code == 409
        assert stock(ann) == [9]

    def test_refuses_where_pieces_were_counted_off_since(self, api, ann, lot, taken):
        SetRequirement.objects.filter(lot=lot).update(quantity_on_hand=1)

        assert self.undo(api(ann), taken).status_code == 409
        assert (on_hand(lot), stock(ann)) == (1, [5])

    def test_refuses_where_the_bin_is_full_by_now(self, api, ann, lot, taken):
        Location.objects.filter(name="A-1").update(max_item_count=6)

        assert self.undo(api(ann), taken).status_code == 409
        assert (on_hand(lot), stock(ann)) == (4, [5])
        assert SetTake.objects.get().undone_at is None

    def test_is_the_owners_alone(self, api, bo, taken):
        assert self.undo(api(bo), taken).status_code == 404

    def test_lists_what_was_taken(self, api, ann, taken):
        owned, take_id = taken

        (row,) = api(ann).get(f"/api/userSets/{owned.pk}/takes").json()["data"]

        assert (row["id"], row["piece_count"], row["undoneAt"]) == (take_id, 4, None)
