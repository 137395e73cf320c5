import pytest

from apps.catalog.models import Component, ItemInventory
from apps.catalog.tests.factories import make_item, make_lot
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from apps.sets.models import SetRequirement, UserSet
from apps.sets.tests.factories import make_contents, make_set_item, make_user_set
from apps.sources.models import Source

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


class TestBadNumbers:
    @pytest.mark.parametrize("number", ["3001", "3001-1"])
    def test_that_are_no_set_are_named_for_what_they_are(self, api, ann, number):
        make_item("3001", name="Brick 2 x 4")
        make_item("3001-1", name="Brick 2 x 4", item_type="GEAR")

        answer = api(ann).post("/api/userSets", {"number": number})

        assert answer.status_code == 400
        assert "not a set" in answer.json()["meta"]["error"]["fields"]["number"][0]
        assert not UserSet.objects.exists()

    def test_that_are_listed_twice_are_asked_about(self, api, ann):
        owned = make_user_set(ann, number="1-1")

        answer = api(ann).post("/api/userSets", {"number": "1"})
        again = api(ann).post("/api/userSets", {"number": "1", "again": True})

        assert (answer.status_code, answer.json()["data"][0]["id"]) == (409, owned.pk)
        assert again.status_code == 201
        assert UserSet.objects.count() == 2


class TestAddMany:
    def test_adds_what_it_can_and_tells_the_rest(self, api, ann):
        make_set_item("10255-1")
        make_set_item("10260-1")
        make_item("3001", name="Brick 2 x 4")
        make_user_set(ann, number="31017-1")

        answer = api(ann).post(
            "/api/userSets/addMany",
            {"numbers": "10255, 10260-1\n10255-1 99999 3001 31017", "state": "to_build"},
        )

        (row,) = answer.json()["data"]
        assert len(row["added"]) == 2
        assert {each["number"]: each["reason"] for each in row["refused"]} == {
            "10255-1": "10255-1 stands here twice. It was added once: set its quantity.",
            "99999": "99999 is no set that the catalogue knows",
            "3001": "3001 is a part (Brick 2 x 4), not a set.",
            "31017": "31017-1 is in My Sets already. Add it again if you have it twice.",
        }
        assert UserSet.objects.filter(state="to_build").count() == 2

    @pytest.mark.parametrize("numbers", [",", " ".join(map(str, range(101)))])
    def test_refuses_none_and_too_many(self, api, ann, numbers):
        answer = api(ann).post("/api/userSets/addMany", {"numbers": numbers})

        assert answer.status_code == 400


class TestASetWithoutInventory:
    def test_is_kept_and_says_so(self, api, ann):
        make_item("1-1", item_type="SET")

        (row,) = api(ann).post("/api/userSets", {"number": "1-1"}).json()["data"]

        assert (row["pieces_required"], row["percent"]) == (0, None)

    def test_takes_its_parts_once_the_catalogue_lists_them(self, api, ann, lot):
        item = make_item("1-1", item_type="SET")
        (row,) = api(ann).post("/api/userSets", {"number": "1-1"}).json()["data"]
        address = f"/api/userSets/{row['id']}/renewContents"

        refused = api(ann).post(address)
        make_contents(item, {lot: 3})
        (renewed,) = api(ann).post(address).json()["data"]

        assert refused.status_code == 409
        assert "does not list what 1-1 is made of" in refused.json()["message"]
        assert renewed["pieces_required"] == 3


