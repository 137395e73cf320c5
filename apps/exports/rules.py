"""What of a store a BSX file can hold, and what the file is called. Pure."""

import datetime as dt
import re
from typing import Final

# Colours from here on are not BrickLink's: another catalogue's, or our own.
FIRST_FOREIGN_COLOR_ID: Final = 10_000
OWN_CATALOGUE: Final = "O"
MAX_NAME: Final = 120

_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')


def why_not_written(
    *,
    item_number: str,
    item_name: str,
    item_type: str,
    origin: str = "",
    catalogue_color_id: int | None = None,
) -> str | None:
    """Return why a lot cannot be written to a BSX file, None when it can.

    `item_type` is the letter; `origin` and `catalogue_color_id` are the catalogue's, empty
    for an item that it does not know: such a lot is written as its own file had it.
    """
    if not item_number and (not item_name or item_type == "U"):
        return "It has no item number."
    if origin == OWN_CATALOGUE:
        return f"{item_number} is a number of this catalogue's own; BrickStore does not know it."
    if catalogue_color_id is not None and catalogue_color_id >= FIRST_FOREIGN_COLOR_ID:
        return f"Its colour ({catalogue_color_id}) has no BrickLink number."
    return None


def file_name_of(*, title: str, today: dt.date, suffix: str = "bsx") -> str:
    """Return a name that every file system takes, such as 'Summer lot 2026-11-21.bsx'."""
    plain = " ".join(_UNSAFE.sub(" ", title).split()).strip(" .")[:MAX_NAME].rstrip(" .")
    return f"{plain or 'export'} {today.isoformat()}.{suffix}"
