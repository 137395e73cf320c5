"""Which texts of Remarks are names of bins."""

import pytest

from apps.locations.rules.bin_names import (
    Doubt,
    FoundName,
    group_names,
    names_after_word,
    place_by_pattern,
)


def groups_of(*names, there=(), decided=None, colors=("Tan", "Dark Tan"), **lots):
    found = [FoundName(name, lots=lots.get(name.replace(" ", "_"), 1)) for name in names]
    return [
        (group.doubt, [one.name for one in group.names])
        for group in group_names(
            found, there=there, is_color=lambda text: text in colors, decided=decided or {}
        )
    ]


class TestGroups:
    def test_are_series_in_their_natural_order(self):
        assert groups_of("A-10", "0002", "A-2", "A-1", "0001") == [
            (None, ["A-1", "A-2", "A-10"]),
            (None, ["0001", "0002"]),
        ]

    def test_of_many_letters_are_one(self):
        names = [f"{letter}-01" for letter in "ABCDEFGH"]

        assert groups_of(*names) == [(None, names)]

    def test_hold_single_names_together(self):
        assert groups_of("shed", "cellar") == [(None, ["cellar", "shed"])]

    def test_with_most_lots_come_first(self):
        assert groups_of("A1", "shed", shed=9) == [(None, ["shed"]), (None, ["A1"])]


class TestDoubts:
    @pytest.mark.parametrize(
        ("name", "doubt"),
        [
            ("Dark Tan", Doubt.COLOR),
            ("check!", Doubt.SENTENCE),
            ("sold at the fair", Doubt.SENTENCE),
            ("in box 3", Doubt.SENTENCE),
            ("for MOC", Doubt.SENTENCE),
            ('=HYPERLINK("x")', Doubt.SENTENCE),
            ("https://example.org", Doubt.SENTENCE),
            ("box 3", None),
            ("Box 12 left", None),
        ],
    )
    def test_are_seen_by_the_name(self, name, doubt):
        assert groups_of(name) == [(doubt, [name])]

    def test_are_of_lots_whose_number_it_is(self):
        found = [FoundName("3001", lots=2, part_lots=1)]

        [group] = group_names(found, there=(), is_color=lambda _: False, decided={})

        assert group.doubt is Doubt.PART

    def test_are_of_a_number_far_beyond_the_others(self):
        bins = [f"{n:04}" for n in range(1, 25)]

        assert groups_of(*bins, "48336") == [(None, bins), (Doubt.PART, ["48336"])]
        assert groups_of("48336", there=bins) == [(Doubt.PART, ["48336"])]

    def test_leave_numbers_that_count_on(self):
        bins = [str(n) for n in (*range(1, 25), 100, 240)]

        assert groups_of(*bins) == [(None, bins)]

    def test_name_the_twin_of_more_lots(self):
        found = [FoundName("elkel bak", lots=1), FoundName("enkel bak", lots=215)]

        groups = group_names(found, there=(), is_color=lambda _: False, decided={})

        assert [(one.doubt, one.names[0].name, one.twin_of) for one in groups] == [
            (None, "enkel bak", ""),
            (Doubt.TWIN, "elkel bak", "enkel bak"),
        ]

    def test_know_twins_of_bins_that_a_column_names(self):
        found = [FoundName("enkel bak", lots=2, is_sure=True), FoundName("elkel bak", lots=2)]

        groups = group_names(found, there=(), is_color=lambda _: False, decided={})

        assert [(one.doubt, one.twin_of) for one in groups] == [
            (None, ""),
            (Doubt.TWIN, "enkel bak"),
        ]

    def test_know_twins_of_bins_that_are_there(self):
        assert groups_of("A01", there=["A-01"]) == [(Doubt.TWIN, ["A01"])]

    @pytest.mark.parametrize("other", ["A-02", "A-1-1", "B-01"])
    def test_leave_neighbours_alone(self, other):
        assert groups_of(other, there=["A-01", "A-11"]) == [(None, [other])]

    def test_yield_to_what_a_person_said(self):
        decided = {"tan": True, "shed": False}

        assert groups_of("Tan", "shed", decided=decided) == [
            (None, ["Tan"]),
            (Doubt.REFUSED, ["shed"]),
        ]

    def test_yield_to_a_column_of_bins(self):
        found = [FoundName("Tan", lots=1, is_sure=True)]

        [group] = group_names(found, there=(), is_color=lambda _: True, decided={})

        assert group.doubt is None


@pytest.mark.parametrize(("text", "named"), [("in box 3", True), ("in box 31", False)])
def test_a_word_before_a_name_leaves_it_a_name(text, named):
    assert names_after_word(text, "Box 3") is named


class TestPatterns:
    @pytest.mark.parametrize(
        ("text", "pattern", "place"),
        [
            ("in box 3", "in *", "box 3"),
            ("In Box 3", "in *", "Box 3"),
            ("bin A-1 (left)", "bin * (left)", "A-1"),
            ("box 3", "in *", ""),
            ("in", "in *", ""),
        ],
    )
    def test_find_the_bin(self, text, pattern, place):
        assert place_by_pattern(text, pattern) == place

    def test_are_suggested_for_sentences(self):
        found = [FoundName("in box 3"), FoundName("in drawer 17"), FoundName("check!")]

        [group] = group_names(found, there=(), is_color=lambda _: False, decided={})

        assert group.pattern == "in *"
