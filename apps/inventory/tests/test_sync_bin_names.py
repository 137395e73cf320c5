"""Names in Remarks that are bins, and those that an import leaves as they are."""

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services.bsx_sync import SyncOptions, start_preview
from apps.inventory.tests.bsx_files import apply, bsx, lot, preview, sync_file, undo
from apps.inventory.tests.factories import quantities
from apps.locations.models import Location

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def brick():
    for color in (5, 7):
        make_color(color)
    return make_lot(make_item("3001"))


FILE = bsx(
    lot(qty=1, Remarks="A-01"),
    lot(qty=2, Remarks="A-02", color=7),
    lot(qty=3, Remarks="Red", Comments="x"),
    lot(qty=4, Remarks="in box 3", Comments="y"),
)


class TestAnImportIntoAnEmptyAccount:
    def test_groups_names_and_leaves_doubtful_ones_as_remarks(self, ann):
        sync = apply(preview(ann, FILE))

        assert [(one["doubt"], one["lots"], one["pieces"]) for one in sync.bin_groups] == [
            ("", 2, 3),
            ("color", 1, 3),
            ("sentence", 1, 4),
        ]
        assert sync.new_locations == ["A-01", "A-02"]
        assert quantities(ann) == [(None, 3), (None, 4), ("A-01", 1), ("A-02", 2)]
        assert InventoryItem.objects.filter(remarks="Red").count() == 1

    def test_can_be_undone(self, ann):
        sync = apply(preview(ann, FILE))

        undo(sync)

        assert not InventoryItem.objects.filter(quantity__gt=0).exists()
        assert not Location.objects.exists()

    def test_takes_what_a_person_says(self, ann):
        sync = preview(ann, FILE)
        bins = {"Red": True, "a-02": False}
        start_preview(sync=sync, options=SyncOptions(bins=bins, bin_patterns=["in *"]), by=ann)
        run_jobs()
        sync.refresh_from_db()

        apply(sync)

        assert quantities(ann) == [(None, 2), ("A-01", 1), ("Red", 3), ("box 3", 4)]


class TestTheNextImport:
    def test_reads_names_and_patterns_as_the_last_one(self, ann):
        sync = preview(ann, FILE)
        options = SyncOptions(bins={"A-02": False}, bin_patterns=["in *"])
        start_preview(sync=sync, options=options, by=ann)
        run_jobs()
        sync.refresh_from_db()
        apply(sync)

        again = preview(ann, FILE)

        assert (again.counts["unchanged"], again.counts["changed"]) == (4, 0)

    def test_moves_no_row_into_a_doubtful_name(self, ann):
        sync_file(ann, bsx(lot(qty=1, Remarks="A-01")))

        sync_file(ann, bsx(lot(qty=1, Remarks="Red")))

        assert quantities(ann) == [("A-01", 1)]


class TestTheApi:
    def test_tells_the_groups_of_ones_own(self, ann, bo, api):
        sync = preview(ann, FILE)
        address = f"/api/inventorySyncs/{sync.pk}/binGroups"

        rows = api(ann).get(address).json()["data"]

        assert [one["name"] for one in rows[0]["names"]] == ["A-01", "A-02"]
        assert (rows[0]["is_series"], rows[2]["pattern"]) == (True, "in *")
        assert api(bo).get(address).status_code == 404

    @pytest.mark.parametrize(
        ("pattern", "status"), [("in *", 202), ("in box", 400), ("in *\x02", 400), ("\x0c*", 400)]
    )
    def test_takes_patterns_with_one_star_and_no_control_character(self, ann, api, pattern, status):
        sync = preview(ann, FILE)

        answer = api(ann).post(
            f"/api/inventorySyncs/{sync.pk}/preview", {"bin_patterns": [pattern]}
        )

        assert answer.status_code == status

    @pytest.mark.parametrize("pattern", ["in box", "* and *", "*" * 200])
    def test_refuses_a_pattern_without_its_star(self, ann, api, pattern):
        sync = preview(ann, FILE)

        answer = api(ann).post(
            f"/api/inventorySyncs/{sync.pk}/preview", {"bin_patterns": [pattern]}
        )

        assert answer.status_code == 400
