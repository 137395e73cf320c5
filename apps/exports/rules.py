"""Which rows a file can hold, the text of its remarks, and its name. Pure."""

import datetime as dt
import re
from collections.abc import Mapping
from typing import Final

# Colours from here on are not BrickLink's: another catalogue's, or our own.
FIRST_FOREIGN_COLOR_ID: Final = 10_000
OWN_CATALOGUE: Final = "O"
MAX_NAME: Final = 120

# The fields that a template of the remarks may name in braces.
REMARKS_FIELDS: Final = ("location", "remarks", "comments", "number", "color")

# Fields that a mass update may send as they are now.
UPDATE_FIELDS: Final = (
    "price",
    "remarks",
    "comments",
    "bulk",
    "sale",
    "cost",
    "condition",
    "retain",
    "stockroom",
    "tiers",
)

_FIELD = re.compile(r"\{([^{}]*)\}")
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')


def why_not_written(
    *,
    item_number: str,
    item_name: str,
    origin: str = "",
    catalogue_color_id: int | None = None,
    by_number: bool = False,
    text: str = "",
) -> str | None:
    """Return why a lot cannot be written to a BSX file, None when it can.

    `origin` and `catalogue_color_id` are the catalogue's, empty for an item that is not in it: such
    a lot is written with the values of its own file, also without a number where a name or a `text`
    is there, but not `by_number`, in files of which BrickLink looks items up.
    """
    if not item_number and (by_number or not (text or item_name)):
        return "It has no item number."
    if origin == OWN_CATALOGUE:
        return f"{item_number} is a number of this catalogue's own; BrickStore does not know it."
    if catalogue_color_id is not None and catalogue_color_id >= FIRST_FOREIGN_COLOR_ID:
        return f"Its colour ({catalogue_color_id}) has no BrickLink number."
    return None


def why_unknown(*, item_number: str, item_name: str) -> str:
    """Return why a lot that is not in the catalogue is not sent to BrickLink."""
    what = item_number or item_name
    return f"The catalogue does not know {what}, so BrickLink may not either."


def file_name_of(*, title: str, today: dt.date, suffix: str = "bsx") -> str:
    """Return a name that every file system takes, such as 'Summer lot 2026-11-21.bsx'."""
    plain = " ".join(_UNSAFE.sub(" ", title).split()).strip(" .")[:MAX_NAME].rstrip(" .")
    return f"{plain or 'export'} {today.isoformat()}.{suffix}"


def why_not_a_template(text: str) -> str | None:
    """Return why `text` cannot be a template of the remarks, None when it can."""
    known = ", ".join(f"{{{name}}}" for name in REMARKS_FIELDS)
    for name in _FIELD.findall(text):
        if name not in REMARKS_FIELDS:
            return f"{{{name}}} is not known; expected text with any of {known}."
    if set(_FIELD.sub("", text)) & {"{", "}"}:
        return f"A brace stands alone; expected text with any of {known}."
    return None


def filled_remarks(template: str, values: Mapping[str, str]) -> str:
    """Return the remarks by a template such as '{location} {remarks}', blanks in a row made one."""
    return " ".join(_FIELD.sub(lambda found: values[found[1]], template).split())
