"""A file whose Remarks name several locations: what is asked, and what comes of each answer."""

import pytest

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.selectors.export import lots_for_export
from apps.inventory.services.bsx_sync import SyncOptions, start_preview
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.bsx_files import apply, bsx, lot, preview, stock, sync_file, undo
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def brick():
    """3001 in Red and Blue."""
    item = make_item("3001")
    make_lot(item, make_color(7))
    return make_lot(item, make_color(5))


def rows(owner):
    found = InventoryItem.objects.owned_by(owner).order_by("pk")
    return list(found.values_list("location__name", "quantity", "remarks"))


def question(sync):
    return next((one for one in sync.warnings if one["code"] == "several_locations"), None)


def locations():
    return list(Location.objects.order_by("name").values_list("name", flat=True))


class TestTheQuestion:
    def test_tells_how_many_lots_and_which(self, ann):
        sync = preview(
            ann,
            bsx(
                lot(qty=4, Remarks="B-07, C-01"),
                lot(qty=20, Remarks="B-07:12;C-01:8"),
                lot(qty=5, Remarks="B-07:12;C-01:8"),
                lot(qty=1, Remarks="B-07"),
                lot(qty=1, Remarks="yellowed, cracked"),
            ),
        )

        assert question(sync) == {
            "code": "several_locations",
            "message": "3 lots name several bins in Remarks, such as “B-07, C-01”.",
            "lots": 3,
            "divisible": 1,
            "separators": [";", ","],
            "examples": [
                {
                    "remarks": "B-07, C-01",
                    "quantity": 4,
                    "locations": ["B-07", "C-01"],
                    "quantities": [],
                },
                {
                    "remarks": "B-07:12;C-01:8",
                    "quantity": 20,
                    "locations": ["B-07", "C-01"],
                    "quantities": [12, 8],
                },
            ],
        }

    def test_is_not_asked_where_no_remarks_name_several(self, ann):
        sync = preview(ann, bsx(lot(Remarks="B-07"), lot(Remarks="yellowed, cracked"), lot()))

        assert question(sync) is None

    def test_is_not_asked_of_a_location_of_that_name(self, ann):
        make_location(ann, "B-07;C-01")

        sync = preview(ann, bsx(lot(Remarks="B-07;C-01")))

        assert question(sync) is None
        assert sync.counts["matched_locations"] == 1

    def test_knows_locations_that_look_like_anything(self, ann, bo):
        make_location(ann, "Tan")
        make_location(ann, "Lime")

        content = bsx(lot(Remarks="Tan, Lime"))
        assert question(preview(ann, content))["lots"] == 1
        assert question(preview(bo, content)) is None

    def test_is_not_asked_of_a_lot_that_cannot_be_read(self, ann):
        assert question(preview(ann, bsx(lot(qty=-3, Remarks="B-07;C-01")))) is None

    def test_shows_one_that_can_be_split_however_late_it_comes(self, ann):
        many = [lot(Remarks=f"B-{n};C-{n}") for n in range(9)]

        told = question(preview(ann, bsx(*many, lot(qty=3, Remarks="A1:1;A2:2"))))

        assert len(told["examples"]) == 6
        assert told["examples"][-1]["quantities"] == [1, 2]

    def test_counts_what_remarks_are_to_locations(self, ann):
        make_location(ann, "A-1")

        sync = preview(
            ann,
            bsx(
                lot(Remarks="A-1"),
                lot(color=7, Remarks="A-1"),
                lot(Remarks="B-07"),
                lot(Remarks="B-07;C-01"),
                lot(Remarks="two\nlines"),
                lot(),
            ),
        )

        told = [sync.counts[name] for name in ("new_locations", "matched_locations")]
        assert (told, sync.counts["ignored_remarks"]) == ([1, 1], 2)


class TestIgnored:
    def test_makes_no_location_and_loses_no_piece(self, ann):
        sync_file(ann, bsx(lot(qty=20, Remarks="B-07:12;C-01:8")))

        assert rows(ann) == [(None, 20, "B-07:12;C-01:8")]
        assert locations() == []

    def test_leaves_a_row_where_it_lies(self, ann, brick):
        make_stock(ann, brick, 5, make_location(ann, "A-1"), marketplace_lot_id=7)

        sync_file(ann, bsx(lot(qty=6, LotID=7, Remarks="B-07;C-01")))

        assert rows(ann) == [("A-1", 6, "B-07;C-01")]

    def test_comes_in_again_unchanged(self, ann):
        content = bsx(lot(qty=4, Remarks="B-07;C-01"))
        sync_file(ann, content)

        assert preview(ann, content).counts["unchanged"] == 1


class TestTheFirst:
    def test_takes_all_pieces_and_keeps_remarks(self, ann):
        sync = sync_file(
            ann,
            bsx(lot(qty=20, Remarks="B-07:12;C-01:8"), lot(color=7, qty=2, Remarks="D-02 / B-07")),
            several_locations="first",
        )

        assert rows(ann) == [("B-07", 20, "B-07:12;C-01:8"), ("D-02", 2, "D-02 / B-07")]
        assert sync.counts["new_locations"] == 2
        assert locations() == ["B-07", "D-02"]

    def test_is_only_one_that_is_there_where_none_are_made(self, ann):
        make_location(ann, "C-01")

        sync_file(
            ann,
            bsx(
                lot(Remarks="B-07;C-01"), lot(color=7, Remarks="C-01;B-07"), lot(Remarks="E-1;E-2")
            ),
            several_locations="first",
            create_locations=False,
        )

        assert [place for place, *_ in rows(ann)] == [None, "C-01", None]
        assert locations() == ["C-01"]


