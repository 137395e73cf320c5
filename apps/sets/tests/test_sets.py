import pytest

from apps.catalog.models import Component
from apps.catalog.tests.factories import make_lot
from apps.sets.models import SetRequirement, UserSet
from apps.sets.tests.factories import make_set_item, make_user_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def lot(db):
    return make_lot()


def destinations(client, lot):
    return client.get("/api/userSets/destinations", {"lot": lot.pk}).json()["data"]


class TestAddSet:
    def test_takes_what_it_requires_from_the_catalogue(self, api, ann, lot):
        make_set_item("10255-1", contents={lot: 4, make_lot(): 6})

        answer = api(ann).post("/api/userSets", {"number": "10255"})

        (row,) = answer.json()["data"]
        assert answer.status_code == 201
        assert (row["number"], row["state"]) == ("10255-1", "in_progress")
        assert (row["pieces_required"], row["pieces_on_hand"]) == (10, 0)

    def test_leaves_out_spares_and_alternates_and_adds_up_a_lot(self, api, ann, lot):
        item = make_set_item("1-1", contents={lot: 4})
        inventory = item.inventories.get()
        Component.objects.create(inventory=inventory, lot=lot, quantity=1, is_spare=True)
        Component.objects.create(
            inventory=inventory, lot=make_lot(), quantity=4, is_alternate=True, match_id=1
        )
        Component.objects.create(inventory=inventory, lot=lot, quantity=2, match_id=1)

        (row,) = api(ann).post("/api/userSets", {"number": "1-1"}).json()["data"]

        assert row["pieces_required"] == 6

    def test_refuses_an_unknown_number(self, api, ann):
        answer = api(ann).post("/api/userSets", {"number": "99999"})

        assert answer.status_code == 400
        assert "number" in answer.json()["meta"]["error"]["fields"]
        assert not UserSet.objects.exists()


class TestDestinations:
    def test_name_each_open_set_that_lacks_the_lot(self, api, ann, bo, lot):
        first = make_user_set(ann, contents={lot: 4}, number="1-1")
        make_user_set(ann, contents={make_lot(): 4}, number="2-1")
        make_user_set(bo, contents={lot: 4}, number="3-1")

        assert destinations(api(ann), lot) == [
            {
                "user_set_id": first.pk,
                "number": "1-1",
                "name": "Assembly Square",
                "qty_required": 4,
                "qty_on_hand": 0,
            }
        ]

    @pytest.mark.parametrize("state", ["complete", "sold"])
    def test_leave_out_what_is_finished(self, api, ann, lot, state):
        owned = make_user_set(ann, contents={lot: 4})

        api(ann).patch(f"/api/userSets/{owned.pk}", {"state": state})

        assert destinations(api(ann), lot) == []

    def test_leave_out_what_has_all_of_it(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})

        api(ann).post(f"/api/userSets/{owned.pk}/putAside", {"lot_id": lot.pk, "quantity": 4})

        assert destinations(api(ann), lot) == []


class TestPutAside:
    def test_counts_the_pieces(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})

        answer = api(ann).post(f"/api/userSets/{owned.pk}/putAside", {"lot_id": lot.pk})

        assert answer.json()["data"][0]["pieces_on_hand"] == 1
        assert destinations(api(ann), lot)[0]["qty_on_hand"] == 1

    def test_takes_pieces_back(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        address = f"/api/userSets/{owned.pk}/putAside"
        api(ann).post(address, {"lot_id": lot.pk, "quantity": 3})

        api(ann).post(address, {"lot_id": lot.pk, "quantity": -2})

        assert SetRequirement.objects.get(lot=lot).quantity_on_hand == 1

    @pytest.mark.parametrize("quantity", [5, -1])
    def test_refuses_more_than_it_lacks_or_has(self, api, ann, lot, quantity):
        owned = make_user_set(ann, contents={lot: 4})

        answer = api(ann).post(
            f"/api/userSets/{owned.pk}/putAside", {"lot_id": lot.pk, "quantity": quantity}
        )

        assert answer.status_code == 409
        assert SetRequirement.objects.get(lot=lot).quantity_on_hand == 0

    def test_finds_no_requirement_of_another_lot(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})

        answer = api(ann).post(f"/api/userSets/{owned.pk}/putAside", {"lot_id": make_lot().pk})

        assert answer.status_code == 404
