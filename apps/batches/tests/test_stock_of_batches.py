"""The batches from which the pieces of the stock came."""

import datetime as dt

import pytest

from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import remove_items
from apps.batches.tests.factories import (
    NOON,
    make_batch,
    make_item,
    make_location,
    stow_all,
)
from apps.catalog.tests.factories import make_lot
from apps.core.testing.queries import count_queries

pytestmark = pytest.mark.django_db
URL = "/api/inventoryItems"


def data(response):
    assert response.status_code == 200, response.content
    return response.json()["data"]


def source_of(row):
    return row["batch_id"], row["batch_name"], row["batch_count"]


@pytest.fixture
def bin_(ann):
    return make_location(ann)


def stowed(owner, bin_, name, lot=None, *, hours=0, **also):
    """A batch of one lot that was stowed, so many hours after noon."""
    batch = make_batch(owner, name)
    make_item(batch, lot=lot, **also)
    stow_all(batch, bin_, now=NOON + dt.timedelta(hours=hours))
    return batch


class TestTheSourceBatchOfARow:
    def test_is_the_one_that_was_stowed_into_it_last(self, ann, api, bin_):
        lot = make_lot()
        stowed(ann, bin_, "B-1", lot, hours=5)
        last = stowed(ann, bin_, "B-2", lot, hours=9)
        stowed(ann, bin_, "B-3", lot, hours=1)

        (row,) = data(api(ann).get(URL))

        assert row["quantity"] == 9
        assert source_of(row) == (last.pk, "B-2", 3)

    def test_counts_a_batch_once_however_often_it_was_stowed(self, ann, api, bin_):
        lot = make_lot()
        batch = stowed(ann, bin_, "B-1", lot)
        make_item(batch, lot=lot)
        stow_all(batch, bin_)

        (row,) = data(api(ann).get(URL))

        assert source_of(row) == (batch.pk, "B-1", 1)

    def test_is_none_where_no_batch_put_anything_there(self, ann, api, bin_):
        lot = make_lot()
        made = api(ann).post(URL, {"lot_id": lot.pk, "quantity": 2, "location_id": bin_.pk})
        assert source_of(made.json()["data"][0]) == (None, None, 0)

    def test_is_the_one_before_once_the_last_was_taken_out(self, ann, api, bin_):
        lot = make_lot()
        first = stowed(ann, bin_, "B-1", lot)
        last = stowed(ann, bin_, "B-2", lot, hours=2)

        remove_items(batch=last, chosen=Chosen(), by=ann, now=NOON)

        (row,) = data(api(ann).get(URL))
        assert source_of(row) == (first.pk, "B-1", 1)

    def test_is_told_by_every_answer_with_the_row(self, ann, api, bin_):
        batch = stowed(ann, bin_, "B-1")
        (row,) = data(api(ann).get(URL))
        client, expected = api(ann), (batch.pk, "B-1", 1)
        at = f"{URL}/{row['id']}"

        assert source_of(data(client.get(at))[0]) == expected
        changed = data(client.patch(at, {"price": "2", "updatedAt": row["updatedAt"]}))[0]
        assert source_of(changed) == expected
        many = client.post(f"{URL}/bulk", {"update": [{"id": row["id"], "price": "3"}]})
        assert source_of(data(many)[0]["row"]) == expected

    def test_costs_the_same_queries_for_many(self, ann, api, bin_):
        counts = []
        for _ in range(2):
            for _ in range(5):
                stowed(ann, bin_, "B")
            counts.append(count_queries(lambda: api(ann).get(URL))[0])
        assert counts[0] == counts[1]


class TestStockNarrowedToBatches:
    @pytest.fixture
    def batches(self, ann, bin_):
        both = make_lot()
        first = stowed(ann, bin_, "Market 2026", both, quantity=1)
        stowed(ann, bin_, "Auction 2026", both, hours=1, quantity=2)
        stowed(ann, bin_, "Auction 2025", quantity=10)
        make_item(first, quantity=70)  # not stowed
        return first

    def quantities(self, api, user, query):
        return sorted(row["quantity"] for row in data(api(user).get(URL, query)))

    def test_has_what_was_stowed_from_one(self, ann, api, batches):
        assert self.quantities(api, ann, {"batch": batches.pk}) == [3]

    @pytest.mark.parametrize(
        ("name", "quantities"), [("auction", [3, 10]), ("2026", [3]), ("kiosk", [])]
    )
    def test_has_what_was_stowed_from_those_called_so(self, ann, api, batches, name, quantities):
        assert self.quantities(api, ann, {"batch_name": name}) == quantities

    def test_finds_nothing_by_the_batch_of_anybody_else(self, bo, api, batches):
        theirs = stowed(bo, make_location(bo), "Market 2026")
        assert self.quantities(api, bo, {"batch": batches.pk}) == []
        assert self.quantities(api, bo, {"batch": theirs.pk}) == [3]
        assert self.quantities(api, bo, {"batch_name": "market"}) == [3]

    def test_is_grouped_by_lot_alike(self, ann, api, batches):
        groups = data(api(ann).get(f"{URL}/lots", {"batch": batches.pk}))
        assert [group["quantity"] for group in groups] == [3]

    def test_is_changed_as_a_whole(self, ann, api, batches):
        body = {"filter": {"batch_name": "auction"}, "set": {"remarks": "sold in a box"}}
        assert api(ann).post(f"{URL}/bulk", body, format="json").status_code == 200
        assert {row["remarks"] for row in data(api(ann).get(URL))} == {"sold in a box"}

    def test_refuses_what_is_no_id(self, ann, api):
        response = api(ann).get(URL, {"batch": "first"})
        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == ["batch"]
