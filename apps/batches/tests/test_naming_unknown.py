"""What is unknown in batches is listed with that of the stock, and named by the same act."""

from decimal import Decimal

import pytest

from apps.batches.models import BatchItem
from apps.batches.tests.factories import make_batch, make_item
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_part
from apps.core.testing.jobs import run_jobs
from apps.core.waiting import Asked
from apps.inventory.models import InventoryItem, NumberChoice
from apps.inventory.services import acts
from apps.inventory.services.acts import undo_act
from apps.inventory.services.waiting import unknown_items, unknown_words_of_files
from apps.inventory.tests.factories import NOON, make_stock
from apps.inventory.tests.test_unknown_items import LIST, make_unknown, make_worded
from apps.lots.models import KeptAct

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def red():
    return make_color(5)


@pytest.fixture
def batch(ann):
    return make_batch(ann)


def make_unknown_item(batch, number="x9", color=5, **fields):
    raw = {"raw_item_type": "P", "raw_item_number": number, "raw_color_id": color}
    return make_item(batch, **raw | fields)


def words(client, field="condition"):
    return client.get(f"{LIST}Words", {"field": field}).json()["data"]


class TestWhatIsListed:
    def test_of_a_number_is_in_stock_and_in_batches(self, ann, bo, api, batch):
        make_unknown(ann, "x9", quantity=1)
        make_unknown_item(batch, quantity=2)
        make_unknown_item(batch, "x8", quantity=4, color=None)
        make_unknown_item(make_batch(bo))

        rows = api(ann).get(LIST, {"ordering": "-lots"}).json()["data"]

        told = [(row["item_number"], row["lots"], row["batch_lots"]) for row in rows]
        assert told == [("x9", 2, 1), ("x8", 1, 1)]
        assert [row["quantity"] for row in rows] == [3, 4]
        assert rows[1]["id"] is None
        assert rows[1]["batch_item_id"] == BatchItem.objects.get(raw_item_number="x8").pk

    def test_of_a_word_is_in_stock_and_in_batches(self, ann, api, batch):
        make_worded(ann, "GebraÜcht", quantity=1)
        make_item(batch, quantity=2, condition="?", condition_text="gebraücht")

        [word] = words(api(ann))

        assert (word["lots"], word["batch_lots"], word["quantity"]) == (2, 1, 3)

    @pytest.mark.parametrize(
        "what", [{"is_archived": True, "archived_at": NOON}, {"is_ready": False}]
    )
    def test_is_not_of_batches_that_are_put_away(self, ann, api, what):
        make_item(make_batch(ann, **what), condition="?")

        assert words(api(ann)) == []

    def test_is_no_piece_that_was_skipped(self, ann, api, batch):
        make_item(batch, raw_item_type="U", raw_item_number="", raw_item_name="Skipped piece")

        assert api(ann).get(LIST).json()["data"] == []

    def test_waits_on_home_as_the_list_has_it(self, ann, api, batch, django_assert_num_queries):
        for number, price in (("x9", "0.5000"), ("x8", None), ("x7", "0.2500")):
            make_unknown(ann, number, quantity=2, price=price)
            make_unknown_item(batch, number, quantity=3, price=price, color=None)
        make_unknown_item(batch, "", raw_item_name="No number", quantity=1, price=None)
        own = make_unknown(ann, "own", quantity=9)
        api(ann).post(f"/api/inventoryItems/{own.pk}/keepAsOwn")
        rows = api(ann).get(LIST).json()["data"]

        with django_assert_num_queries(2):  # all facts, and the sum by number
            [line] = unknown_items(Asked(owner=ann, now=NOON, currency="EUR"))

        assert (line.count, line.note.endswith(": 7 lots")) == (len(rows), True)
        assert line.money == sum(Decimal(row["value"]) for row in rows) == Decimal("3.75")

    def test_waits_on_home(self, ann, batch):
        make_unknown_item(batch, condition="?", condition_text="B")
        asked = Asked(owner=ann, now=NOON, currency="EUR")

        assert [one.count for one in unknown_items(asked)] == [1]
        assert [one.count for one in unknown_words_of_files(asked)] == [1]


