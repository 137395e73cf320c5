import pytest

from apps.lots.rules import name_to_show


class TestNameToShow:
    @pytest.mark.parametrize(
        ("name", "number", "color", "shown"),
        [
            ("Brick 2 x 4", "3001", "Black", "Black Brick 2 x 4 (3001)"),
            ("", "3001", "Black", "Black 3001"),
            ("Brick 2 x 4", "", "", "Brick 2 x 4"),
            ("", "", "", "?"),
        ],
    )
    def test_says_what_is_known(self, name, number, color, shown):
        assert name_to_show(name=name, number=number, color=color) == shown