class TestOneName:
    def test_is_a_location_and_no_question_from_then_on(self, ann):
        content = bsx(lot(Remarks="B-07;C-01"))

        sync_file(ann, content, several_locations="whole")

        assert rows(ann) == [("B-07;C-01", 1, "B-07;C-01")]
        again = preview(ann, content, several_locations="ignore")
        assert (question(again), again.counts["unchanged"]) == (None, 1)


class TestSplit:
    content = bsx(
        lot(qty=20, Remarks="B-07:12;C-01:8", LotID=7),
        lot(color=7, qty=9, Remarks="B-07 (5), C-01 (4)"),
        lot(color=7, qty=9, condition="N", Remarks="B-07 (5), C-01 (5)"),
        lot(qty=3, condition="N", Remarks="B-07;C-01"),
    )

    def test_makes_a_row_for_each_location_where_it_adds_up(self, ann):
        sync = sync_file(ann, self.content, split_quantities=True, several_locations="ignore")

        assert rows(ann) == [
            ("B-07", 12, "B-07"),
            ("C-01", 8, "C-01"),
            ("B-07", 5, "B-07"),
            ("C-01", 4, "C-01"),
            (None, 9, "B-07 (5), C-01 (5)"),
            (None, 3, "B-07;C-01"),
        ]
        assert (sync.counts["lots"], sync.applied_counts["created"]) == (4, 6)
        assert check_ledger().is_sound

    def test_comes_in_again_unchanged(self, ann):
        sync_file(ann, self.content, split_quantities=True, several_locations="ignore")

        again = preview(ann, self.content, split_quantities=True, several_locations="ignore")

        kinds = ("created", "changed", "zeroed", "unchanged")
        assert [again.counts[kind] for kind in kinds] == [0, 0, 0, 6]

    def test_divides_a_row_that_was_whole_and_is_undone_to_the_piece(self, ann, brick):
        make_stock(ann, brick, 20, make_location(ann, "A-1"), marketplace_lot_id=7)
        before = stock(ann)

        sync = sync_file(
            ann,
            bsx(lot(qty=20, LotID=7, Remarks="B-07:12;C-01:8")),
            split_quantities=True,
            several_locations="ignore",
        )
        assert rows(ann) == [("B-07", 12, "B-07"), ("C-01", 8, "C-01")]
        assert check_ledger().is_sound

        undo(sync)
        assert stock(ann) == before
        assert locations() == ["A-1"]

    def test_divides_no_former_quantity(self, ann):
        lots = [
            lot(qty=20, color=color, Remarks="B-07:12;C-01:8").replace(
                "</Item>", f'<DifferenceBaseValues Qty="{was}" Price="0.200"/></Item>'
            )
            for color, was in ((5, 15), (7, 0))
        ]

        sync_file(ann, bsx(*lots), split_quantities=True, several_locations="ignore")

        assert [quantity for _, quantity, _ in rows(ann)] == [20, 12, 8]

    def test_wants_all_its_locations_where_none_are_made(self, ann):
        make_location(ann, "B-07")
        options = {
            "split_quantities": True,
            "several_locations": "ignore",
            "create_locations": False,
        }
        content = bsx(lot(qty=20, Remarks="B-07:12;C-01:8"))

        assert question(preview(ann, content, **options))["divisible"] == 0
        make_location(ann, "C-01")
        assert question(preview(ann, content, **options))["divisible"] == 1

    def test_does_not_take_the_mark_of_a_listing_for_a_name(self, ann):
        content = bsx(lot(qty=20, Remarks="B-07:12;C-01:8 #bk3x9qaz"))

        sync = sync_file(ann, content, split_quantities=True, several_locations="ignore")

        assert question(sync)["examples"][0]["remarks"] == "B-07:12;C-01:8"
        assert rows(ann) == [("B-07", 12, "B-07"), ("C-01", 8, "C-01")]


class TestExport:
    @pytest.mark.parametrize("choice", ["ignore", "first", "whole"])
    def test_gives_back_the_remarks_that_came_in(self, ann, choice):
        texts = ["B-07;C-01", "B-07:12; C-01:8", "B-07 / C-01", "Tan"]

        sync_file(
            ann, bsx(*[lot(qty=20, Remarks=text) for text in texts]), several_locations=choice
        )

        assert [(one.remarks, one.quantity) for one in lots_for_export(ann)] == [
            (text, 20) for text in texts
        ]


class TestTheChoice:
    def test_is_taken_in_another_preview_of_the_same_upload(self, ann):
        sync = preview(ann, bsx(lot(qty=20, Remarks="B-07:12;C-01:8")))
        assert sync.counts["new_locations"] == 0

        start_preview(
            sync=sync,
            options=SyncOptions(several_locations="first", split_quantities=True),
            by=ann,
        )
        run_jobs()

        sync.refresh_from_db()
        assert sync.new_locations == ["B-07", "C-01"]
        assert sync.options["several_locations"] == "first"
        apply(sync)
        assert [place for place, *_ in rows(ann)] == ["B-07", "C-01"]

    def test_is_that_of_the_last_import_until_another_is_made(self, ann, bo):
        content = bsx(lot(qty=20, Remarks="B-07:12;C-01:8"))
        sync_file(ann, content, several_locations="first", split_quantities=True)
        preview(ann, content, several_locations="whole")  # never applied

        again = preview(ann, content)

        assert (again.options["several_locations"], again.options["split_quantities"]) == (
            "first",
            True,
        )
        assert again.counts["unchanged"] == 2
        assert preview(bo, content).options["several_locations"] == "ignore"
