"""The least catalogue rows that a test needs."""

import itertools
from contextlib import contextmanager

from apps.catalog.models import Category, Color, Item, Lot
from apps.catalog.rules.search_words import lot_words
from apps.catalog.services.texts import refresh_texts
from apps.core.natural import natural_key

_is_searchable = False
_numbers = itertools.count(90_001)
_NAMES = {
    0: "(Not Applicable)",
    1: "White",
    5: "Red",
    7: "Blue",
    11: "Black",
    86: "Light Bluish Gray",
}
_RGB = {1: "FFFFFF", 5: "B30006", 7: "0057A6", 11: "212121", 86: "AFB5C7"}


def make_color(color_id=5, name="", **also):
    """A colour; Red unless said otherwise. Asking twice gives the same one."""
    also.setdefault("rgb", _RGB.get(color_id, ""))
    name = name or _NAMES.get(color_id, f"Colour {color_id}")
    return Color.objects.get_or_create(pk=color_id, defaults={"name": name, **also})[0]


def make_category(category_id=5, name="Brick", **also):
    """A category; BrickLink's 5 = Brick unless said otherwise."""
    also.setdefault("path", name)
    return Category.objects.get_or_create(pk=category_id, defaults={"name": name, **also})[0]


@contextmanager
def searchable():
    """Let items that are made meanwhile have a search line: it costs eight times as much as they."""
    global _is_searchable
    before, _is_searchable = _is_searchable, True
    try:
        yield
    finally:
        _is_searchable = before


def make_item(number="", name="Brick 2 x 4", item_type="PART", **also):
    """An item."""
    number = number or str(next(_numbers))
    item = Item.objects.create(
        item_type=item_type,
        number=number,
        number_key=number.upper(),
        sort_key=natural_key(number),
        name=name,
        **also,
    )
    if _is_searchable:
        refresh_texts(item_ids=[item.pk])
    return item


def make_lot(item=None, color=None, *, is_known=True, **also):
    """A lot; the item is made unless given, the colour is Red (0 for what has no colour)."""
    item = item or make_item()
    if color is None:
        color = make_color(5 if item.item_type == "PART" else 0)
    return Lot.objects.create(
        item=item,
        color=color,
        is_known=is_known,
        composite_ssearch=lot_words(item.number, item.name, color.name),
        **also,
    )
