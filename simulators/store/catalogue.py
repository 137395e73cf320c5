"""The items and colours of the marketplace: the starter catalogue, and numbers of the same form."""

import csv
import re
from functools import cache
from pathlib import Path

from simulators.store.wire import Refusal

STARTER = Path(__file__).resolve().parents[2] / "apps" / "catalog" / "starter"
TYPES = (
    "MINIFIG",
    "PART",
    "SET",
    "BOOK",
    "GEAR",
    "CATALOG",
    "INSTRUCTION",
    "UNSORTED_LOT",
    "ORIGINAL_BOX",
)
# A full catalogue has ninety thousand numbers; all hold a digit and nothing else than these.
_NUMBER = re.compile(r"(?=.*\d)[A-Za-z0-9][A-Za-z0-9.\-_]{0,29}")
_WITH_SEQUENCE = re.compile(r".+-\d+")


@cache
def colours() -> dict[int, dict[str, object]]:
    """Return the colours by id, in the API's format."""
    with (STARTER / "colors.csv").open(encoding="utf-8", newline="") as file:
        return {
            int(row["id"]): {
                "color_id": int(row["id"]),
                "color_name": row["name"],
                "color_code": row["rgb"].lower(),
                "color_type": row["type"],
            }
            for row in csv.DictReader(file)
        }


@cache
def _starter() -> dict[tuple[str, str], dict[str, str]]:
    found: dict[tuple[str, str], dict[str, str]] = {}
    for kind, name in (("PART", "parts"), ("SET", "sets"), ("MINIFIG", "minifigs")):
        with (STARTER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            found |= {(kind, row["number"]): row for row in csv.DictReader(file)}
    return found


def described(known: dict[str, str]) -> dict[str, object]:
    """Return an item in the API's format; one outside the starter catalogue has no weight."""
    row = _starter().get((known["type"], known["no"]), {})
    return {
        **known,
        "name": row.get("name") or f"{known['type'].capitalize()} {known['no']}",
        "category_id": 0,
        "image_url": "",
        "thumbnail_url": "",
        "weight": f"{float(row.get('weight_grams') or 0):.2f}",
        "dim_x": "0.00",
        "dim_y": "0.00",
        "dim_z": "0.00",
        "year_released": int(row.get("year") or 0),
        "is_obsolete": False,
    }


def item(kind: str, number: str) -> dict[str, str]:
    """Return `{no, type}` of an item. Raises Refusal if it is unknown."""
    known = kind.upper()
    if known not in TYPES:
        raise Refusal(400, f"Invalid item type: {kind}")
    if known in {"SET", "INSTRUCTION", "ORIGINAL_BOX"} and not _WITH_SEQUENCE.fullmatch(number):
        raise Refusal(400, "Invalid item sequence number: null")
    if not _NUMBER.fullmatch(number):
        raise Refusal(404, "The resource you requested does not exist.")
    return {"no": number, "type": known}
