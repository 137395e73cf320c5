"""Reads the cells of a table, each text of a column once. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from apps.exchange.bsx_lot import ExtraTag, WarningCode
from apps.exchange.bsx_values import (
    LONGEST_REMEMBERED,
    MOST_REMEMBERED,
    TAGS,
    Finding,
    Reading,
    amount_text,
    read_condition,
    read_text,
    read_type,
)
from apps.exchange.cells import READERS, plain_cell, read_pieces
from apps.exchange.colors import ColorRead, Colors, read_color
from apps.exchange.conditions import condition_text
from apps.exchange.csv_cells import restored
from apps.exchange.table_dates import date_of, has_become_a_date
from apps.exchange.table_form import TableForm
from apps.exchange.table_money import currencies_in
from apps.exchange.table_signs import AMOUNTS, COUNTS

_TAG_OF: Final[Mapping[str, str]] = {name: tag for tag, (name, _read) in TAGS.items()}
_FLOAT_NUMBER: Final = re.compile(r"([0-9]+)\.0")
_TAG_CHARS: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_YES: Final = frozenset(
    ["y", "yes", "true", "t", "1", "x", "ja", "j", "wahr", "oui", "o", "vrai", "si", "sí", "vero"]
)
_NO: Final = frozenset(["n", "no", "false", "f", "0", "nein", "falsch", "non", "faux", "falso"])
_STATUSES: Final = {
    **dict.fromkeys(("i", "include", "included"), "I"),
    **dict.fromkeys(("x", "exclude", "excluded"), "X"),
    **dict.fromkeys(("e", "extra"), "E"),
}
#: What spreadsheets make of 3003 or 10-1-24 that they take for something else.
_MANGLED: Final = re.compile(
    r"[0-9](?:[.,][0-9]+)?[Ee]\+[0-9]+|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T.*)?"
)
_FREE_TEXTS: Final = frozenset({"comments", "remarks", "reserved"})


class Cell(NamedTuple):
    """What a text means in its column, in any row."""

    values: Mapping[str, Any]
    #: The fault of the text: its code, tag and message.
    fault: tuple[WarningCode, str, str] | None = None
    currencies: frozenset[str] = frozenset()
    #: The text, where it has no field or was not understood.
    extra: ExtraTag | None = None
    color: ColorRead | None = None
    #: Whether the colour stands in a column of names, beside one of numbers or alone.
    is_color_name: bool = False


EMPTY_CELL: Final = Cell({})


class CellMemo:
    """The cells of a table that were read, within bounds: odd texts repeat as plain ones do."""

    def __init__(self, form: TableForm, colors: Colors) -> None:
        """Remember nothing."""
        self._form = form
        self._colors = colors
        self._left = MOST_REMEMBERED
        #: The known cells of each column.
        self.columns: list[dict[str, Cell]] = [{} for _ in form.columns]
        #: The tags of columns that have no field.
        self.tags = {
            at: _tag_name(form.heads[at] if at < len(form.heads) else "", at)
            for at, name in enumerate(form.columns)
            if name == "keep"
        }

    def read(self, at: int, cell: str) -> Cell:
        """Return the meaning of a text of a column."""
        read = self._read(at, cell)
        if self._left and len(cell) <= LONGEST_REMEMBERED:
            self._left -= 1
            self.columns[at][cell] = read
        return read

    def _read(self, at: int, cell: str) -> Cell:
        name = self._form.columns[at]
        text = plain_cell(cell)
        if name in _FREE_TEXTS and text and self._form.is_own:
            text = restored(cell)  # with the blanks at its ends
        if not (name and text):
            return EMPTY_CELL
        if name == "keep":
            return Cell({}, extra=ExtraTag(self.tags[at], text))
        return self._of_field(name, text, self._form.decimals[at])

    def _of_field(self, name: str, text: str, decimal: str) -> Cell:
        match name:
            case "color" | "color_id" | "color_name":
                color = read_color(text, self._colors, site=self._form.colors)
                return Cell({}, color=color, is_color_name=name == "color_name")
            case "location_name":
                if not has_become_a_date(text):
                    return Cell({"place": text})
                fault = _changed("Location", text, "a bin such as A-1")
                return Cell({}, fault, extra=ExtraTag("Column_Location", text))
            case "remarks" if has_become_a_date(text):
                return Cell({name: text}, _changed("Remarks", text, "a text or a bin such as A-1"))
            case "item_number":
                whole = _FLOAT_NUMBER.fullmatch(text)
                number = whole[1] if whole else text
                if not (_MANGLED.fullmatch(text) or has_become_a_date(text)):
                    return Cell({name: number})
                return Cell({name: text}, _changed("ItemID", text, "an item's number such as 3001"))
            case "currency":
                if found := currencies_in(text):
                    return Cell({}, currencies=frozenset(found))
                message = f"Currency is “{text[:80]}”; expected a code such as EUR."
                return Cell({}, (WarningCode.UNKNOWN_VALUE, "Currency", message))
            case "stockroom":
                # BrickLink has a yes or no here, and the stockroom in a column of its own.
                if text.casefold() in _NO:
                    return EMPTY_CELL
                letter = "A" if text.casefold() in _YES else text
                return _cell(name, text, READERS[name](letter))
            case "status":
                letter = _STATUSES.get(text.casefold(), "unknown")
                return _cell(name, text, READERS[name](letter))
            case "item_type_name":
                return _cell(name, text, Reading(text, read_type(text).finding))
            case "item_type_id":
                read = _cell(name, text, read_type(text))
                if read.values[name]:
                    return read
                return read._replace(extra=ExtraTag("Column_ItemType", text))
            case "condition":
                read = _cell(name, text, read_condition(text))
                kept = condition_text(read.values[name], text)
                return read._replace(values={**read.values, "condition_text": kept})
            case "retain":
                return _cell(name, text, _retain(text.casefold()))
            case "date_added" | "date_last_sold":
                return _cell(name, text, date_of(text, is_day_first=self._form.is_day_first))
            case _ if name in AMOUNTS:
                amount = amount_text(text, decimal=decimal)
                read = _cell(name, text, READERS[name](amount))
                if amount == text:
                    return read
                return read._replace(currencies=frozenset(currencies_in(text)))
            case _ if name in COUNTS:
                return _cell(name, text, read_pieces(name, text, decimal=decimal))
            case _:
                return _cell(name, text, READERS.get(name, read_text)(text))


def _cell(name: str, text: str, reading: Reading) -> Cell:
    value, finding = reading
    # The table's decimal sign is a comma, which may not hold for this cell.
    if finding is None or finding.code is WarningCode.TIME_ZONE_ASSUMED:
        return Cell({name: value})
    field = _TAG_OF.get(name, name)
    message = f"{field} is “{text[:80]}”; expected {finding.expected}."
    return Cell({name: value}, (finding.code, field, message))


def _changed(field: str, text: str, expected: str) -> tuple[WarningCode, str, str]:
    message = f"{field} is “{text[:80]}”; expected {expected}; a spreadsheet may have changed it."
    return WarningCode.CUSTOM_ITEM, field, message


def _retain(word: str) -> Reading:
    if word in _YES or word in _NO:
        return Reading(word in _YES)
    return Reading(False, Finding(WarningCode.UNKNOWN_VALUE, "yes or no: it counts as no"))


def _tag_name(head: str, at: int) -> str:
    name = _TAG_CHARS.sub("_", head).strip("_.-")[:60]
    if not name or not name[0].isalpha() or name[:3].casefold() == "xml":
        name = f"Column_{at + 1}_{name}".rstrip("_")
    # BSX has tags of its own: a column of that name that is kept is not one of them.
    return f"Column_{name}" if name in TAGS else name