class TestCopyingAnew:
    """The catalogue lists other parts than when the set was added."""

    @pytest.fixture
    def owned(self, api, ann, lot):
        item = make_item("1-1", item_type="SET")
        make_contents(item, {lot: 3, make_lot(make_item("3002")): 2})
        (row,) = api(ann).post("/api/userSets", {"number": "1-1", "quantity": 2}).json()["data"]
        ItemInventory.objects.filter(item=item).delete()
        make_contents(item, {lot: 5, make_lot(make_item("3003")): 1})
        return UserSet.objects.get(pk=row["id"])

    def renew(self, api, ann, owned):
        return api(ann).post(f"/api/userSets/{owned.pk}/renewContents").json()["data"][0]

    def take_back(self, api, ann, owned, replaced):
        return api(ann).post(f"/api/userSets/{owned.pk}/undoRenewContents", replaced, format="json")

    def required(self, owned):
        rows = SetRequirement.objects.filter(user_set=owned)
        return {row.lot.item.number: (row.quantity_required, row.quantity_on_hand) for row in rows}

    def test_is_taken_back_to_the_piece(self, api, ann, lot, owned):
        SetRequirement.objects.filter(user_set=owned, lot=lot).update(quantity_on_hand=4)
        before = self.required(owned)

        renewed = self.renew(api, ann, owned)
        assert self.required(owned) == {lot.item.number: (10, 4), "3003": (2, 0)}
        undone = self.take_back(api, ann, owned, renewed["replaced"])
        again = self.take_back(api, ann, owned, renewed["replaced"])

        assert undone.json()["data"][0]["pieces_required"] == 10
        assert self.required(owned) == before
        assert again.status_code == 409
        assert again.json()["message"] == "1-1 was changed since, so nothing was undone."

    def test_is_not_taken_back_where_pieces_lie_aside_by_now(self, api, ann, owned):
        renewed = self.renew(api, ann, owned)
        SetRequirement.objects.filter(lot__item__number="3003").update(quantity_on_hand=2)

        refused = self.take_back(api, ann, owned, renewed["replaced"])

        assert refused.status_code == 409
        assert "2 pieces on hand" in refused.json()["message"]
        assert self.required(owned)["3003"] == (2, 2)

    def test_takes_back_no_lot_that_is_not_there(self, api, ann, owned):
        lots = [{"lot_id": 10**9, "before": 1, "now": 0}]

        refused = self.take_back(api, ann, owned, {"inventory_id": None, "lots": lots})

        assert refused.json()["meta"]["error"]["fields"] == {"lots": ["there is no lot 1000000000"]}


