"""How a table of text is written: encoding, delimiter, quotes, decimal sign, head and columns."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any, BinaryIO, Final

from apps.exchange.bsx_lot import BsxWarning
from apps.exchange.colors import BRICKLINK, BRICKOWL, LEGO, REBRICKABLE, Colors
from apps.exchange.decoding import NO_FOREIGN, WINDOWS, Foreign, foreign_in, lines_of, read_foreign
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_columns import (
    BOID,
    COLOR_FIELDS,
    COLUMN_FIELDS,
    DATE_FIELDS,
    MONEY_FIELDS,
    MOST_BEFORE_HEAD,
    MOST_COLUMNS,
    NAMING_FIELDS,
    color_site,
    field_of,
    fields_by_content,
    fields_of,
    folded,
    head_score,
    is_number,
)
from apps.exchange.table_dates import date_order
from apps.exchange.table_money import currencies_in, one_currency
from apps.exchange.table_signs import signs_of

ENCODINGS: Final = (
    "utf-8",
    "cp1252",
    "utf-16-le",
    "utf-16-be",
    "cp1250",
    "cp1251",
    "latin-1",
    "mac_roman",
)
DELIMITERS: Final = (",", ";", "\t", "|")
QUOTES: Final = ('"', "'", "")
LONGEST_CELL: Final = 128 * 1024

#: The first heads of a table of our own.
_OWN: Final = ("item_number", "item_type_id", "color_id", "item_name", "item_type_name")
_SAMPLE_BYTES: Final = 256 * 1024
_SAMPLE_ROWS: Final = 300
_MOST_LOOKED_AT: Final = 100_000
_LEAST_ALIKE: Final = 0.5
_ONE_BYTE: Final = ("cp1252", "cp1250", "mac_roman", "cp1251")
_CELLS: Final = re.compile(r"[,;\t|\r\n]")
#: Old programs end a file with it.
_END_OF_DOS: Final = "\x1a"
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TableForm:
    """The detected form or a person's correction: `columns` holds a field for each column."""

    encoding: str = "utf-8"
    delimiter: str = ","
    quote: str = '"'
    decimal: str = "."
    #: The decimal sign of each column of numbers, '' of the others.
    decimals: tuple[str, ...] = ()
    #: Columns that show no sign: their place, and a text such as 1.234 that may be read both ways.
    unclear: tuple[tuple[int, str], ...] = ()
    #: Lines of the table before its first lot.
    skipped: int = 0
    heads: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    #: The site whose colour numbers `color` holds.
    colors: str = BRICKLINK
    has_said_colors: bool = False
    #: The condition that a person chose for lots whose row has none.
    condition: str = ""
    currency: str = ""
    #: Whether 03/05/2022 is the third of May.
    is_day_first: bool = False
    #: A date that may be read both ways, '' if the column shows which comes first.
    unclear_date: str = ""
    #: Letters that are not UTF-8, and the encoding in which they are read.
    foreign: Foreign = NO_FOREIGN
    foreign_encoding: str = WINDOWS

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        unclear = [{"column": at, "text": text[:80]} for at, text in self.unclear]
        lists = {name: list(getattr(self, name)) for name in ("heads", "columns", "decimals")}
        return {**asdict(self), **lists, "unclear": unclear}

    @property
    def warnings(self) -> list[BsxWarning]:
        """What was odd about its text, as warnings about the file."""
        return [self.foreign.warning(self.foreign_encoding)] if self.foreign.letters else []

    @property
    def guesses_colors(self) -> bool:
        """Whether its columns alone look as if its colour numbers were Rebrickable's."""
        is_told = self.has_said_colors or any(map(color_site, self.heads))
        has_names = "color_name" in self.columns or {"color", "color_id"} <= set(self.columns)
        return self.colors == REBRICKABLE and not (is_told or has_names)

    @property
    def is_own(self) -> bool:
        """Whether it is a table that this app wrote: its texts are exact."""
        return self.heads[: len(_OWN)] == _OWN

    @property
    def signature(self) -> str:
        """A key that files of the same program share; '' without a head."""
        return "|".join(folded(head) for head in self.heads)

    def corrected(self, said: Mapping[str, Any]) -> TableForm:
        """Return the form with a person's corrections; other delimiters mean other columns."""
        values: dict[str, Any] = {
            name: said[name] for name in ("colors", "condition") if said.get(name)
        }
        values |= {"has_said_colors": True} if "colors" in values else {}
        columns = [name if name in COLUMN_FIELDS else "" for name in said.get("columns") or ()]
        if columns and len(columns) == len(self.columns):
            values["columns"] = tuple(columns)
        return replace(self, **values)

    def with_signs(self, rows: Iterable[Sequence[str]], said: Mapping[str, Any]) -> TableForm:
        """Return the form with the decimal signs of its columns, as found or as a person said."""
        found = signs_of(self.columns, rows, delimiter=self.delimiter)
        chosen = list(said.get("decimals") or ())
        if len(chosen) != len(self.columns):
            chosen = [said.get("decimal") or ""] * len(self.columns)
        decimals = [(one and told) or one for one, told in zip(found.columns, chosen, strict=True)]
        unclear = [(at, text) for at, text in found.unclear.items() if not chosen[at]]
        return replace(
            self,
            decimal=said.get("decimal") or found.table,
            decimals=tuple(decimals),
            unclear=tuple(unclear),
        )

    def with_dates(self, rows: Iterable[Sequence[str]]) -> TableForm:
        """Return the form with the order of day and month in its dates."""
        at = [at for at, name in enumerate(self.columns) if name in DATE_FIELDS]
        cells = (row[place] for row in rows for place in at if place < len(row)) if at else ()
        order = date_order(cells)
        # Who writes a decimal comma writes the day first.
        assumed = self.decimal == "," or self.delimiter == ";"
        is_day_first = assumed if order.is_day_first is None else order.is_day_first
        return replace(self, is_day_first=is_day_first, unclear_date=order.unclear)


