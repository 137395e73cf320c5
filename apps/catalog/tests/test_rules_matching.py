"""Elements decide; equal numbers and names only help where nothing speaks against them."""

import pytest

from apps.catalog.rules.matching import match_colors, match_parts, split_path


def parts(votes, rebrickable, bricklink, links=None):
    found = match_parts(votes, links=links or {}, rebrickable=rebrickable, bricklink=set(bricklink))
    return {part: match.bricklink for part, match in found.items()}


class TestMatchParts:
    def test_takes_the_number_with_most_shared_elements(self):
        votes = [("3794b", "3794a", 19), ("3794b", "3794b", 18)]

        found = match_parts(votes, links={}, rebrickable=["3794b"], bricklink={"3794a", "3794b"})

        match = found["3794b"]
        assert (match.bricklink, match.shared, match.confidence) == ("3794a", 19, 513)
        assert match.others == ("3794b",)

    def test_prefers_the_equal_number_among_equals(self):
        assert parts([("1", "2", 3), ("1", "1", 3)], ["1"], ["1", "2"]) == {"1": "1"}

    def test_believes_an_equal_number_without_elements(self):
        assert parts([], ["3001"], ["3001"]) == {"3001": "3001"}

    def test_does_not_believe_an_equal_number_that_elements_contradict(self):
        votes = [("970c27", "970c01", 10), ("970c01", "970c03", 12)]

        found = parts(votes, ["970c01", "970c27", "970c03"], ["970c01", "970c03"])

        assert found == {"970c27": "970c01", "970c01": "970c03"}

    def test_believes_a_third_catalogue_before_an_equal_number(self):
        found = match_parts([], links={"12": "34"}, rebrickable=["12"], bricklink={"12", "34"})

        assert (found["12"].bricklink, found["12"].confidence) == ("34", 700)

    def test_ranks_many_parts_of_one_number(self):
        votes = [("3262", "553", 25), ("30367c", "553", 49), ("30367b", "553", 7)]

        found = match_parts(votes, links={}, rebrickable=[], bricklink={"553"})

        ranks = {part: match.rank for part, match in found.items()}
        assert ranks == {"30367c": 0, "3262": 1, "30367b": 2}

    def test_leaves_the_rest_alone(self):
        assert parts([], ["fig"], ["3001"]) == {}


BRICKLINK = {4: "Orange", 5: "Red", 6: "Green", 47: "Dark Pink", 73: "Medium Violet", 94: "Medium Dark Pink", 245: "Lilac", 222: "Glitter Trans-Orange"}  # fmt: skip


def colors(votes, names, second=()):
    found = match_colors(votes, second_sources=second, names=names, bricklink_names=BRICKLINK)
    return {color: (match.bricklink, match.rank) for color, match in found.items()}


class TestMatchColors:
    def test_lets_three_votes_decide_against_names_and_sources(self):
        found = colors([(1001, 245, 10)], {1001: "Medium Violet"}, [(1001, 73)])

        assert found == {1001: (245, 0)}

    def test_keeps_ids_apart(self):
        assert colors([(4, 5, 5820), (4, 4, 3)], {4: "Red"}) == {4: (5, 0)}

    def test_prefers_the_colour_with_more_votes_on_the_way_back(self):
        votes = [(5, 47, 759), (351, 47, 199)]

        found = colors(votes, {5: "Dark Pink", 351: "Medium Dark Pink"}, [(351, 94)])

        assert found == {5: (47, 0), 351: (47, 1)}

    def test_wants_a_second_source_for_a_single_vote(self):
        votes = [(1052, 6, 1), (1052, 222, 1)]

        assert colors(votes, {1052: "Glitter Orange"}) == {}
        assert colors(votes, {1052: "Glitter Orange"}, [(1052, 222)]) == {1052: (222, 0)}
        assert colors(votes, {1052: "Glitter Trans-Orange"}) == {1052: (222, 0)}

    @pytest.mark.parametrize(
        ("second", "found"),
        [
            ([], {}),
            ([(9, 6)], {}),
            ([(9, 6), (9, 6)], {9: (6, 0)}),
            ([(9, 5)], {9: (5, 0)}),
            ([(9, 999)], {}),
        ],
    )
    def test_wants_two_sources_or_one_with_the_name_where_nobody_votes(self, second, found):
        assert colors([], {9: "Red"}, second) == found


class TestSplitPath:
    NAMES = {"Town", "Classic Town", "Supplemental", "Technic", "Throwbot / Slizer"}

    @pytest.mark.parametrize(
        ("path", "names"),
        [
            ("Town / Classic Town / Supplemental", ["Town", "Classic Town", "Supplemental"]),
            ("Technic / Throwbot / Slizer", ["Technic", "Throwbot / Slizer"]),
            ("Throwbot / Slizer / Supplemental", ["Throwbot / Slizer", "Supplemental"]),
            ("Unheard / Of", ["Unheard", "Of"]),
        ],
    )
    def test_takes_the_longest_known_name(self, path, names):
        assert split_path(path, self.NAMES) == names
