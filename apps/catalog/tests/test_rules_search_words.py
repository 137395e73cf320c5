"""Folding of names and of what is typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.catalog.rules.search_words import (
    MAX_QUERY_WORDS,
    indexed_words,
    lot_words,
    nearest_words,
    numbers_in,
    read_query,
    vocabulary_of,
    words_of,
)


def words(text):
    return [term.word for term in read_query(text).terms]


class TestWordsOf:
    @pytest.mark.parametrize(
        ("text", "folded"),
        [
            ("Truck Stop Café {Cafe}", ["truck", "stop", "cafe", "cafe"]),
            ("Tile 2 × 2, Räder – grün", ["tile", "2", "x", "2", "rader", "grun"]),
            ("Straße_Ødegård", ["strasse", "odegard"]),
            ("45° (Slope)", ["45", "slope"]),
            ("きみも", ["きみも"]),
        ],
    )
    def test_folds_case_accents_and_signs(self, text, folded):
        assert words_of(text) == folded


class TestIndexedWords:
    def test_writes_sizes_both_ways_and_no_word_twice(self):
        line = indexed_words("3001", "Brick 2 x 4 Café {Cafe}")

        assert line == "3001 brick 2 x 4 cafe 2x4"

    def test_finds_the_shorter_size_in_a_longer_one(self):
        assert "1x2" in indexed_words("2454", "Brick 1 x 2 x 5").split()
        assert "1x2x5" in indexed_words("2454", "Brick 1 x 2 x 5").split()

    def test_adds_other_numbers(self):
        assert indexed_words("4073", "Plate", "6141").split() == ["4073", "plate", "6141"]


class TestLotWords:
    def test_ends_with_the_colour(self):
        assert lot_words("3001", "Brick 2 x 4", "Dark Red") == "3001 brick 2 x 4 2x4 dark red"

    @given(st.text(max_size=900), st.text(max_size=100))
    def test_fits_its_column(self, name, color):
        assert len(lot_words("1", name, color)) <= 700


class TestReadQuery:
    @pytest.mark.parametrize("typed", ["2x4", "2 x 4", "2X4", "2 × 4", " 2x 4 "])
    def test_takes_every_spelling_of_a_size_for_the_same(self, typed):
        assert words(typed) == ["2x4"]

    def test_takes_short_numbers_in_the_middle_as_they_are(self):
        terms = read_query("plate 2 round").terms

        assert [(term.word, term.is_prefix) for term in terms] == [
            ("plate", True),
            ("2", False),
            ("round", True),
        ]

    def test_takes_the_last_word_as_a_beginning(self):
        assert read_query("plate 2").terms[-1].is_prefix is True

    @pytest.mark.parametrize("typed", ["", "  ", "*", '"', "%%", "\x00", "()", "—", "'"])
    def test_finds_no_words_in_signs(self, typed):
        assert read_query(typed).terms == ()

    @given(st.text())
    def test_never_raises_and_gives_plain_words(self, typed):
        query = read_query(typed)

        assert len(query.terms) <= MAX_QUERY_WORDS
        assert all(term.word.isalnum() for term in query.terms)
        assert "\x00" not in query.number_key

    def test_reads_the_whole_as_a_number_too(self):
        assert read_query(" fig-015861 ").number_key == "FIG-015861"


class TestVocabularyOf:
    def test_offers_plain_words_only(self):
        assert vocabulary_of(["brick", "2x4", "of", "3001", "é"]) == {"brick"}


class TestNearestWords:
    @pytest.mark.parametrize(
        ("one", "other", "distance"),
        [
            ("brick", "brick", 0),
            ("birck", "brick", 1),
            ("brik", "brick", 1),
            ("bricks", "brick", 1),
            ("brock", "brick", 1),
            ("tehcnik", "technic", 2),
            ("plate", "brick", 3),
        ],
    )
    def test_counts_drops_inserts_changes_and_swaps(self, one, other, distance):
        near = nearest_words(one, [other], at_most=2)

        assert near == ([(distance, other)] if distance <= 2 else [])

    @given(st.text("abc", max_size=6), st.text("abc", max_size=6))
    def test_is_the_same_both_ways(self, one, other):
        (there,) = nearest_words(one, [other], at_most=9)
        (back,) = nearest_words(other, [one], at_most=9)

        assert there[0] == back[0]

    def test_puts_the_nearest_first_then_by_the_alphabet(self):
        found = nearest_words("brik", ["birch", "brick", "plate", "brik", "bric"], at_most=1)

        assert found == [(0, "brik"), (1, "bric"), (1, "brick")]


class TestNumbersIn:
    @pytest.mark.parametrize(
        ("text", "numbers"),
        [
            ("3001, 3004", ["3001", "3004"]),
            ("3001\r\n3068bpb0123; 10255-1,", ["3001", "3068BPB0123", "10255-1"]),
            ("3001,3001\t3004", ["3001", "3004"]),
            ("3001", []),
            ("3001,", []),
            ("brick, red", []),
            ("brick 2 x 4, red", []),
            ("3001 red, 3004", []),
            ("", []),
        ],
    )
    def test_reads_a_list_of_several_and_nothing_else(self, text, numbers):
        assert numbers_in(text) == numbers

    def test_takes_as_many_as_one_looks_through(self):
        assert len(numbers_in(",".join(map(str, range(3000, 3100))))) == 25