class TestNaming:
    def test_a_skipped_piece_names_nothing(self, ann, api, batch):
        item = make_item(
            batch, raw_item_type="U", raw_item_number="", raw_item_name="Skipped piece"
        )
        lot = make_lot(make_part("3001"))

        answer = api(ann).post(f"/api/batchItems/{item.pk}/name", {"item_id": lot.item_id})

        assert answer.status_code == 409
        assert not NumberChoice.objects.exists()

    def test_a_number_names_stock_and_batches_and_is_undone(self, ann, api, batch):
        stock, item = make_unknown(ann, "x9"), make_unknown_item(batch)
        lot = make_lot(make_part("3001"))

        answer = api(ann).post(f"/api/batchItems/{item.pk}/name", {"item_id": lot.item_id})

        assert answer.json()["data"][0]["item_count"] == 2
        for row in (stock, item):
            row.refresh_from_db()
            assert (row.lot, row.raw_item_number) == (lot, "")
        undo_act(act=KeptAct.objects.get(), by=ann, now=NOON)
        for row in (stock, item):
            row.refresh_from_db()
            assert (row.lot, row.raw_item_number) == (None, "x9")

    def test_tells_rows_that_stay_by_their_own_ids(self, ann, api, batch):
        row, item = (
            make(color=99)
            for make in (
                lambda **of: make_unknown(ann, "x9", **of),
                lambda **of: make_unknown_item(batch, **of),
            )
        )
        lot = make_lot(make_part("3001"))

        answer = api(ann).post(f"/api/batchItems/{item.pk}/name", {"item_id": lot.item_id})

        refused = answer.json()["data"][0]["refused"]
        assert [(one["id"], one["batch_item_id"]) for one in refused] == [
            (None, item.pk),
            (row.pk, None),
        ]

    def test_as_a_job_tells_rows_that_stay_by_their_own_ids(self, ann, api, batch, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 0)
        item = make_unknown_item(batch, color=99)
        lot = make_lot(make_part("3001"))

        api(ann).post(f"/api/batchItems/{item.pk}/name", {"item_id": lot.item_id})
        [job] = run_jobs()

        assert [(one.get("id"), one["batch_item_id"]) for one in job.failed] == [(None, item.pk)]

    def test_a_condition_names_stock_and_batches(self, ann, api, batch):
        row = make_worded(ann, "B")
        make_item(batch, condition="?", condition_text="b")

        api(ann).post(f"/api/inventoryItems/{row.pk}/nameWord", {"condition": "U"})

        for model in (InventoryItem, BatchItem):
            assert model.objects.values_list("condition", "condition_text").get() == ("U", "")

    def test_a_colour_names_items_of_batches_alone(self, ann, api, batch):
        lot = make_lot(make_part("3001"))
        item = make_unknown_item(batch, "3001", None, raw_color_name="Redd")

        api(ann).post(f"/api/batchItems/{item.pk}/nameWord", {"color_id": 5})

        item.refresh_from_db()
        assert (item.lot, item.raw_color_name) == (lot, "")

    def test_many_is_a_job(self, ann, api, batch, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 1)
        row = make_worded(ann)
        make_item(batch, condition="?", condition_text="gebraucht?")

        answer = api(ann).post(f"/api/inventoryItems/{row.pk}/nameWord", {"condition": "U"})
        run_jobs()

        assert answer.status_code == 202
        assert BatchItem.objects.get().condition == "U"

    def test_an_item_is_kept_as_an_own_one(self, ann, api, batch):
        item = make_unknown_item(batch)

        api(ann).post(f"/api/batchItems/{item.pk}/keepAsOwn")

        found = [api(ann).get(LIST, {"own": own}).json()["data"] for own in ("false", "true")]
        assert [len(rows) for rows in found] == [0, 1]

    def test_leaves_what_is_known(self, ann, api, batch):
        known = make_item(batch)
        make_stock(ann)

        answer = api(ann).post(f"/api/batchItems/{known.pk}/nameWord", {"condition": "U"})

        assert answer.status_code == 409
