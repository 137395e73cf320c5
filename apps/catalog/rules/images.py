"""Where the picture of an item is, by BrickLink's convention of type, colour and number."""

from urllib.parse import quote

from apps.catalog.rules.kinds import Catalogue, ItemType

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


def item_image(
    item_type: str, number: str, address: str, origin: str, color_id: int = 0
) -> str | None:
    """Return the picture's address: the told one, else by convention where BrickLink counts."""
    if address:
        return address
    if origin != Catalogue.BRICKLINK:
        return None
    return bricklink_image(item_type, number, color_id) or None
