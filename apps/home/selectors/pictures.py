"""The pictures of what waits."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.db.models import Subquery

from apps.accounts.models import User
from apps.catalog.models import Lot
from apps.catalog.selectors.faces import ITEM_PICTURE, item_image
from apps.core.waiting import MOST_PICTURES, Asked, Picture, Waiting


def with_pictures(asked: Asked, lines: Iterable[Waiting]) -> list[Waiting]:
    """Return the lines with the pictures of the lots that they show."""
    shown = _lots_shown(asked)
    pictures = _pictures({lot for lots in shown.values() for lot in lots})
    return [
        replace(line, pictures=[pictures[lot] for lot in shown.get(line.id, ())]) for line in lines
    ]


def _lots_shown(asked: Asked) -> dict[str, list[int]]:
    """Return the lots of each line, without those that are shown twice."""
    places = {
        f"lot_{line}_{place}": (name, rows[place : place + 1])
        for line, (name, rows) in enumerate(asked.shown.items())
        for place in range(MOST_PICTURES)
    }
    owner: Any = User.objects.filter(pk=asked.owner.pk)
    row = owner.values("pk", **{place: Subquery(rows) for place, (_, rows) in places.items()}).get()
    lots: dict[str, dict[int, None]] = {name: {} for name in asked.shown}
    for place, (name, _) in places.items():
        if row[place] is not None:
            lots[name][row[place]] = None
    return {name: list(found) for name, found in lots.items()}


def _pictures(lots: set[int]) -> dict[int, Picture]:
    """Return the picture of each lot. No lot is 0: few lots cost as many queries as many."""
    rows = Lot.objects.filter(pk__in=lots or {0}).values_list(
        "pk",
        "item__item_type",
        "item__number",
        "item__name",
        "color__name",
        "color__rgb",
        "color_id",
        *ITEM_PICTURE,
    )
    return {
        pk: {
            "item_type": kind,
            "item_name": name,
            "color_name": color,
            "color_html": f"#{rgb}" if rgb else None,
            "image_url": item_image(kind, number, address, origin, face, color_id, rgb),
        }
        for pk, kind, number, name, color, rgb, color_id, address, origin, face in rows
    }
