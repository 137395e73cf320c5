import pytest

from apps.catalog.tests.factories import make_item, make_lot
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.tests.factories import make_stock
from apps.sets.models import BuildableSet, BuildSearch
from apps.sets.tests.factories import make_contents, make_set_item

pytestmark = pytest.mark.django_db


def find(client, **body):
    answer = client.post("/api/buildSearches", {"least_pieces": 1, **body})
    assert answer.status_code == 202, answer.content
    run_jobs()
    return answer.json()["data"][0]


def found(client, **query):
    rows = client.get("/api/buildableSets", query).json()["data"]
    return [(row["number"], row["percent"], row["pieces_missing"]) for row in rows]


class TestBuildSearch:
    def test_finds_what_the_stock_makes_the_best_first(self, api, ann):
        red, blue = make_lot(), make_lot()
        make_set_item("1-1", contents={red: 4, blue: 4})
        make_set_item("2-1", contents={red: 4})
        make_set_item("3-1", contents={blue: 4})
        make_stock(ann, red, quantity=5)
        make_stock(ann, red, quantity=1)

        search = find(api(ann))

        assert found(api(ann), build_search=search["id"]) == [
            ("2-1", "100.00", 0),
            ("1-1", "50.00", 4),
        ]

    def test_counts_minifigs_by_their_parts(self, api, ann):
        torso, legs = make_lot(), make_lot()
        minifig = make_lot(make_item("sw0001", item_type="MINIFIG"))
        make_contents(minifig.item, {torso: 1, legs: 1})
        make_set_item("1-1", contents={minifig: 2})
        make_stock(ann, minifig, quantity=1)
        make_stock(ann, torso, quantity=1)

        find(api(ann))

        assert found(api(ann)) == [("1-1", "75.00", 1)]

    def test_leaves_out_small_and_hardly_begun_sets(self, api, ann):
        red, blue = make_lot(), make_lot()
        make_set_item("1-1", contents={red: 9, blue: 91})
        make_set_item("2-1", contents={red: 4})
        make_stock(ann, red, quantity=9)

        find(api(ann), least_pieces=5, least_percent=10)

        assert found(api(ann)) == []

    def test_leaves_out_what_is_reserved_and_other_peoples(self, api, ann, bo):
        red = make_lot()
        make_set_item("1-1", contents={red: 4})
        make_stock(ann, red, quantity=5, reserved="Cy")
        promised = make_stock(ann, red, quantity=5)
        InventoryItem.objects.filter(pk=promised.pk).update(promised=5)
        make_stock(bo, red, quantity=5)

        find(api(ann))

        assert found(api(ann)) == []

    def test_forgets_what_was_found_before(self, api, ann):
        red = make_lot()
        make_set_item("1-1", contents={red: 4})
        make_stock(ann, red, quantity=5)
        find(api(ann))

        find(api(ann))

        assert BuildSearch.objects.count() == 1
        assert BuildableSet.objects.count() == 1

    def test_runs_once_at_a_time(self, api, ann):
        api(ann).post("/api/buildSearches", {})

        answer = api(ann).post("/api/buildSearches", {})

        assert answer.status_code == 409
        assert BuildSearch.objects.count() == 1

    def test_narrows_by_what_is_missing(self, api, ann):
        red, blue = make_lot(), make_lot()
        make_set_item("1-1", contents={red: 4, blue: 4})
        make_set_item("2-1", contents={red: 4})
        make_stock(ann, red, quantity=5)
        find(api(ann))

        assert found(api(ann), missing_max=3) == [("2-1", "100.00", 0)]

    def test_tells_its_owner_alone(self, api, ann, bo):
        red = make_lot()
        make_set_item("1-1", contents={red: 4})
        make_stock(ann, red, quantity=5)
        find(api(ann))

        assert found(api(bo)) == []
