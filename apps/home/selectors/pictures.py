"""The pictures of what waits."""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any, Final

from django.db.models import QuerySet, Value

from apps.catalog.selectors.faces import LOT_FACE, item_image
from apps.core.prepared import IDS, WHOLE, Prepared, Slot
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
    shown = asked.shown.values()
    if not shown:
        return []
    ids = {f"ids_{place}": one.ids for place, one in enumerate(shown)}
    return _SHOWN.rows(*((one.rows, one.kinds) for one in shown), owner=asked.owner.pk, **ids)


def _shown(*parts: tuple[Rows, tuple[Hashable, ...]], owner: Slot) -> QuerySet[Any, Any]:
    # The rows stand inside, since SQLite limits no part of a union.
    first, *others = (
        rows.model._base_manager.filter(
            pk__in=rows.filter(lot__isnull=False).order_by("-pk").values("pk")[:MOST_PICTURES]
        )
        .order_by()
        .values_list(Value(place), "pk", "lot_id", *LOT_FACE)
        for place, rows in enumerate(
            build(owner, Slot(f"ids_{place}", IDS), *kinds)
            for place, (build, kinds) in enumerate(parts)
        )
    )
    return first.union(*others, all=True) if others else first


_SHOWN: Final = Prepared(_shown, owner=WHOLE)


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
