"""Derives the state of an order from the marketplace's state and our own picking. Pure."""

from typing import Final

#: The states in their usual order. Cancelled orders and orders with a problem are not part of it.
COURSE: Final = ("new", "paid", "picked", "packed", "shipped", "done")
OUTSIDE: Final = ("cancelled", "problem")
TRAYS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: Printed cards exist for these; more orders than that are picked with written ones.
CARDS: Final = 8


def state_of(*, told: str, ours: str, to_pick: int, has_lines: bool) -> str:
    """Return the state of an order: the later of the marketplace's and ours.

    Only our own picking decides whether an order is picked: an order that gets more lines after
    it was picked is paid again.
    """
    if told in OUTSIDE:
        return told
    if ours in OUTSIDE:
        return told
    if told in ("shipped", "done"):
        return told
    further = max(told, ours, key=COURSE.index)
    if further == "picked" and to_pick:
        return "paid"
    if further == "paid" and has_lines and not to_pick:
        return "picked"
    return further


def tray_name(place: int) -> str:
    """Return the name of a tray: A to Z, then AA and so on."""
    if place < len(TRAYS):
        return TRAYS[place]
    return TRAYS[place // len(TRAYS) - 1] + TRAYS[place % len(TRAYS)]
