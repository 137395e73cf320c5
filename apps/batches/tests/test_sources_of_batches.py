"""What batches make of their sources: figures, merging, re-assigning, deleting."""

from decimal import Decimal
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection

from apps.batches.models import Batch
from apps.batches.tests.factories import make_batch, make_item
from apps.core.testing.queries import count_queries
from apps.sources.models import Source
from apps.sources.services import SourceInUse, create_source, delete_source

URL = "/api/sources"
D = Decimal


def data(response):
    return response.json()["data"]


def make_source(owner, name="Market", notes=""):
    return create_source(owner=owner, fields={"name": name, "notes": notes})


@pytest.mark.django_db
class TestFigures:
    def test_sum_up_the_batches_of_each_source(self, ann, bo, api):
        market, auction = make_source(ann), make_source(ann, "Auction")
        first = make_batch(ann, source=market, cost_total=D(50), gross_weight_grams=D(2500))
        make_item(first, quantity=100, price="1.25")
        make_item(first, quantity=2, price="0.0333")
        second = make_batch(ann, source=market, cost_total=D("0.3"))
        make_item(second, quantity=3, price="10")
        unpriced = make_batch(ann, source=market)
        make_item(unpriced, quantity=1, price="1000")
        make_item(make_batch(ann, source=market, is_ready=False, cost_total=D(9)))
        make_batch(bo, source=make_source(bo), cost_total=D(7))

        rows = {row["name"]: row for row in data(api(ann).get(URL))}

        row = rows["Market"]
        assert (row["batch_count"], row["lot_count"], row["piece_count"]) == (3, 4, 106)
        assert (row["spent"], row["value"]) == ("50.3000", "1155.0666")
        # (125 + 0.0666 + 30) / 50.3, without the batch of unknown cost
        assert row["return_on_cost"] == "3.0828"
        assert row["price_per_kg"] == "20.0000"
        empty = rows["Auction"]
        assert (empty["batch_count"], empty["piece_count"], empty["spent"]) == (0, 0, None)
        assert (empty["value"], empty["return_on_cost"], empty["price_per_kg"]) == (
            "0.0000",
            None,
            None,
        )
        assert auction.pk == empty["id"]

    def test_tell_the_foreign_share_of_the_batches_where_it_was_counted(self, ann, api):
        market, auction = make_source(ann), make_source(ann, "Auction")
        for foreign, pieces in ((40, 800), (10, 150), (None, 7000)):
            batch = make_batch(ann, source=market, foreign_count=foreign)
            make_item(batch, quantity=pieces)
        make_batch(ann, source=market, foreign_count=900, is_ready=False)
        make_item(make_batch(ann, source=auction), quantity=5)

        rows = {row["name"]: row["foreign_share"] for row in data(api(ann).get(URL))}

        assert rows == {"Market": "0.0500", "Auction": None}  # 50 of 1,000
        assert data(api(ann).get(f"{URL}/{market.pk}"))[0]["foreign_share"] == "0.0500"

    @pytest.mark.parametrize(
        ("ordering", "names"),
        [
            ("-spent", ["B", "A", "C"]),
            ("value", ["C", "B", "A"]),
            ("-batch_count", ["A", "B", "C"]),
        ],
    )
    def test_put_the_list_in_order(self, ann, api, ordering, names):
        for name, cost, batches in (("A", 1, 2), ("B", 9, 1)):
            source = make_source(ann, name)
            for _ in range(batches):
                batch = make_batch(ann, source=source, cost_total=D(cost))
                make_item(batch, quantity=10 - cost)
        make_source(ann, "C")
        found = [row["name"] for row in data(api(ann).get(URL, {"ordering": ordering}))]
        assert found == names

    @pytest.mark.parametrize(("used", "names"), [("true", ["A"]), ("false", ["B"])])
    def test_tell_the_used_from_the_unused(self, ann, api, used, names):
        source = make_source(ann, "A")
        make_batch(ann, source=source)
        make_batch(ann, source=source)
        make_source(ann, "B")
        response = api(ann).get(URL, {"used": used})
        assert [row["name"] for row in data(response)] == names
        assert response.json()["meta"]["pagination"]["total_items"] == 1

    def test_cost_the_same_queries_for_many(self, ann, api):
        counts = []
        for _ in range(2):
            for number in range(5):
                source = make_source(ann, f"{Source.objects.count()} {number}")
                make_item(make_batch(ann, source=source))
            counts.append(count_queries(lambda: api(ann).get(URL))[0])
        assert counts[0] == counts[1]


