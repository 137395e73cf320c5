"""The pictures of what waits."""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any, Final

from django.db.models import QuerySet

from apps.catalog.selectors.faces import LOT_FACE, item_image
from apps.core.prepared import IDS, WHOLE, Prepared, Slot, united
from apps.core.waiting import MOST_PICTURES, Asked, Picture, Rows, Waiting


def with_pictures(asked: Asked, lines: Iterable[Waiting]) -> list[Waiting]:
    """Return the lines with the pictures of the lots that they show, none of them twice."""
    found: dict[str, dict[int, Picture]] = {name: {} for name in asked.shown}
    names = list(asked.shown)
    for place, _, lot_id, *columns in sorted(_rows_shown(asked), key=lambda row: -row[1]):
        found[names[place]].setdefault(lot_id, _picture(*columns))
    return [replace(line, pictures=list(found.get(line.id, {}).values())) for line in lines]


def _rows_shown(asked: Asked) -> Iterable[Any]:
    """Return the newest rows of each line with what their pictures need, read at once."""
    return united(
        [
            _SHOWN.bound(one.rows, *one.kinds, owner=asked.owner.pk, place=place, ids=one.ids)
            for place, one in enumerate(asked.shown.values())
        ]
    )


def _shown(
    build: Rows, *kinds: Hashable, owner: Slot, place: Slot, ids: Slot
) -> QuerySet[Any, Any]:
    rows = build(owner, ids, *kinds).filter(lot__isnull=False).order_by("-pk")
    # They stand inside, since SQLite limits no part of a union.
    shown = rows.model._base_manager.filter(pk__in=rows.values("pk")[:MOST_PICTURES])
    return shown.order_by().values_list(place, "pk", "lot_id", *LOT_FACE)


_SHOWN: Final = Prepared(_shown, owner=WHOLE, place=WHOLE, ids=IDS)


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
