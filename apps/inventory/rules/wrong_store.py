"""When a file looks like another store's, and which count a person types to apply it. Pure."""

from collections.abc import Mapping


def looks_like_another_store(counts: Mapping[str, int]) -> bool:
    """Whether fewer than half of the marketplace's lots in stock are in a file that names lots."""
    known, there = counts.get("listed_lots", 0), counts.get("listed_lots_there", 0)
    return counts.get("lots_with_id", 0) > 0 and there * 2 < known


def count_to_confirm(counts: Mapping[str, int]) -> int:
    """Return the number that must be typed before the import is applied; 0 for none.

    That of the lots which fall to 0 where they are more than a tenth; of the file of another
    store, otherwise, that of the lots which it does not name.
    """
    zeroed = counts.get("zeroed", 0)
    if zeroed * 10 > counts.get("in_stock", 0):
        return zeroed
    if looks_like_another_store(counts):
        return counts["listed_lots"] - counts["listed_lots_there"]
    return 0