class TestEditSet:
    def test_keeps_what_a_person_says_of_it(self, api, ann):
        owned = make_user_set(ann)
        said = {
            "state": "for_sale",
            "condition": "N",
            "sub_condition": "M",
            "location_id": make_location(ann, name="A-1").pk,
            "source_id": Source.objects.create(owner=ann, name="Flea market").pk,
            "price_paid": "12.5000",
            "acquired_on": "2026-11-01",
            "notes": "no box",
        }

        (row,) = api(ann).patch(f"/api/userSets/{owned.pk}", said).json()["data"]

        assert {name: row[name] for name in said} == said
        assert (row["location_name"], row["source_name"]) == ("A-1", "Flea market")

    def test_requires_more_for_more_of_them(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})

        (row,) = api(ann).patch(f"/api/userSets/{owned.pk}", {"quantity": 3}).json()["data"]

        assert (row["quantity"], row["pieces_required"]) == (3, 12)

    def test_refuses_fewer_while_their_pieces_are_on_hand(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        client = api(ann)
        client.patch(f"/api/userSets/{owned.pk}", {"quantity": 2})
        client.post(f"/api/userSets/{owned.pk}/putAside", {"lot_id": lot.pk, "quantity": 6})

        answer = client.patch(f"/api/userSets/{owned.pk}", {"quantity": 1})

        assert answer.status_code == 409
        assert UserSet.objects.get().quantity == 2
        assert SetRequirement.objects.get(lot=lot).quantity_required == 8

    def test_counts_minifigs_by_their_parts_when_asked(self, api, ann, lot):
        minifig = make_lot(make_item("sw0001", item_type="MINIFIG"))
        make_contents(minifig.item, {lot: 3})
        owned = make_user_set(ann, contents={lot: 4, minifig: 1})
        client = api(ann)
        (whole,) = client.get(f"/api/userSets/{owned.pk}").json()["data"]

        (parts,) = client.patch(f"/api/userSets/{owned.pk}", {"minifigs_as": "parts"}).json()[
            "data"
        ]

        assert (whole["pieces_required"], whole["minifigs_required"]) == (5, 1)
        assert (parts["pieces_required"], parts["minifigs_required"]) == (7, 0)


class TestComplete:
    def test_asks_while_parts_are_missing(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4}, number="1-1")

        answer = api(ann).post(f"/api/userSets/{owned.pk}/complete", {})

        assert answer.status_code == 409
        assert answer.json()["message"].startswith("4 pieces of 1-1 are still missing")
        assert UserSet.objects.get().state == "in_progress"

    @pytest.mark.parametrize(("missing", "on_hand"), [("keep", 0), ("have", 4)])
    def test_does_what_it_is_told_with_them(self, api, ann, lot, missing, on_hand):
        owned = make_user_set(ann, contents={lot: 4})

        (row,) = (
            api(ann).post(f"/api/userSets/{owned.pk}/complete", {"missing": missing}).json()["data"]
        )

        assert (row["state"], row["pieces_on_hand"]) == ("complete", on_hand)

    @pytest.mark.parametrize("missing", ["keep", "have"])
    def test_is_taken_back_with_its_counts(self, api, ann, lot, missing):
        other = make_lot(make_item("3002"))
        owned = make_user_set(ann, contents={lot: 4, other: 2})
        address = f"/api/userSets/{owned.pk}"
        api(ann).patch(address, {"state": "to_build"})
        api(ann).post(f"{address}/putAside", {"lot_id": lot.pk, "quantity": 3})
        (row,) = api(ann).post(f"{address}/complete", {"missing": missing}).json()["data"]

        body = {"state": "to_build", "raised": row["raised"]}
        undone = api(ann).post(f"{address}/undoComplete", body, format="json")
        again = api(ann).post(f"{address}/undoComplete", body, format="json")

        (row,) = undone.json()["data"]
        assert (row["state"], row["pieces_on_hand"]) == ("to_build", 3)
        assert (again.status_code, again.json()["message"]) == (
            409,
            f"{owned.item.number} was changed since, so nothing was undone.",
        )

    def test_is_not_taken_back_over_a_later_count(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        address = f"/api/userSets/{owned.pk}"
        (row,) = api(ann).post(f"{address}/complete", {"missing": "have"}).json()["data"]
        part = row["raised"][0]["id"]
        api(ann).patch(f"/api/userSetParts/{part}", {"quantity_on_hand": 2, "seen": 4})

        body = {"state": "in_progress", "raised": row["raised"]}
        undone = api(ann).post(f"{address}/undoComplete", body, format="json")

        assert undone.status_code == 409
        assert UserSet.objects.get().state == "complete"


class TestParts:
    def test_tell_where_stock_has_them(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        make_stock(ann, lot, quantity=3, location=make_location(ann, name="A-1"))
        make_stock(ann, lot, quantity=2)

        (row,) = api(ann).get("/api/userSetParts", {"user_set": owned.pk}).json()["data"]

        assert (row["quantity_required"], row["quantity_missing"], row["in_stock"]) == (4, 4, 5)
        assert [(p["location_name"], p["quantity"]) for p in row["places"]] == [("A-1", 3), ("", 2)]

    @pytest.mark.parametrize(
        ("state", "there"), [("missing", {"a", "b"}), ("on_hand", {"c"}), ("in_stock", {"b"})]
    )
    def test_are_narrowed_by_state(self, api, ann, state, there):
        lots = {name: make_lot(make_item(name)) for name in "abc"}
        owned = make_user_set(ann, contents=dict.fromkeys(lots.values(), 1))
        make_stock(ann, lots["b"])
        address = f"/api/userSets/{owned.pk}/putAside"
        api(ann).post(address, {"lot_id": lots["c"].pk})

        rows = api(ann).get("/api/userSetParts", {"state": state}).json()["data"]

        assert {row["item_number"] for row in rows} == there

    def test_are_counted(self, api, ann, lot):
        owned = make_user_set(ann, contents={lot: 4})
        part = owned.requirements.get()

        answer = api(ann).patch(f"/api/userSetParts/{part.pk}", {"quantity_on_hand": 3, "seen": 0})

        assert answer.json()["data"][0]["quantity_missing"] == 1

    @pytest.mark.parametrize(
        ("body", "status"),
        [({"quantity_on_hand": 5}, 400), ({"quantity_on_hand": 1, "seen": 2}, 409)],
    )
    def test_are_not_counted_above_what_is_required_or_unseen(self, api, ann, lot, body, status):
        owned = make_user_set(ann, contents={lot: 4})
        part = owned.requirements.get()

        answer = api(ann).patch(f"/api/userSetParts/{part.pk}", body)

        assert answer.status_code == status
        assert SetRequirement.objects.get(lot=lot).quantity_on_hand == 0

    def test_of_minifigs_are_shown(self, api, ann, lot):
        minifig = make_lot(make_item("sw0001", item_type="MINIFIG"))
        make_contents(minifig.item, {lot: 3})
        make_stock(ann, lot, quantity=2)
        owned = make_user_set(ann, contents={minifig: 1})

        (row,) = api(ann).get(f"/api/userSets/{owned.pk}/minifigParts").json()["data"]

        assert (row["minifig_lot_id"], row["lot_id"]) == (minifig.pk, lot.pk)
        assert (row["quantity"], row["in_stock"]) == (3, 2)

    def test_that_do_not_count_are_shown_apart(self, api, ann, lot):
        item = make_set_item("1-1", contents={lot: 4})
        Component.objects.create(
            inventory=item.inventories.get(), lot=lot, quantity=2, is_spare=True
        )
        (owned,) = api(ann).post("/api/userSets", {"number": "1"}).json()["data"]

        (row,) = api(ann).get(f"/api/userSets/{owned['id']}/leftOut").json()["data"]

        assert (row["kind"], row["quantity"], row["lot_id"]) == ("spare", 2, lot.pk)
