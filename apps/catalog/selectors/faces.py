"""Which picture a row shows."""

from typing import Any, Final

from django.conf import settings

from apps.catalog.rules.images import face_image, outside_image, outside_path, shows_parts

#: The columns of an item from which `item_image` finds its picture, as rows of others select them.
ITEM_PICTURE: Final = ("item__image_url", "item__origin", "item__face")
LOT_PICTURE: Final = tuple(f"lot__{name}" for name in ITEM_PICTURE)
#: The columns of a lot that name and picture it, and those in the order of a row of lots.
FACE: Final = (
    *("item__item_type", "item__number", "item__name", *ITEM_PICTURE),
    *("color_id", "color__name", "color__rgb"),
)
LOT_FACE: Final = tuple(f"lot__{name}" for name in FACE)


def paint(row: dict[str, Any], picture: tuple[str, ...]) -> None:
    """Replace the RGB in `color_html` by an HTML colour, the picture's columns by `image_url`."""
    rgb = row["color_html"]
    row["color_html"] = f"#{rgb}" if rgb else None
    address, origin, face = map(row.pop, picture)
    item = (row["item_type"], row["item_number"], address, origin, face)
    row["image_url"] = item_image(*item, row["color_id"], rgb)


def item_image(
    item_type: str,
    number: str,
    address: str,
    origin: str,
    face: str,
    color_id: int | None = None,
    rgb: str | None = None,
) -> str | None:
    """Return the address of an item's picture in a colour, None where there is none.

    Our own render comes first; one from outside only where the operator allows it
    (`OUTSIDE_PICTURES`), and then by our server. Of a set it comes before some of its parts.
    """
    shown = face_image(face, color_id, rgb)
    if not settings.OUTSIDE_PICTURES or (shown and not shows_parts(face)):
        return shown
    known = outside_image(item_type, number, address, origin, color_id or 0)
    return outside_path(item_type, number, color_id or 0) if known else shown
