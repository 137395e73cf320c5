"""The pictures of what waits."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

from django.db.models import QuerySet, Value

from apps.catalog.selectors.faces import LOT_FACE, item_image
from apps.core.waiting import MOST_PICTURES, Asked, Picture, Waiting


def with_pictures(asked: Asked, lines: Iterable[Waiting]) -> list[Waiting]:
    """Return the lines with the pictures of the lots that they show, none of them twice."""
    found: dict[str, dict[int, Picture]] = {name: {} for name in asked.shown}
    for name, _, lot_id, *columns in sorted(_rows_shown(asked), key=lambda row: -row[1]):
        found[name].setdefault(lot_id, _picture(*columns))
    return [replace(line, pictures=list(found.get(line.id, {}).values())) for line in lines]


def _rows_shown(asked: Asked) -> Iterable[Any]:
    """Return the newest rows of each line with what their pictures need, read at once."""
    # The rows stand inside, since SQLite limits no part of a union.
    selects: list[QuerySet[Any, Any]] = [
        rows.model._base_manager.filter(pk__in=rows.values("pk")[:MOST_PICTURES])
        .order_by()
        .values_list(Value(name), "pk", "lot_id", *LOT_FACE)
        for name, rows in asked.shown.items()
    ]
    return selects[0].union(*selects[1:], all=True) if len(selects) > 1 else chain(*selects)


def _picture(
    kind: str,
    number: str,
    name: str,
    address: str,
    origin: str,
    face: str,
    color_id: int,
    color: str,
    rgb: str,
) -> Picture:
    return {
        "item_type": kind,
        "item_name": name,
        "color_name": color,
        "color_html": f"#{rgb}" if rgb else None,
        "image_url": item_image(kind, number, address, origin, face, color_id, rgb),
    }
