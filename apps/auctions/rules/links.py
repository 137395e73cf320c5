"""The address of a listing, and the listing of an address. Pure."""

import re
from typing import Final

ITEM_PAGE: Final = "https://shopgoodwill.com/item/{id}"
_ITEM = re.compile(
    r"(?:https?://)?(?:www\.)?shopgoodwill\.com/item/(\d{1,12})(?:[/?#].*)?", re.IGNORECASE
)


def listing_url(external_id: str) -> str:
    """Return the page of a listing at the site."""
    return ITEM_PAGE.format(id=external_id)


def external_id_in(text: str) -> str | None:
    """Return the number of the listing that a pasted link or number names, None for others."""
    text = text.strip()
    if text.isascii() and text.isdecimal() and len(text) <= 12:
        return text
    found = _ITEM.fullmatch(text)
    return found[1] if found else None