@pytest.mark.django_db
class TestMerging:
    def test_gives_batches_and_notes_to_the_one_that_stays(self, ann, api):
        old, new = make_source(ann, "eBay", "ask Jo"), make_source(ann, "Auction", "loud")
        batch = make_batch(ann, source=old)

        response = api(ann).post(f"{URL}/{old.pk}/merge", {"into": new.pk})

        assert data(response) == [{"batches": 1}]
        batch.refresh_from_db()
        new.refresh_from_db()
        assert (batch.source_id, new.notes) == (new.pk, "loud\n\nask Jo")
        assert list(Source.objects.all()) == [new]

    def test_is_refused_into_itself(self, ann, api):
        one = make_source(ann)
        response = api(ann).post(f"{URL}/{one.pk}/merge", {"into": one.pk})
        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == ["into"]
        assert Source.objects.count() == 1

    def test_finds_no_source_of_anybody_else(self, ann, bo, api):
        mine, hers = make_source(bo), make_source(ann)
        batch = make_batch(ann, source=hers)
        client = api(bo)
        assert client.post(f"{URL}/{mine.pk}/merge", {"into": hers.pk}).status_code == 404
        assert client.post(f"{URL}/{hers.pk}/merge", {"into": mine.pk}).status_code == 404
        assert client.post(f"{URL}/{mine.pk}/reassign", {"to": hers.pk}).status_code == 404
        assert client.post(f"{URL}/{hers.pk}/reassign", {"to": None}).status_code == 404
        batch.refresh_from_db()
        assert batch.source_id == hers.pk


@pytest.mark.django_db
class TestDeleting:
    def test_is_refused_with_the_batches_that_come_from_it(self, ann, api):
        source = make_source(ann)
        batch = make_batch(ann, "Lot 1", source=source)

        response = api(ann).delete(f"{URL}/{source.pk}")

        error = response.json()["meta"]["error"]
        assert (response.status_code, error["code"]) == (409, "CONFLICT")
        assert error["message"] == ("1 batch comes from Market. Give them another source first.")
        assert data(response) == [{"id": batch.pk, "name": "Lot 1"}]
        assert Source.objects.filter(pk=source.pk).exists()

    @pytest.mark.parametrize("target", ["another", None])
    def test_is_done_after_its_batches_were_re_assigned(self, ann, api, target):
        source, other = make_source(ann), make_source(ann, "Other")
        batch = make_batch(ann, source=source)
        to = None if target is None else other.pk
        client = api(ann)

        assert data(client.post(f"{URL}/{source.pk}/reassign", {"to": to})) == [{"batches": 1}]

        batch.refresh_from_db()
        assert batch.source_id == to
        assert client.delete(f"{URL}/{source.pk}").status_code == 200


@pytest.mark.django_db(transaction=True)
class TestDeletingWhileABatchComes:
    def test_leaves_no_batch_without_its_source(self, ann):
        source = make_source(ann)
        barrier = Barrier(2)
        outcomes = []

        def delete():
            barrier.wait()
            try:
                delete_source(source=source)
                outcomes.append("deleted")
            except SourceInUse:
                outcomes.append("in use")
            finally:
                connection.close()

        def buy():
            barrier.wait()
            try:
                make_batch(ann, source=source)
                outcomes.append("bought")
            except IntegrityError:
                outcomes.append("refused")
            finally:
                connection.close()

        threads = [Thread(target=delete), Thread(target=buy)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert sorted(outcomes) in (["deleted", "refused"], ["bought", "in use"])
        is_there = Source.objects.filter(pk=source.pk).exists()
        assert is_there == Batch.objects.filter(source_id=source.pk).exists()