def find_form(
    stream: BinaryIO, *, colors: Colors, said: Mapping[str, Any] | None = None
) -> TableForm:
    """Return the form of the table. Raises FileRefused for a text that is no table."""
    said = said or {}
    detected, foreign, other = _encoding(stream)
    encoding = said.get("encoding") or detected
    stream.seek(0)
    sample = stream.read(_SAMPLE_BYTES)
    text = _decoded(sample, encoding, other)
    if len(sample) == _SAMPLE_BYTES:
        text = text[: text.rfind("\n") + 1] or text
    delimiters = (said["delimiter"],) if said.get("delimiter") else DELIMITERS
    quotes = (said["quote"],) if said.get("quote") is not None and "quote" in said else QUOTES
    best: tuple[float, TableForm] | None = None
    for delimiter in delimiters:
        for quote in quotes:
            found = _judged(text, TableForm(encoding=encoding, delimiter=delimiter, quote=quote))
            if best is None or found[0] > best[0]:
                best = found
    if best is None or not best[0]:
        if lone := _list_of_numbers(text, encoding):
            return lone
        raise FileRefused(
            RefusalCode.NOT_A_TABLE,
            "This is text, but no table: expected rows with the same columns, separated by "
            "commas, semicolons, tabs or |, or a BSX or BrickLink XML file.",
        )
    form = best[1]
    if encoding == detected:
        form = replace(form, foreign=foreign, foreign_encoding=other)
    rows = list(_rows_of(text, form))[:_SAMPLE_ROWS]
    if max(map(len, rows)) > MOST_COLUMNS:
        raise FileRefused(
            RefusalCode.NOT_A_TABLE,
            f"The table has more than {MOST_COLUMNS} columns; delete those that say nothing of lots.",
        )
    form = _with_columns(form, rows, lambda name: colors.named(name) is not None)
    form = _with_site(form, rows[form.skipped :], colors).corrected(said)
    body = rows[form.skipped :]
    form = replace(form, currency=_currency(form, body)).with_signs(body, said).with_dates(body)
    # A column decides as a whole: a later row may show what the first leave open, or contradict.
    if form.unclear:
        form = form.with_signs(_more(stream, form), said)
    if DATE_FIELDS & set(form.columns):
        form = form.with_dates(_more(stream, form))
    return form


def _more(stream: BinaryIO, form: TableForm) -> Iterator[list[str]]:
    return (cells for _line, cells in islice(table_rows(stream, form), _MOST_LOOKED_AT))


def table_rows(stream: BinaryIO, form: TableForm) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) behind the head. Raises FileRefused for what breaks its limits."""
    stream.seek(0)
    lines = io.TextIOWrapper(
        _Kept(stream),
        encoding=form.encoding,
        errors=_errors(form.encoding),
        newline="",  # type: ignore[type-var]
    )
    reader = _reader(lines_of(lines, form.foreign_encoding), form)
    number = 0
    while True:
        before = reader.line_num
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FileRefused(
                RefusalCode.TEXT_TOO_LONG,
                f"Line {before + 1} cannot be split into cells: {error}. A quote that is opened "
                "there may never be closed.",
                before + 1,
            ) from None
        number += 1
        if number > form.skipped:
            yield before + 1, cells[:MOST_COLUMNS]


class _Kept(io.RawIOBase):
    """A stream that its reader does not close."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _reader(lines: Iterable[str], form: TableForm) -> Any:
    csv.field_size_limit(LONGEST_CELL)
    return csv.reader(
        (line.replace("\0", "").replace(_END_OF_DOS, "") for line in _without_mark(lines)),
        delimiter=form.delimiter,
        quotechar=form.quote or None,
        quoting=csv.QUOTE_MINIMAL if form.quote else csv.QUOTE_NONE,
        skipinitialspace=form.delimiter != "\t" and not form.is_own,
    )


