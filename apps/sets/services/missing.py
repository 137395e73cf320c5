"""The parts that sets lack as a file: a BrickLink wanted list, or a spreadsheet with costs."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.catalog.rules.kinds import LETTER_OF_TYPE, Catalogue
from apps.catalog.rules.pricing import NO_FIGURES, rule_price
from apps.catalog.selectors.pricing import price_setting_of, rule_of
from apps.core.errors import NotFound, StateConflict
from apps.core.money import money
from apps.exchange.bricklink_rows import in_batches
from apps.exchange.bricklink_wanted import WantedItem, write_wanted_list
from apps.exchange.csv_cells import CsvWriter
from apps.sets.models import UserSet
from apps.sets.selectors.parts import (
    FIRST_FOREIGN_COLOR_ID,
    figures_of,
    missing_rows,
)

CSV_HEAD: Final = (
    "item_type",
    "item_number",
    "item_name",
    "color_id",
    "color_name",
    "quantity",
    "price_each",
    "cost",
    "currency",
)


class NothingMissing(StateConflict):
    message = "Nothing is missing."


class NothingForBrickLink(StateConflict):
    message = "BrickLink has no numbers for any of the {count} missing lots. Take the CSV."


@dataclass(frozen=True, slots=True)
class MissingFile:
    """The file, and how many lots are in it and were left out of it."""

    name: str
    content: bytes
    count: int
    left_out: int


def write_missing(
    *,
    owner: User,
    user_set_ids: Sequence[int],
    kind: str,
    condition: str,
    region: str,
    with_prices: bool,
    wanted_list_id: str = "",
) -> MissingFile:
    """Write the missing pieces of all these sets to a file, as `wanted_list` or `csv`.

    `condition` N asks for new pieces, U for any. `with_prices` sets the maximum price of each lot
    by the owner's price rule. BrickLink accepts 1,000 lots a file: more are written to a zip of
    several files. Raises NotFound, NothingMissing, NothingForBrickLink.
    """
    ids = sorted(set(user_set_ids))
    sets = list(UserSet.objects.filter(owner=owner, pk__in=ids).select_related("item"))
    if len(sets) != len(ids):
        raise NotFound
    rows = missing_rows(owner=owner, user_set_ids=ids)
    if not rows:
        raise NothingMissing
    currency = currency_of(owner)
    rule = rule_of(price_setting_of(user=owner))
    figures = figures_of([row["lot_id"] for row in rows], owner=owner, currency=currency)
    for row in rows:
        told = figures.get((row["lot_id"], condition, region), NO_FIGURES)
        row["price"] = rule_price(rule, told).amount
    title = sets[0].item.number if len(sets) == 1 else f"{len(sets)} sets"
    if kind == "csv":
        return MissingFile(f"Missing of {title}.csv", _csv(rows, currency), len(rows), 0)
    known = [row for row in rows if _has_number(row)]
    if not known:
        raise NothingForBrickLink(count=len(rows))
    content, suffix = _wanted_list(known, condition, with_prices, title, wanted_list_id)
    return MissingFile(f"Missing of {title}.{suffix}", content, len(known), len(rows) - len(known))


def _has_number(row: dict[str, Any]) -> bool:
    return bool(row["origin"] == Catalogue.BRICKLINK and row["color_id"] < FIRST_FOREIGN_COLOR_ID)


def _csv(rows: Sequence[dict[str, Any]], currency: str) -> bytes:
    out = io.BytesIO()
    writer = CsvWriter(out)
    writer.row(CSV_HEAD)
    total = Decimal(0)
    for row in rows:
        cost = None if row["price"] is None else money(row["price"] * row["quantity"])
        total += cost or 0
        writer.row(
            (
                row["item_type"],
                row["number"],
                row["name"],
                row["color_id"],
                row["color"],
                row["quantity"],
                row["price"],
                cost,
                currency,
            )
        )
    pieces = sum(row["quantity"] for row in rows)
    writer.row(("", "", "Total", None, "", pieces, None, money(total), currency))
    return out.getvalue()


def _wanted_list(
    rows: Sequence[dict[str, Any]],
    condition: str,
    with_prices: bool,
    remarks: str,
    wanted_list_id: str,
) -> tuple[bytes, str]:
    wishes = [
        WantedItem(
            item_number=row["number"],
            item_type=LETTER_OF_TYPE[row["item_type"]],
            color_id=row["color_id"],
            min_quantity=row["quantity"],
            max_price=row["price"] if with_prices else None,
            condition="N" if condition == "N" else "",
            remarks=remarks,
        )
        for row in rows
    ]
    files = []
    for some in in_batches(wishes):
        part = io.BytesIO()
        write_wanted_list(some, part, wanted_list_id=wanted_list_id)
        files.append(part.getvalue())
    if len(files) == 1:
        return files[0], "xml"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, content in enumerate(files, start=1):
            archive.writestr(f"part {number:03}.xml", content)
    return out.getvalue(), "zip"
