from decimal import Decimal as D

import pytest

from apps.inventory.rules.worth import AGE_BANDS, CURVE_POINTS, age_band, curve


class TestAgeBand:
    @pytest.mark.parametrize(
        ("days", "band"),
        [(-1, 0), (0, 0), (29, 0), (30, 1), (89, 1), (180, 3), (365, 4), (9999, 4)],
    )
    def test_is_the_last_one_begun(self, days, band):
        assert age_band(days) == band
        assert AGE_BANDS[band][1]


class TestCurve:
    def test_runs_from_nothing_to_everything(self):
        assert curve([D(5), D(3), D(0)]) == [(0, D(0)), (1, D(5)), (2, D(8)), (3, D(8))]

    def test_is_nothing_of_nothing(self):
        assert curve([]) == []

    def test_takes_even_steps_of_many_and_ends_with_the_last(self):
        found = curve([D(1)] * (10 * CURVE_POINTS + 3))
        assert [rows for rows, _ in found[:3]] == [0, 11, 22]
        assert found[-1] == (503, D(503))
        assert len(found) <= CURVE_POINTS + 1
