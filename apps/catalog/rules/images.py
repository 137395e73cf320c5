"""Where the picture of an item is: drawn by us, or at another site by its convention."""

import re
from typing import Final
from urllib.parse import quote

from apps.catalog.rules.kinds import Catalogue, ItemType

# Part of every address: it grows when the same address would show another picture.
PICTURES: Final = "/pictures/1"
# What ends `Item.face` where the picture shows the plain mould instead of the print, or some parts
# of a set instead of the set.
_PLAIN: Final = "-plain"
_SOME_PARTS: Final = "-parts"

_IMAGES = "https://img.bricklink.com/ItemImage"
_FOLDERS: dict[str, str] = {
    ItemType.PART: "PN",
    ItemType.MINIFIG: "MN/0",
    ItemType.SET: "SN/0",
    ItemType.GEAR: "GN/0",
    ItemType.BOOK: "BN/0",
    ItemType.CATALOG: "CN/0",
    ItemType.INSTRUCTION: "IN/0",
    ItemType.ORIGINAL_BOX: "ON/0",
}


def bricklink_image(item_type: str, number: str, color_id: int = 0) -> str:
    """Return the picture's address, '' for types that have none."""
    folder = _FOLDERS.get(item_type)
    if folder is None:
        return ""
    if item_type == ItemType.PART:
        folder = f"{folder}/{color_id}"
    return f"{_IMAGES}/{folder}/{quote(number, safe='')}.png"


def outside_image(
    item_type: str, number: str, address: str, origin: str, color_id: int = 0
) -> str | None:
    """Return the picture at another site: the address that is stored, else BrickLink's by convention."""
    if address:
        return address
    if origin != Catalogue.BRICKLINK:
        return None
    return bricklink_image(item_type, number, color_id) or None


def face_of(digest: str, *, is_exact: bool) -> str:
    """Return what `Item.face` keeps: which render shows an item, and if it lacks the print."""
    return digest if is_exact else digest + _PLAIN


def face_of_set(digest: str) -> str:
    """Return what `Item.face` keeps of a set that is pictured by some of its parts."""
    return digest + _SOME_PARTS


def shows_parts(face: str) -> bool:
    """Return whether a face is some parts of a set instead of the set."""
    return face.endswith(_SOME_PARTS)


def digest_of(face: str) -> str:
    """Return the render's digest of `Item.face`."""
    return face.partition("-")[0]


def color_slug(color_id: int | None, rgb: str | None) -> str:
    """Return a colour as in addresses: its look and its id."""
    return f"{rgb}-{color_id}" if rgb and re.fullmatch("[0-9A-F]{6}", rgb) else "none"


def face_image(face: str, color_id: int | None = None, rgb: str | None = None) -> str | None:
    """Return the address of an item's render in a colour; None where it has no render.

    The page reads `#plain` at its end as: the print is not shown, `#parts`: some parts of a set.
    """
    if not face:
        return None
    digest, _, lacks = face.partition("-")
    ending = f"#{lacks}" if lacks else ""
    return f"{PICTURES}/{digest}/{color_slug(color_id, rgb)}/128.webp{ending}"


def outside_path(item_type: str, number: str, color_id: int = 0) -> str:
    """Return where we serve another site's picture of an item."""
    return f"{PICTURES}/outside/{item_type}/{color_id}/{quote(number, safe='')}.webp"
