import pytest

from apps.batches.rules.states import (
    BatchStatus,
    Figures,
    ItemState,
    state_of,
    status_of,
    why_not_mark_listed,
    why_not_remove,
    why_not_stow,
)


class TestStatusOf:
    @pytest.mark.parametrize(
        ("new", "stowed", "listed", "status"),
        [
            (0, 0, 0, BatchStatus.EMPTY),
            (3, 0, 0, BatchStatus.NEW),
            (1, 2, 0, BatchStatus.IN_PROGRESS),
            (1, 0, 2, BatchStatus.IN_PROGRESS),
            (0, 2, 0, BatchStatus.STOWED),
            (0, 2, 5, BatchStatus.STOWED),
            (0, 0, 5, BatchStatus.LISTED),
        ],
    )
    def test_follows_the_rows(self, new, stowed, listed, status):
        assert status_of(new, stowed, listed) == status


class TestFigures:
    def test_add_up(self):
        figures = Figures(
            new_lots=1, stowed_lots=1, listed_lots=1, new_items=2, stowed_items=3, listed_items=4
        )

        assert (figures.total_lots, figures.total_items) == (3, 9)
        assert figures.status == BatchStatus.IN_PROGRESS


class TestStateOf:
    @pytest.mark.parametrize(
        ("is_stowed", "is_listed", "state"),
        [
            (False, False, ItemState.NEW),
            (True, False, ItemState.STOWED),
            (True, True, ItemState.LISTED),
        ],
    )
    def test_is_one_of_three(self, is_stowed, is_listed, state):
        assert state_of(is_stowed=is_stowed, is_listed=is_listed) == state


class TestWhyNot:
    def test_stow_needs_a_new_item_with_pieces(self):
        assert why_not_stow(is_stowed=False, quantity=1, location="") is None
        assert why_not_stow(is_stowed=True, quantity=1, location="A-01") == (
            "It is already stowed in A-01."
        )
        assert why_not_stow(is_stowed=True, quantity=1, location="") == "It is already stowed."
        assert why_not_stow(is_stowed=False, quantity=0, location="") == (
            "It has no pieces to stow."
        )

    def test_remove_keeps_off_what_is_listed(self):
        assert why_not_remove(is_listed=False) is None
        assert why_not_remove(is_listed=True) == "It is listed: take the mark off first."

    @pytest.mark.parametrize(
        ("is_stowed", "is_listed", "listed", "reason"),
        [
            (True, False, True, None),
            (False, False, True, "It is not stowed yet."),
            (True, True, True, "It is already marked as listed."),
            (True, True, False, None),
            (True, False, False, "It is not marked as listed."),
        ],
    )
    def test_the_mark_goes_on_stowed_items_only(self, is_stowed, is_listed, listed, reason):
        found = why_not_mark_listed(is_stowed=is_stowed, is_listed=is_listed, listed=listed)

        assert found == reason
