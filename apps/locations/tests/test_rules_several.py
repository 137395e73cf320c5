"""Which Remarks name several locations, and what they say lies where."""

import pytest

from apps.locations.rules.several import division_of, several_in

THERE = frozenset({"Tan", "Lime", "Shelf 3, left", "R1:12", "A/B"})


def read(text):
    found = several_in(text, there=THERE)
    return None if found is None else (found.names, found.quantities)


class TestSeveralIn:
    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("B-07;C-01", ("B-07", "C-01")),
            ("B-07, C-01", ("B-07", "C-01")),
            ("B-07 / C-01", ("B-07", "C-01")),
            ("B-07/C-01", ("B-07", "C-01")),
            ("B-07 | C-01 | D-02", ("B-07", "C-01", "D-02")),
            ("B-07 + C-01", ("B-07", "C-01")),
            ("B-07 & C-01", ("B-07", "C-01")),
            ("Box 12, Box 13", ("Box 12", "Box 13")),
            ("0029;0030", ("0029", "0030")),
            ("0029, 0030", ("0029", "0030")),
            ("7;12", ("7", "12")),
            ("Å1;Ä2", ("Å1", "Ä2")),
            # however they look, names of the person's own count
            ("Tan, Lime", ("Tan", "Lime")),
            ("Tan / B-07", ("Tan", "B-07")),
            # what separates is no part of a name where another sign separates
            ("A1/2; A1/3", ("A1/2", "A1/3")),
            ("A:1;A:2", ("A:1", "A:2")),
        ],
    )
    def test_finds_the_names(self, text, names):
        assert read(text) == (names, ())

    @pytest.mark.parametrize(
        ("text", "names", "quantities"),
        [
            ("B-07:12;C-01:8", ("B-07", "C-01"), (12, 8)),
            ("B-07 (12), C-01 (8)", ("B-07", "C-01"), (12, 8)),
            ("B-07=12 / C-01=8", ("B-07", "C-01"), (12, 8)),
            ("B-07 x12, C-01 x 8", ("B-07", "C-01"), (12, 8)),
            ("B-07 ×12; C-01 ×8", ("B-07", "C-01"), (12, 8)),
            ("Tan: 3, Lime: 4", ("Tan", "Lime"), (3, 4)),
            ("Box 12 (3); Box 13 (4)", ("Box 12", "Box 13"), (3, 4)),
            # one that says none says nothing of the rest
            ("B-07:12;C-01", ("B-07", "C-01"), ()),
            # a location of the person's own is not taken apart
            ("R1:12;C-01:8", ("R1:12", "C-01"), ()),
        ],
    )
    def test_finds_how_many_lie_where(self, text, names, quantities):
        assert read(text) == (names, quantities)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "B-07",
            "enkel bak",
            "Shelf 3, left",  # one of the person's own
            "A/B",
            "B-07;",
            ";B-07",
            "B-07;B-07",
            "B-07; look twice",
            "cracked, yellowed",
            "Light bluish gray / dark tan",
            "12/3",
            "1/2",
            "12,50",
            "0.12, 0.15",
            "1,234",
            "2 x 4, 1 x 2",
            "B-07 C-01",
            "bought 2022, 3 of them yellowed",
            "B-07;" + "x1" * 20,
            ";".join(f"B-{n}" for n in range(21)),
            ", ".join(f"B-{n:020}" for n in range(20)),
        ],
    )
    def test_leaves_alone_what_names_one_or_says_something_else(self, text):
        assert read(text) is None

    def test_says_which_sign_separates(self):
        assert several_in("A1/2, A1/3", there=()).separator == ","


class TestDivisionOf:
    @pytest.mark.parametrize(
        ("text", "quantity", "parts"),
        [
            ("B-07:12;C-01:8", 20, (("B-07", 12), ("C-01", 8))),
            ("B-07:12;C-01:8", 19, ()),
            ("B-07:20;C-01:0", 20, ()),
            ("B-07;C-01", 20, ()),
            ("B-07;C-01", 0, ()),
        ],
    )
    def test_adds_up_or_there_is_none(self, text, quantity, parts):
        assert division_of(several_in(text, there=()), quantity) == parts
