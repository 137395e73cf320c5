import numpy as np
import pytest

from vision.popularity import lots_by_mould, power


class TestPopularity:
    @pytest.mark.parametrize("wanted", [0.25, 0.9])
    def test_finds_the_power_that_a_stores_lots_go_with(self, wanted):
        of_sets = np.geomspace(20, 10_000, 400)

        assert power(0.01 * of_sets**wanted, of_sets) == pytest.approx(wanted)

    def test_counts_moulds_without_a_lot(self):
        of_sets = np.array([20.0] * 50 + [2_000.0] * 50)
        of_store = np.array([0.0] * 49 + [1.0] + [0.0] * 40 + [5.0] * 10)

        assert power(of_store, of_sets) == pytest.approx(np.log(50) / np.log(100))

    def test_counts_a_print_for_its_plain_mould(self):
        moulds = [["3001"], ["3068", "3068b"]]

        assert lots_by_mould(["3068bpb0012", "3068b", "3001", "9999"], moulds).tolist() == [1, 2]
