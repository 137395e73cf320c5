"""The pictures of what waits."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import QuerySet

from apps.catalog.models import Lot
from apps.catalog.selectors.faces import FACE, item_image
from apps.core.prepared import IDS, WHOLE, Prepared, Slot, united
from apps.core.waiting import MOST_PICTURES, Asked, Picture, Rows, Waiting


def with_pictures(asked: Asked, lines: Iterable[Waiting]) -> list[Waiting]:
    """Return the lines with the pictures of the lots that they show, none of them twice."""
    shown = _rows_shown(asked)
    if not shown:
        return list(lines)
    faces = {pk: _picture(*face) for pk, *face in _FACES.rows(ids={row[2] for row in shown})}
    found: dict[str, dict[int, Picture]] = {name: {} for name in asked.shown}
    names = list(asked.shown)
    for place, _, lot_id in sorted(shown, key=lambda row: -row[1]):
        if face := faces.get(lot_id):  # None: deleted since
            found[names[place]][lot_id] = face
    return [replace(line, pictures=list(found.get(line.id, {}).values())) for line in lines]


def _rows_shown(asked: Asked) -> Sequence[tuple[int, int, int]]:
    """Return the place of each line with the id and the lot of its newest rows, read at once."""
    rows: Any = united(
        [
            _SHOWN.bound(one.rows, *one.kinds, owner=asked.owner.pk, place=place, ids=one.ids)
            for place, one in enumerate(asked.shown.values())
        ]
    )
    return rows


def _shown(
    build: Rows, *kinds: Hashable, owner: Slot, place: Slot, ids: Slot
) -> QuerySet[Any, Any]:
    rows = build(owner, ids, *kinds).filter(lot__isnull=False).order_by("-pk")
    return rows.values_list(place, "pk", "lot_id")[:MOST_PICTURES]


_SHOWN: Final = Prepared(_shown, owner=WHOLE, place=WHOLE, ids=IDS)
_FACES: Final = Prepared(
    lambda ids: Lot.objects.filter(pk__among=ids).order_by().values_list("pk", *FACE), ids=IDS
)


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
