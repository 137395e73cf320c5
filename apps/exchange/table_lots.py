"""Read lots from any table: one lot per row, by the meaning of its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO, Final, cast

from apps.exchange.bsx_lot import (
    UNCOLORED_TYPES,
    BsxLot,
    BsxWarning,
    ExtraTag,
    LotValues,
    WarningCode,
)
from apps.exchange.cells import plain_cell
from apps.exchange.colors import BRICKLINK, BRICKOWL, ColorRead, Colors
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.exchange.item_types import letter_of
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_cells import EMPTY_CELL, Cell, CellMemo
from apps.exchange.table_columns import (
    COLOR_FIELDS,
    NAMING_FIELDS,
    columns_twice,
    field_of,
    folded,
    head_score,
    is_number,
    lists_elements,
    type_of_head,
    variant_column,
)
from apps.exchange.table_form import TableForm, head_currencies, table_rows
from apps.exchange.table_kinds import name_of
from apps.exchange.table_money import Currencies
from apps.exchange.xml_head import XmlLimits

_SET: Final = re.compile(r"[0-9]{3,7}-[0-9]{1,2}")
_RB_FIG: Final = re.compile(r"fig-[0-9]{6}")
#: A minifig's, where the row names no colour. BrickLink's parts without a number of LEGO's are bb… and upn….
_FIGURE: Final = re.compile(r"(?!bb|bead|upn)[a-z]{2,5}[0-9]{3,4}[a-z]?", re.I)
#: Words of the first cell below a table.
_SUMS: Final = frozenset(
    [
        "total",
        "totals",
        "sum",
        "summe",
        "gesamt",
        "totaal",
        "totale",
        "somme",
        "grandtotal",
        "subtotal",
        "gesamtsumme",
        "zwischensumme",
        "totalgeneral",
        "soustotal",
    ]
)
_MOST_SKIPPED_TOLD: Final = 20
SAMPLE_ROWS: Final = 5


class TableLots:
    """The lots of a table. Iterate once; `warnings` holds what concerns the whole file."""

    #: Nothing in a table says where it ends.
    is_truncated = False

    def __init__(
        self, stream: BinaryIO, form: TableForm, colors: Colors, limits: XmlLimits | None = None
    ) -> None:
        """Read the first rows."""
        self.form = form
        self.warnings: list[BsxWarning] = []
        self._stream = stream
        self._colors = colors
        self._limits = limits or XmlLimits()
        rows = (cells for _line, cells in table_rows(stream, form))
        #: The first rows, unchanged.
        self.sample = [[cell[:80] for cell in cells] for cells in islice(rows, SAMPLE_ROWS)]
        self._left_out: list[int] = []
        self._left_out_count = 0
        self._cells = CellMemo(form, colors)
        at = variant_column(form.heads)
        self._variants = at if at in self._cells.tags else None
        self.says = frozenset(form.columns) - {"", "keep", "currency"}
        #: One number a line: each is one piece.
        self._is_list = form.columns == ("item_number",)
        if self._is_list:
            self.says |= {"quantity"}
            self._warn("of_its_kind", "This is a list of numbers: each line is taken as one piece.")
        if lists_elements(form.heads, form.columns):
            self._warn(
                "of_its_kind",
                "The numbers are LEGO's element ids. For those that stay unknown, the operator "
                "imports the catalogue's element codes with manage.py import_catalog.",
            )
        if form.colors == BRICKOWL:
            self._warn(
                "of_its_kind",
                "This is Brick Owl's export: its numbers (BOIDs) and colours are its own and stay "
                "unknown. Export with BrickLink's or design ids instead, or connect the store.",
            )
        self._currencies = Currencies()
        self._currencies.add(head_currencies(form), form.skipped)
        self._numbered_colors = 0
        self._without_color = False
        self.warnings += form.warnings
        if form.unclear_date:
            first = "day" if form.is_day_first else "month"
            self._warn(
                "unclear_dates",
                f"Dates such as {form.unclear_date[:20]} are read with the {first} first.",
            )
        if not self.says & NAMING_FIELDS:
            self._warn(
                "no_item_column", "No column names an item. Say which one holds the item's number."
            )
        elif head := self.number_head:
            self._warn(
                "no_item_column",
                f"No column was understood as the item's number, but “{head[:40]}” looks like one. "
                "Say which one it is, or items are known by their names only.",
            )
        elif not form.condition and "condition" not in self.says and "quantity" in self.says:
            self._warn(
                "no_condition_column",
                "No column was understood as the condition. Say which one it is, or what all lots "
                "are: otherwise their condition stays unknown.",
            )
        for kept, counted in columns_twice(form.heads, form.columns):
            self._warn(
                "of_its_kind",
                f"“{kept[:40]}” means the same as “{counted[:40]}”, which counts; its cells are kept "
                "with the lots. Say which one is meant.",
            )
        if told := name_of(form.heads):
            self._warn("of_its_kind", told)

    @property
    def number_head(self) -> str:
        """The head of a column that looks like the numbers of items, where none is known as such."""
        if self.says & {"item_number", "marketplace_lot_id"}:
            return ""
        for at in self._cells.tags:
            cells = [row[at].strip() for row in self.sample if at < len(row) and row[at].strip()]
            if cells and all(map(is_number, cells)) and at < len(self.form.heads):
                return self.form.heads[at]
        return ""

    @property
    def currency(self) -> str:
        """The currency named by the head and the rows read so far, '' for none."""
        return self._currencies.one

    def __iter__(self) -> Iterator[BsxLot]:
        """Yield the lots. Raises FileRefused beyond the limits."""
        if not self.says & NAMING_FIELDS:
            return
        index = 0
        for line, cells in table_rows(self._stream, self.form):
            if not any(cell.strip() for cell in cells) or self._is_head(cells):
                continue
            lot = self._lot(line, cells, index)
            if lot is None:
                self._left_out_count += 1
                self._left_out.append(line)
                del self._left_out[_MOST_SKIPPED_TOLD:]
                continue
            if lot.warnings and _is_other_head(cells):
                raise FileRefused(
                    RefusalCode.NOT_A_TABLE,
                    f"Line {line} begins a second table, with other columns; expected one table. "
                    "Put each into a file of its own.",
                    line,
                )
            index += 1
            if index > self._limits.max_rows:
                raise FileRefused(
                    RefusalCode.TOO_MANY_LOTS,
                    f"The table holds more than {self._limits.max_rows:,} lots; split it.",
                    line,
                )
            yield lot
        if self._left_out_count:
            lines = ", ".join(map(str, self._left_out))
            more = ", …" if self._left_out_count > len(self._left_out) else ""
            told = (
                "1 row names no item, or holds a sum, and was"
                if self._left_out_count == 1
                else f"{self._left_out_count:,} rows name no item, or hold a sum, and were"
            )
            self._warn("rows_left_out", f"{told} left out: line {lines}{more}.")
        if self._without_color:
            self._warn(
                "no_color_column",
                "No column says the colour: parts stay unknown until they have one, unless their "
                "number is an element id.",
            )
        if self.assumes_colors:
            self._warn(
                "color_numbers",
                "Colours are numbers here: they are read as BrickLink's. Say so if they are "
                "Rebrickable's, LDraw's or LEGO's.",
            )
        elif self.form.guesses_colors:
            self._warn(
                "color_numbers",
                "By its columns this is a list of Rebrickable's: colours that are numbers are read "
                "as its own. Say so if they are BrickLink's.",
            )

    @property
    def assumes_colors(self) -> bool:
        """Whether colours are numbers, and nothing says whose; known after the last lot."""
        return self._numbered_colors > 0 and not self._says_whose_colors()

    def _says_whose_colors(self) -> bool:
        form = self.form
        has_names = "color_name" in form.columns or {"color", "color_id"} <= set(form.columns)
        if form.has_said_colors or form.colors != BRICKLINK or has_names:
            return True
        folds = [folded(head) for head in form.heads]
        return "marketplace_lot_id" in form.columns or any(
            fold.startswith("bl") or "bricklink" in fold for fold in folds
        )

    def _is_head(self, cells: list[str]) -> bool:
        heads = self.form.heads
        return len(cells) == len(heads) > 0 and all(
            " ".join(cell.split()) == head for cell, head in zip(cells, heads, strict=True)
        )

    def _lot(self, line: int, cells: list[str], index: int) -> BsxLot | None:
        reading = _Row(self.form, line, index)
        variant: ExtraTag | None = None
        columns = self._cells.columns
        for at, text in enumerate(cells):
            if at >= len(columns):
                if told := plain_cell(text):
                    reading.warn(
                        WarningCode.RAGGED_ROW,
                        "",
                        f"Cell {at + 1} “{told[:80]}” stands behind the last column; it is left out.",
                    )
                continue
            cell = columns[at].get(text) or self._cells.read(at, text)
            if cell is EMPTY_CELL:
                continue
            if at == self._variants:
                variant = cell.extra
            else:
                reading.take(cell)
        if variant and not reading.ends_number(variant.text):
            reading.extra.append(variant)
        values = reading.values
        if reading.currencies:
            self._currencies.add(reading.currencies, line)
        if not any(values.get(name) for name in NAMING_FIELDS):
            return None
        if _may_be_word(number := values.get("item_number", "")) and folded(number) in _SUMS:
            return None
        if self._is_list:
            values["quantity"] = 1
        reading.finish()
        self._numbered_colors += reading.has_color_number
        self._without_color = self._without_color or reading.lacks_color_column
        if reading.extra:
            values["extra"] = tuple(reading.extra)
        if reading.warnings:
            values["warnings"] = tuple(reading.warnings)
        values["index"], values["line"] = index, line
        return BsxLot.filled(cast(LotValues, values))

    def _warn(self, code: str, message: str) -> None:
        self.warnings.append(BsxWarning(WarningCode(code), "", message))


class _Row:
    """One row being read: `values` holds only the fields that it has."""

    def __init__(self, form: TableForm, line: int, index: int) -> None:
        self.values: dict[str, Any] = {}
        self.warnings: list[BsxWarning] = []
        self.currencies: set[str] = set()
        #: Texts that have no field, or were not understood.
        self.extra: list[ExtraTag] = []
        #: Whether a colour stands as a number that either site may have given.
        self.has_color_number = False
        self.lacks_color_column = False
        self._form = form
        self._line = line
        self._index = index

    def take(self, cell: Cell) -> None:
        """Add what a cell means."""
        values, fault, currencies, extra, color, is_name = cell
        self.values.update(values)
        if fault is not None:
            self.warn(*fault)
        if currencies:
            self.currencies |= currencies
        if extra is not None:
            self.extra.append(extra)
        if color is not None:
            self._color(color, is_name=is_name)

    def ends_number(self, variant: str) -> bool:
        """Put the variant of a set behind its number; False where it is none, or no plain number."""
        values = self.values
        number = values.get("item_number", "")
        is_set = values.get("item_type_id", "S") == "S" and not COLOR_FIELDS & values.keys()
        if not (is_set and number.isdigit() and variant.isdigit()):
            return False
        values["item_number"] = f"{number}-{variant}"
        return True

    def finish(self) -> None:
        """Fill in what follows from the rest."""
        values = self.values
        if "quantity" in self._form.columns and "quantity" not in values:
            self.warn(
                WarningCode.MISSING,
                "",
                "Qty is empty; expected a number of pieces.",
            )
        has_color = bool({"color_id", "color_name"} & values.keys())
        number = values.get("item_number", "")
        if number and not {"item_type_id", "item_type_name"} & values.keys():
            is_colored = values.get("color_id") or values.get("color_name")
            is_figure = not is_colored and _FIGURE.fullmatch(number)
            told = "" if is_colored else type_of_head(self._form.heads, self._form.columns)
            if is_figure or told == "M" or _RB_FIG.fullmatch(number):
                values["item_type_id"] = "M"
            else:
                is_set = (told or _SET.fullmatch(number)) and not is_colored
                values["item_type_id"] = "S" if is_set else "P"
        kind = letter_of(values.get("item_type_name", "")) or values.get("item_type_id")
        if kind in UNCOLORED_TYPES:
            values.setdefault("color_id", 0)
        elif not has_color and number:
            self.lacks_color_column = not COLOR_FIELDS & set(self._form.columns)
            if not self.lacks_color_column:
                message = "Color is empty; expected a name or a number: it stays unknown."
                self.warn(WarningCode.MISSING, "Color", message)
        has_column = "condition" in self._form.columns
        if "condition" not in values and (has_column or "quantity" in values):
            values["condition"] = self._form.condition or UNKNOWN_CONDITION
            if has_column and not self._form.condition:
                message = "Condition is empty; expected new or used: it stays unknown."
                self.warn(WarningCode.MISSING, "Condition", message)
        place = values.get("place", "")
        if place and not values.get("remarks"):
            values["remarks"] = place

    def warn(self, code: WarningCode, field: str, message: str) -> None:
        """Add a warning."""
        self.warnings.append(BsxWarning(code, field, message, "", self._line, self._index))

    def _color(self, color: ColorRead, *, is_name: bool) -> None:
        found, told, is_number = color
        if told:
            self.values.setdefault("color_name", told)
        self.has_color_number = self.has_color_number or (
            is_number and self._form.colors == BRICKLINK
        )
        # An id that the table gives counts before a name that it gives too.
        before = self.values.get("color_id")
        if found is not None and (before is None or not is_name):
            self.values["color_id"] = found
        if None not in (found, before) and found != before and not self._form.is_own:
            told = self.values.get("color_name", "")
            self.warn(
                WarningCode.COLOR_CONTRADICTION,
                "ColorID",
                f"The row names the colours “{told[:80]}” and {self.values['color_id']}, which "
                "differ; the number counts.",
            )


def _may_be_word(cell: str) -> bool:
    """Whether a cell may be a head or the word of a sum: those are looked up for each lot."""
    return not cell[:1].isdigit()


def _is_other_head(cells: list[str]) -> bool:
    said = [cell for cell in cells if cell.strip()]
    return (
        len(said) > 1
        and all(map(_may_be_word, said))
        and all(map(field_of, said))
        and head_score(said) == len(said)
    )