def _without_mark(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield line.removeprefix("\ufeff") if not number else line


def _rows_of(text: str, form: TableForm) -> Iterator[list[str]]:
    try:
        yield from _reader(io.StringIO(text, newline=""), form)
    except csv.Error:
        return


def _errors(encoding: str) -> str:
    return "surrogateescape" if encoding == "utf-8" else "replace"


def _encoding(stream: BinaryIO) -> tuple[str, Foreign, str]:
    """Return the encoding, the letters that are not of it, and the encoding of these."""
    stream.seek(0)
    first = stream.read(4096)
    for mark, name in _BOMS:
        if first.startswith(mark) and name != "utf-8":
            return name, NO_FOREIGN, WINDOWS
    if b"\0" in first:
        even, odd = first[::2].count(0), first[1::2].count(0)
        if max(even, odd) > len(first) // 5 and min(even, odd) * 10 < max(even, odd):
            return "utf-16-be" if even > odd else "utf-16-le", NO_FOREIGN, WINDOWS
        raise FileRefused(
            RefusalCode.NOT_TEXT,
            "This file is neither text nor a spreadsheet; expected BSX, BrickLink XML, CSV, TSV, "
            "XLSX or ODS.",
        )
    foreign, has_others = foreign_in(stream)
    other = _of_one_byte(first) if foreign.letters else WINDOWS
    return (
        ("utf-8", foreign, other)
        if has_others or not foreign.letters
        else (other, NO_FOREIGN, other)
    )


def _of_one_byte(first: bytes) -> str:
    """Return the encoding of one byte a letter in which most heads of a line are known words."""

    def known(encoding: str) -> int:
        lines = _decoded(first, encoding).splitlines()[:MOST_BEFORE_HEAD]
        cells = (_CELLS.split(line) for line in lines)
        return max(sum(bool(field_of(cell.strip(" \"'"))) for cell in one) for one in cells)

    return max(_ONE_BYTE, key=known)


def _decoded(sample: bytes, encoding: str, other: str = WINDOWS) -> str:
    text = read_foreign(sample.decode(encoding, errors=_errors(encoding)), other)
    return text.removeprefix("\ufeff").replace("\0", "")


def _judged(text: str, form: TableForm) -> tuple[float, TableForm]:
    """Return how well the text splits that way: rows alike, many columns, known heads."""
    rows = [row for row in list(_rows_of(text, form))[:_SAMPLE_ROWS] if any(row)]
    widths = Counter(len(row) for row in rows)
    wide = {width: count for width, count in widths.items() if width > 1}
    if not wide:
        return 0.0, form
    width, count = max(wide.items(), key=lambda pair: (pair[1], pair[0]))
    share = count / len(rows)
    heads = max((head_score(row) for row in rows[:MOST_BEFORE_HEAD]), default=0)
    if share < _LEAST_ALIKE and not heads:
        return 0.0, form
    told = share * min(width, 20) + 3 * heads
    # A quote that is none is left in cells, and one that is never closed swallows rows.
    stray = sum(1 for row in rows for cell in row if cell[:1] in ('"', "'") or "\n" in cell)
    told -= min(stray, 50) * 0.01 + (0.001 if form.quote != '"' else 0)
    return max(told, 0.01), form


def _list_of_numbers(text: str, encoding: str) -> TableForm | None:
    """Return the form of a text of one number a line, None for any other."""
    lines = [line.strip() for line in text.split("\n")[:_SAMPLE_ROWS]]
    lines = [line for line in lines if line]
    has_head = bool(lines) and bool(fields_of(lines[:1])[0] == "item_number")
    numbers = lines[1:] if has_head else lines
    if not numbers or not all(is_number(line) for line in numbers):
        return None
    return TableForm(
        encoding=encoding,
        skipped=int(has_head),
        heads=tuple(lines[:1]) if has_head else (),
        columns=("item_number",),
        decimals=("",),
    )


def _with_columns(
    form: TableForm, rows: Sequence[Sequence[str]], is_color: Callable[[str], bool]
) -> TableForm:
    scores = [head_score(row) for row in rows[:MOST_BEFORE_HEAD]]
    best = max(scores, default=0)
    if best:
        at = scores.index(best)
        heads = [" ".join(cell.split()) for cell in rows[at]][:MOST_COLUMNS]
        columns = fields_of(heads)
        skipped = at + 1
        # A column without a head may hold something all the same.
        for place, head in enumerate(heads):
            if not head and any(place < len(row) and row[place].strip() for row in rows[skipped:]):
                columns[place] = "keep"
        columns = _with_contents(columns, rows[skipped:], heads=heads, is_color=is_color)
        # A second line of heads: units, or the same in another language.
        while skipped < len(rows) and _is_head_too(rows[skipped], columns):
            skipped += 1
    else:
        width = Counter(len(row) for row in rows).most_common(1)[0][0]
        skipped = next((at for at, row in enumerate(rows) if len(row) == width), 0)
        heads = []
        if _is_head_of(rows[skipped : skipped + 1], rows[skipped + 1 :]):
            heads = [" ".join(cell.split()) for cell in rows[skipped]][:MOST_COLUMNS]
            skipped += 1
        columns = fields_by_content(rows[skipped:], is_color=is_color, heads=heads)[:MOST_COLUMNS]
    return replace(
        form,
        heads=tuple(heads),
        columns=tuple(columns),
        skipped=skipped,
        colors=_site_of(heads, columns),
    )


def _with_contents(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    heads: Sequence[str],
    is_color: Callable[[str], bool],
) -> list[str]:
    """Return the columns; where a head is unknown, the cells below it may show the field."""
    told = fields_by_content(rows, is_color=is_color, heads=heads)
    has_item = bool(NAMING_FIELDS & set(columns))
    wanted = {"condition"} | (set() if has_item else {"item_number"})
    if not COLOR_FIELDS & set(columns):
        wanted.add("color")
    found = [
        by_cells if has == "keep" and by_cells in wanted else has
        for has, by_cells in zip(columns, told, strict=False)
    ]
    # Colours are words here: a number may be anything.
    for at, name in enumerate(found):
        cells = [row[at] for row in rows if at < len(row) and row[at].strip()]
        if name == "color" and columns[at] == "keep" and all(cell.isdigit() for cell in cells):
            found[at] = "keep"
    return found


def _is_head_of(first: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row holds unknown words over columns of numbers."""
    cells = first[0] if first else []
    if not rows or not any(cells) or any(char.isdigit() for cell in cells for char in cell):
        return False
    with_digits = sum(any(cell[:1].isdigit() for cell in row) for row in rows)
    return with_digits * 2 > len(rows)


def _is_head_too(row: Sequence[str], columns: Sequence[str]) -> bool:
    if head_score(row) >= 2:
        return True
    told = [
        cell.strip()
        for cell, name in zip(row, columns, strict=False)
        if name in MONEY_FIELDS or name in ("quantity", "marketplace_lot_id")
    ]
    numbers = (row[at] for at, name in enumerate(columns[: len(row)]) if name == "item_number")
    has_digits = any(char.isdigit() for cell in (*told, *numbers) for char in cell)
    return bool(told) and all(told) and not has_digits


def _with_site(form: TableForm, rows: Sequence[Sequence[str]], colors: Colors) -> TableForm:
    """Return the form with the site whose colour numbers agree with the names beside them."""
    columns = form.columns
    names = next((at for at, name in enumerate(columns) if name in ("color_name", "color")), None)
    if "color_id" not in columns or names is None:
        return form
    numbers = columns.index("color_id")
    agree = Counter[str]()
    for row in rows:
        number, name = (row[at].strip() if at < len(row) else "" for at in (numbers, names))
        named = colors.named(name) if name else None
        if named is None or not number:
            continue
        agree[BRICKLINK] += number == str(named)
        agree[REBRICKABLE] += colors.of_rebrickable(number) == named
        agree[LEGO] += colors.of_lego(number) == named
    most = max(agree.values(), default=0)
    sites = [site for site, count in agree.items() if count == most]
    return replace(form, colors=sites[0]) if len(sites) == 1 else form


def _site_of(heads: Sequence[str], columns: Sequence[str]) -> str:
    if BOID in {folded(head) for head in heads}:
        return BRICKOWL
    told = zip(heads, columns, strict=False)
    sites = (color_site(head) for head, name in told if name == "color_id")
    if site := next(filter(None, sites), ""):
        return site
    return REBRICKABLE if _is_of_rebrickable(heads) else BRICKLINK


def _is_of_rebrickable(heads: Sequence[str]) -> bool:
    folds = {folded(head) for head in heads}
    return (
        {"part", "color", "quantity"} <= folds and "price" not in folds and "condition" not in folds
    ) or {"partnum", "colorid"} <= folds


def head_currencies(form: TableForm) -> set[str]:
    """Return the currencies that the heads of amounts name."""
    told = zip(form.heads, form.columns, strict=False)
    found = (currencies_in(head) for head, name in told if name in MONEY_FIELDS)
    return set().union(*found)


def _currency(form: TableForm, rows: Sequence[Sequence[str]]) -> str:
    found = head_currencies(form)
    for row in rows:
        for name, cell in zip(form.columns, row, strict=False):
            if name in MONEY_FIELDS or name == "currency":
                found |= currencies_in(cell)
    return one_currency(found) or ""
