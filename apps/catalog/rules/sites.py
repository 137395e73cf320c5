"""Where else an item can be looked up."""

from urllib.parse import quote

from apps.catalog.rules.kinds import LETTER_OF_TYPE, ItemType

BRICKLINK = "https://www.bricklink.com/v2/catalog/catalogitem.page?{letter}={number}"
REBRICKABLE = {
    ItemType.PART: "https://rebrickable.com/parts/{number}/",
    ItemType.SET: "https://rebrickable.com/sets/{number}/",
    ItemType.MINIFIG: "https://rebrickable.com/minifigs/{number}/",
}


def external_sites(
    item_type: str, number: str, *, is_bricklink: bool, rebrickable_number: str | None
) -> list[dict[str, str]]:
    """Return name and address of the item's page at each site that has one."""
    kind = ItemType(item_type)
    sites = []
    if is_bricklink:
        url = BRICKLINK.format(letter=LETTER_OF_TYPE[kind], number=quote(number))
        sites.append({"name": "BrickLink", "url": url})
    if rebrickable_number and kind in REBRICKABLE:
        sites.append(
            {
                "name": "Rebrickable",
                "url": REBRICKABLE[kind].format(number=quote(rebrickable_number)),
            }
        )
    return sites
