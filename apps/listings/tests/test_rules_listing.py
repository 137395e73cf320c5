from decimal import Decimal
from types import SimpleNamespace

import pytest

from apps.listings.rules.listing import why_not_list


class TestWhatCanBeListed:
    """The reason is of the row; all that the marketplace would refuse is refused here first."""

    def row(self, **given):
        plain = {
            "condition": "U",
            "condition_text": "",
            "sub_condition": "",
            "price": Decimal("0.1"),
            "sale": 0,
            "comments": "",
            "remarks": "",
            "reserved": "",
            "status": "I",
            "quantity": 5,
        }
        return SimpleNamespace(**plain | given)

    @pytest.mark.parametrize(
        ("given", "about", "reason"),
        [
            ({}, {}, None),
            ({}, {"wanted": 0}, "It has no pieces to list."),
            ({}, {"wanted": 6}, "Only 5 of its 6 pieces are in stock."),
            (
                {"price": Decimal(0)},
                {},
                "Its price is 0: the marketplace takes more than 0 only.",
            ),
            (
                {},
                {"color_id": 10_000},
                "The marketplace has no such colour: choose one of its own.",
            ),
            ({}, {"number": ""}, "It has no item number."),
            (
                {},
                {"item_type": "SET"},
                "Say first whether the set is complete, incomplete or sealed.",
            ),
            ({"sub_condition": "M"}, {"item_type": "SET"}, None),
            (
                {"condition": "?", "condition_text": "B"},
                {},
                "Its condition “B” was not understood: choose new or used first.",
            ),
            ({"status": "X"}, {}, "It is excluded from uploads (status X)."),
            (
                {"reserved": "bo"},
                {},
                "It is reserved for bo: the marketplace would offer it to everybody.",
            ),
            ({"sale": -5}, {}, "Its sale must be from 0 to 99 percent."),
            ({"comments": "x" * 256}, {}, "Its comments are longer than 255 characters."),
            ({"remarks": "x" * 246}, {}, "Its remarks are longer than 245 characters."),
        ],
    )
    def test_tells_the_reason(self, given, about, reason):
        asked = {"item_type": "PART", "number": "3001", "color_id": 5, "wanted": 5} | about

        assert why_not_list(self.row(**given), **asked) == reason
