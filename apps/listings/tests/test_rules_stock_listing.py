"""Which rows of stock can be put up for sale or taken off, and why not."""

import pytest

from apps.listings.rules.stock_listing import Have, Step, Verdict, listing_of, unlisting_of

SHOWN, ROOM, OWN = "", "B", None


def have(lot_id=None, stockroom="", **also):
    return Have(lot_id=lot_id, stockroom=stockroom, **also)


class TestListing:
    @pytest.mark.parametrize(
        ("row", "into", "step"),
        [
            (have(loose=5), SHOWN, Step.PUT_UP),
            (have(waiting=5), SHOWN, Step.PUT_UP),
            (have(loose=5, busy=2, archived=1), OWN, Step.PUT_UP),
            (have(7, waiting=2), SHOWN, Step.PUT_UP),
            (have(7, waiting=2), ROOM, Step.PUT_UP),
            (have(7, "A", waiting=2), OWN, Step.PUT_UP),
            (have(7, "A"), SHOWN, Step.MOVE),
            (have(7, "A", waiting=2), SHOWN, Step.MOVE),
            (have(7, "A"), ROOM, Step.MOVE),
        ],
    )
    def test_puts_up_or_moves(self, row, into, step):
        assert listing_of(row, into=into) == Verdict(step)

    @pytest.mark.parametrize(
        ("row", "into", "words"),
        [
            (have(), SHOWN, "It has no pieces"),
            (have(busy=3), SHOWN, "being listed with their batch"),
            (have(archived=3), SHOWN, "archived batch"),
            (have(loose=3, is_marked=True), SHOWN, "marked as listed"),
            (have(loose=3, against="There is one."), SHOWN, "There is one."),
            (have(7), SHOWN, "for sale already"),
            (have(7), ROOM, "for sale already"),
            (have(7, busy=3), SHOWN, "being listed with their batch"),
            (have(7, archived=3), SHOWN, "for sale already"),
            (have(7, "B"), ROOM, "in stockroom B already"),
            (have(7, "B"), OWN, "in stockroom B already"),
        ],
    )
    def test_tells_why_nothing_is_done(self, row, into, words):
        verdict = listing_of(row, into=into)

        assert verdict.step is None
        assert words in verdict.reason


class TestUnlisting:
    def test_moves_what_is_for_sale(self):
        assert unlisting_of(have(7, waiting=2)) == Verdict(Step.MOVE)

    @pytest.mark.parametrize(
        ("row", "words"),
        [(have(loose=5), "not for sale"), (have(7, "C"), "in stockroom C already")],
    )
    def test_tells_why_nothing_is_done(self, row, words):
        verdict = unlisting_of(row)

        assert verdict.step is None
        assert words in verdict.reason
