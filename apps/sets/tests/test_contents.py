import pytest

from apps.catalog.models import Component
from apps.catalog.tests.factories import make_item, make_lot
from apps.sets.rules import Coverage, Figure, Line, LineKind, coverage, numbers_in
from apps.sets.selectors.contents import contents_of
from apps.sets.tests.factories import make_contents, make_set_item


@pytest.fixture
def brick(db):
    return make_lot()


@pytest.fixture
def minifig(db):
    return make_lot(make_item("sw0001", item_type="MINIFIG", name="Battle Droid"))


class TestContentsOf:
    def test_counts_whole_minifigs_beside_parts(self, brick, minifig):
        torso = make_lot()
        make_contents(minifig.item, {torso: 3})
        item = make_set_item("1-1", contents={brick: 4, minifig: 2})

        found = contents_of(item.pk)

        assert found.pieces == {brick.pk: 4, minifig.pk: 2}
        assert (found.minifigs, found.minifig_pieces) == ({minifig.pk: 2}, 6)

    def test_breaks_minifigs_up_where_their_parts_are_listed(self, brick, minifig):
        make_contents(minifig.item, {brick: 3})
        other = make_lot(make_item("sw0002", item_type="MINIFIG"))
        item = make_set_item("1-1", contents={brick: 4, minifig: 2, other: 1})

        found = contents_of(item.pk, minifigs_in_parts=True)

        assert found.pieces == {brick.pk: 10, other.pk: 1}
        assert found.without_parts == {other.pk: 1}

    def test_leaves_out_spares_alternates_and_counterparts(self, brick):
        item = make_set_item("1-1", contents={brick: 4})
        inventory = item.inventories.get()
        for marks in ({"is_spare": True}, {"is_alternate": True}, {"is_counterpart": True}):
            Component.objects.create(inventory=inventory, lot=make_lot(), quantity=7, **marks)

        found = contents_of(item.pk)

        assert found.pieces == {brick.pk: 4}
        assert {line.kind for line in found.left_out} == set(LineKind) - {LineKind.REGULAR}

    def test_does_not_count_minifigs_whose_parts_are_listed_inline(self, brick, minifig):
        make_contents(minifig.item, {brick: 3})
        item = make_set_item("1-1", contents={brick: 7, minifig: 1})
        item.inventories.update(has_inline_minifigs=True)

        assert contents_of(item.pk).pieces == {brick.pk: 7}
        assert contents_of(item.pk, minifigs_in_parts=True).pieces == {brick.pk: 7}

    def test_opens_sets_inside_sets(self, brick, minifig):
        inner = make_lot(make_set_item("2-1", contents={brick: 5, minifig: 1}))
        unlisted = make_lot(make_item("3-1", item_type="SET"))
        item = make_set_item("1-1", contents={inner: 2, unlisted: 1})

        found = contents_of(item.pk)

        assert found.pieces == {brick.pk: 10, minifig.pk: 2, unlisted.pk: 1}
        assert contents_of(item.pk, sets_in_parts=False).pieces == {inner.pk: 2, unlisted.pk: 1}

    def test_ends_where_a_set_holds_itself(self, brick):
        item = make_set_item("1-1", contents={brick: 5})
        itself = make_lot(item)
        Component.objects.create(inventory=item.inventories.get(), lot=itself, quantity=1)

        assert contents_of(item.pk).pieces == {brick.pk: 5, itself.pk: 1}

    def test_knows_nothing_of_a_set_that_nobody_lists(self, db):
        found = contents_of(make_item("1-1", item_type="SET").pk)

        assert (found.pieces, found.inventory_id) == ({}, None)


class TestLineKind:
    @pytest.mark.parametrize(
        ("marks", "kind"),
        [
            ({}, "regular"),
            ({"is_spare": True}, "spare"),
            ({"is_alternate": True}, "alternate"),
            ({"is_counterpart": True, "is_spare": True}, "counterpart"),
        ],
    )
    def test_follows_the_marks(self, marks, kind):
        assert Line(1, 1, "PART", 1, **marks).kind == kind


class TestCoverage:
    def test_counts_what_is_there_and_no_more(self):
        found = coverage([(1, 4), (2, 2)], {1: 9, 2: 1}, {})

        assert found == Coverage(required=6, in_stock=5, lots_missing=1)

    def test_takes_a_whole_minifig_for_its_parts(self):
        figure = {7: Figure(7, ((1, 1), (2, 3)))}

        assert coverage([(7, 2)], {7: 1, 2: 2}, figure) == Coverage(8, 6, 2)

    def test_does_not_use_a_part_twice(self):
        figure = {7: Figure(7, ((1, 1),))}

        assert coverage([(1, 1), (7, 1)], {1: 1}, figure) == Coverage(2, 1, 1)

    def test_counts_a_minifig_without_parts_as_one(self):
        assert coverage([(7, 2)], {7: 1}, {7: Figure(7, ())}) == Coverage(2, 1, 1)


class TestNumbersIn:
    def test_reads_what_people_paste(self):
        assert numbers_in(" 10255-1, 10260\n31017;10255-1\t") == [
            "10255-1",
            "10260",
            "31017",
            "10255-1",
        ]
