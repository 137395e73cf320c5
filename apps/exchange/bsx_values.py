"""How the texts inside BSX tags are read: numbers, dates, letters. One home for reader and bases.

Each reader takes the text and answers with the value, and with a `Finding` where the seller should
know about it. `PlainMemo` is the fast way: a dictionary of texts that need no remark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any, Final, NamedTuple

from PIL.ImageColor import colormap, getrgb

from apps.exchange.bsx_lot import NO_ID, VALUE_NOT_READ, ZERO, WarningCode
from apps.exchange.conditions import UNKNOWN_CONDITION, condition_of
from apps.exchange.item_types import ITEM_TYPE_NAMES, letter_of
from apps.exchange.table_money import SIGNS
from apps.exchange.table_signs import LONGEST_NUMBER, sign_of

MAX_INT: Final = 2**31 - 1
MIN_INT: Final = -(2**31)
MAX_LOT_ID: Final = 2**63 - 1
MAX_MONEY: Final = Decimal(100_000_000)
#: BrickLink's precision, and that of a stored amount.
MONEY_PLACES: Final = 4
_MONEY_STEP: Final = Decimal("0.0001")
#: Earlier and later years are no dates of lots and orders.
FIRST_YEAR: Final = 1950
LAST_YEAR: Final = 2199
_SMALLEST_EXPONENT: Final = -30
_BLANKS: Final = " \t\r\n"
_MEMO_SIZE: Final = 20_000
#: Texts that the reader of a file remembers, so that odd ones which repeat are read once.
MOST_REMEMBERED: Final = 50_000
#: A longer text is rarely met again.
LONGEST_REMEMBERED: Final = 60


class Finding(NamedTuple):
    """The warning about a text, and the end of its message."""

    code: WarningCode
    expected: str


class Reading(NamedTuple):
    """What a text means, and the finding about it: None where it is sure."""

    value: Any
    finding: Finding | None = None

    @property
    def is_understood(self) -> bool:
        """Whether the text has the value: it is sure, or assumed as the finding says."""
        return self.finding is None or self.finding.code not in VALUE_NOT_READ


Reader = Callable[[str], Reading]


class NeedsCare(Exception):
    """The fast way gives up; the careful way reads the lot again and reports the reason."""


class PlainMemo(dict[str, Any]):
    """Text -> value for texts that need no remark; raises NeedsCare for the others.

    Bounded: prices, dates and colours repeat by the thousand, lot ids never do.
    """

    __slots__ = ("_read",)

    def __init__(self, read: Reader) -> None:
        """Remember what `read` answers."""
        self._read = read

    def __missing__(self, text: str) -> Any:
        """Read a text that was not seen before."""
        value, finding = self._read(text)
        if finding is not None:
            raise NeedsCare
        if len(self) < _MEMO_SIZE:
            self[text] = value
        return value


#: Whole numbers with a sign between thousands. 0,075 is none.
THOUSANDS: Final = {
    ".": re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3}){1,6}"),
    ",": re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3}){1,6}"),
}
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,20}")
_WHOLE_WITH_ZEROES: Final = re.compile(r"[+-]?[0-9]{1,20}\.0*")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
#: Thousands before the decimal sign of an amount with both signs; in India also by the hundred.
_GROUPS: Final = {
    sign: re.compile(
        rf"[+-]?[0-9]{{1,3}}(?:{re.escape(sign)}[0-9]{{2,3}})*{re.escape(sign)}[0-9]{{3}}"
    )
    for sign in ".,"
}
_GAPS: Final = re.compile(r"[\s'’_]")
#: Digits with gaps between groups of three.
_WITH_GAPS: Final = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:[\s'’_][0-9]{3})+(?![0-9])")
_SIGN_AND_BLANKS: Final = re.compile(r"\A([+-])\s+")
_BEFORE: Final = re.compile(rf"([+-]?)\s*(?:(?:{SIGNS.pattern})\s*)+")


def _parse_whole(text: str) -> tuple[int | None, Finding | None]:
    if _WHOLE.fullmatch(text):
        return int(text), None
    if THOUSANDS[","].fullmatch(text):
        return int(text.replace(",", "")), Finding(
            WarningCode.COMMA_IN_NUMBER, "a whole number without commas"
        )
    if _WHOLE_WITH_ZEROES.fullmatch(text):
        return int(text.partition(".")[0]), Finding(
            WarningCode.FRACTION_OF_ZERO, "a whole number without a decimal point"
        )
    return None, Finding(WarningCode.UNREADABLE_NUMBER, "a whole number such as 12")


def read_count(text: str) -> Reading:
    """Read a signed quantity; negative ones are kept, for they are the result of a subtraction."""
    text = text.strip(_BLANKS)
    if not text:
        return Reading(0)
    value, finding = _parse_whole(text)
    if value is None:
        return Reading(0, finding)
    if not MIN_INT <= value <= MAX_INT:
        return Reading(0, Finding(WarningCode.OUT_OF_RANGE, f"a number up to {MAX_INT}"))
    if value < 0 and finding is None:
        finding = Finding(WarningCode.NEGATIVE, "a number of pieces")
    return Reading(value, finding)


def read_quantity(text: str) -> Reading:
    """Read Qty, which no lot should be without."""
    if not text.strip(_BLANKS):
        return Reading(0, Finding(WarningCode.MISSING, "a number of pieces"))
    return read_count(text)


def read_id(text: str) -> Reading:
    """Read a colour or category id; None where BrickStore means "none known"."""
    text = text.strip(_BLANKS)
    if not text:
        return Reading(None)
    value, finding = _parse_whole(text)
    if value is None or value == NO_ID:
        return Reading(None, finding)
    if not 0 <= value <= MAX_INT:
        return Reading(None, Finding(WarningCode.OUT_OF_RANGE, f"a number from 0 to {MAX_INT}"))
    return Reading(value, finding)


def read_lot_id(text: str) -> Reading:
    """Read a marketplace lot id; None where there is none (0 counts as none)."""
    text = text.strip(_BLANKS)
    if not text:
        return Reading(None)
    value, finding = _parse_whole(text)
    if value is None:
        return Reading(None, finding)
    if not 0 <= value <= MAX_LOT_ID:
        return Reading(None, Finding(WarningCode.OUT_OF_RANGE, f"a number from 0 to {MAX_LOT_ID}"))
    if value >= 2**32 and finding is None:
        finding = Finding(
            WarningCode.LOT_ID_OVER_32_BIT, f"at most {2**32 - 1} by BrickStore, which reads 0"
        )
    return Reading(value or None, finding)


def read_bulk(text: str) -> Reading:
    """Read the bulk, at least 1."""
    value, finding = read = read_count(text.strip(_BLANKS) or "1")
    if not read.is_understood:
        return Reading(1, finding)
    if value < 1:
        return Reading(1, Finding(WarningCode.CLAMPED, "a number from 1"))
    return Reading(value, finding)


def read_sale(text: str) -> Reading:
    """Read the sale in percent, between -99 and 100."""
    value, finding = read_count(text)
    if not -99 <= value <= 100:
        return Reading(
            max(-99, min(100, value)), Finding(WarningCode.CLAMPED, "percent from -99 to 100")
        )
    if finding is not None and finding.code is WarningCode.NEGATIVE:
        finding = None
    return Reading(value, finding)


def read_money(text: str) -> Reading:
    """Read an amount exactly; warn if it has more decimals than are stored."""
    value, finding = read_amount(text)
    if finding is None and value and value != value.quantize(_MONEY_STEP):
        finding = Finding(WarningCode.MORE_DECIMALS, f"at most {MONEY_PLACES} decimals")
    return Reading(value, finding)


def read_amount(text: str) -> Reading:
    """Read an amount exactly. A lone comma is the decimal point of many locales, and is used."""
    text = text.strip(_BLANKS)
    if not text:
        return Reading(ZERO)
    finding: Finding | None = None
    plain = text
    if len(text) > LONGEST_NUMBER:
        return Reading(ZERO, Finding(WarningCode.OUT_OF_RANGE, f"at most {LONGEST_NUMBER} digits"))
    if not _DECIMAL.fullmatch(text):
        plain = amount_text(text, decimal=sign_of(text) or ("," if "," in text else "."))
        if not _DECIMAL.fullmatch(plain):
            return Reading(ZERO, Finding(WarningCode.UNREADABLE_NUMBER, "an amount such as 0.125"))
        finding = Finding(WarningCode.COMMA_IN_NUMBER, "an amount with a point, such as 0.125")
    value = Decimal(plain)
    if not value:
        # Without a sign and without the exponent of '0e-300'.
        exponent = value.as_tuple().exponent
        is_plain = isinstance(exponent, int) and _SMALLEST_EXPONENT <= exponent <= 0
        return Reading((value.copy_abs() if is_plain else ZERO), finding)
    exponent = value.as_tuple().exponent
    if abs(value) >= MAX_MONEY:
        return Reading(ZERO, Finding(WarningCode.OUT_OF_RANGE, f"an amount below {MAX_MONEY:,}"))
    if isinstance(exponent, int) and exponent < _SMALLEST_EXPONENT:
        return Reading(
            ZERO,
            Finding(
                WarningCode.OUT_OF_RANGE, f"an amount with at most {-_SMALLEST_EXPONENT} decimals"
            ),
        )
    if value < 0 and finding is None:
        finding = Finding(WarningCode.NEGATIVE, "an amount not below 0")
    return Reading(value, finding)


def _without_signs_behind(text: str) -> str:
    end = len(text)
    for found in reversed(list(SIGNS.finditer(text))):
        if text[found.end() : end].strip():
            break
        end = found.start()
    return text[:end].rstrip()


def amount_text(text: str, *, decimal: str) -> str:
    """Return an amount with a point and nothing else: `1.234,50 €` is 1234.50."""
    if len(text) > LONGEST_NUMBER:
        return text
    plain = text.strip()
    if found := _BEFORE.match(plain):
        plain = found[1] + plain[found.end() :]
    plain = without_gaps(_without_signs_behind(plain))
    if not plain:
        return text  # a currency alone is no amount of 0
    point, comma = plain.rfind("."), plain.rfind(",")
    if point >= 0 and comma >= 0:
        # With both signs in a cell, the last is the decimal sign in any table.
        sign, other = (".", ",") if point > comma else (",", ".")
        before, _, behind = plain.rpartition(sign)
        grouped = _GROUPS[other].fullmatch(before)
        return f"{before.replace(other, '')}.{behind}" if grouped else text
    return ungrouped(plain, decimal).replace(",", ".")


def without_gaps(text: str) -> str:
    """Return a number without the gaps between its thousands; any other gap stays in it."""
    text = _SIGN_AND_BLANKS.sub(r"\1", text.strip())
    if not _GAPS.search(text):
        return text
    return _WITH_GAPS.sub(lambda found: _GAPS.sub("", found[0]), text)


def ungrouped(plain: str, decimal: str) -> str:
    """Return a number without the signs between its thousands."""
    other = "." if decimal == "," else ","
    is_grouped = other in plain and THOUSANDS[other].fullmatch(plain)
    return plain.replace(other, "") if is_grouped else plain


def read_plain_amount(text: str) -> Reading:
    """Read an amount with a decimal point; `1,234`, which may be one thousand, is not understood."""
    if "," in text and sign_of(text) is None:
        expected = "an amount such as 1234.00 or 1.234"
        return Reading(None, Finding(WarningCode.UNREADABLE_NUMBER, expected))
    return read_money(text)


def read_price(text: str) -> Reading:
    """Read a price; 0 is what BrickStore writes for no price: None."""
    value, finding = read_money(text)
    return Reading(value or None, finding)


def read_weight(text: str) -> Reading:
    """Read grams of the whole lot; 0 and below mean that the catalogue's weight counts: None."""
    value, finding = read_amount(text)
    if value < 0:
        return Reading(None, Finding(WarningCode.OUT_OF_RANGE, "grams above 0"))
    return Reading(value or None, finding)


def likely_date(value: datetime) -> Reading:
    """Return a date, None for one that programs write for no date: of the year 1, 1899 or 9999."""
    if FIRST_YEAR <= value.year <= LAST_YEAR:
        return Reading(value)
    expected = f"a date of the years {FIRST_YEAR} to {LAST_YEAR}"
    return Reading(None, Finding(WarningCode.UNREADABLE_DATE, expected))


def read_date(text: str) -> Reading:
    """Read an ISO 8601 instant as UTC; None if there is none."""
    text = text.strip(_BLANKS)
    if not text:
        return Reading(None)
    try:
        if "W" in text:
            raise ValueError(text)  # a week is no day
        value = datetime.fromisoformat(text)
        if value.tzinfo is not None:
            return likely_date(value.astimezone(UTC))
    except (ValueError, OverflowError):
        return Reading(
            None, Finding(WarningCode.UNREADABLE_DATE, "a time such as 2022-05-20T18:41:31Z")
        )
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        return likely_date(value)
    kind = "day" if value.time() == time() and ":" not in text else "time"
    return Reading(
        value.replace(tzinfo=UTC),
        Finding(
            WarningCode.TIME_ZONE_ASSUMED, f"a time with its zone; this {kind} is taken as UTC"
        ),
    )


def _letters(known: Mapping[str, str], default: str, expected: str) -> Reader:
    def read(text: str) -> Reading:
        text = text.strip(_BLANKS)
        if text in known:
            return Reading(known[text])
        return Reading(default, Finding(WarningCode.UNKNOWN_VALUE, expected))

    return read


#: '' is the value of a missing tag; the '?' of BrickStore 1 is included in all that read it.
read_status: Final = _letters({"I": "I", "X": "X", "E": "E", "": "I", "?": "I"}, "I", "I, X or E")


def read_condition(text: str) -> Reading:
    """Read a letter or the word of a language; one that is not understood stays unknown."""
    condition = condition_of(text)
    if condition != UNKNOWN_CONDITION:
        return Reading(condition)
    return Reading(condition, Finding(WarningCode.UNKNOWN_VALUE, "new or used: its text is kept"))


def read_type(text: str) -> Reading:
    """Read a letter or the word of a language; '' for one that is not understood."""
    if letter := letter_of(text):
        return Reading(letter)
    known = ", ".join(ITEM_TYPE_NAMES)
    return Reading("", Finding(WarningCode.UNKNOWN_VALUE, f"a type of item: one letter of {known}"))


#: An empty Stockroom is room A in files of BrickStore 1 and BrickStock; N is "none" in bases.
read_stockroom: Final = _letters({"A": "A", "B": "B", "C": "C", "": "A", "N": ""}, "", "A, B or C")
_SUB_CONDITIONS: Final = {"complete": "C", "incomplete": "I", "sealed": "M", "": "", "n": ""}
_sub_condition: Final = _letters({"c": "C", "i": "I", "m": "M", **_SUB_CONDITIONS}, "", "C, I or M")


def read_sub_condition(text: str) -> Reading:
    """Read the state of a set, a letter or a word. S is BrickLink's for sealed, which is M here."""
    word = text.strip(_BLANKS).casefold()
    if word == "s":
        return Reading("M", Finding(WarningCode.SEALED_AS_S, "M for sealed; taken as such"))
    return _sub_condition(word)


def read_retain(text: str) -> Reading:
    """Read the flag: an empty element or Y is yes."""
    text = text.strip(_BLANKS)
    if text in {"", "Y", "N"}:
        return Reading(text != "N")
    return Reading(False, Finding(WarningCode.UNKNOWN_VALUE, "an empty tag, Y or N"))


_HEX: Final = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})")


def read_marker_color(text: str) -> Reading:
    """Read '#rrggbb', its short form, Qt's '#aarrggbb' (without the alpha), or a colour's name."""
    text = text.strip(_BLANKS)
    if not text:
        return Reading("")
    if _HEX.fullmatch(text):
        if len(text) == 4:
            return Reading("#" + "".join(digit * 2 for digit in text[1:]))
        return Reading("#" + text[-6:])
    if (name := text.lower()) in colormap:  # as SVG and CSS name it
        return Reading("#{:02x}{:02x}{:02x}".format(*getrgb(name)[:3]))
    return Reading("", Finding(WarningCode.UNKNOWN_VALUE, "a colour such as #FF0000 or red"))


def read_text(text: str) -> Reading:
    """Keep a text as it is, blanks included."""
    return Reading(text)


#: Tag -> the lot's field and how its text is read, in the order in which BrickStore writes.
TAGS: Final[Mapping[str, tuple[str, Reader]]] = {
    "ItemID": ("item_number", read_text),
    "ItemTypeID": ("item_type_id", read_text),
    "ColorID": ("color_id", read_id),
    "ItemName": ("item_name", read_text),
    "ItemTypeName": ("item_type_name", read_text),
    "ColorName": ("color_name", read_text),
    "CategoryID": ("category_id", read_id),
    "CategoryName": ("category_name", read_text),
    "Status": ("status", read_status),
    "Qty": ("quantity", read_quantity),
    "Price": ("price", read_price),
    "Condition": ("condition", read_condition),
    "SubCondition": ("sub_condition", read_sub_condition),
    "Bulk": ("bulk", read_bulk),
    "Sale": ("sale", read_sale),
    "Cost": ("cost", read_money),
    "Comments": ("comments", read_text),
    "Remarks": ("remarks", read_text),
    "Reserved": ("reserved", read_text),
    "LotID": ("marketplace_lot_id", read_lot_id),
    "TQ1": ("tq1", read_count),
    "TP1": ("tp1", read_money),
    "TQ2": ("tq2", read_count),
    "TP2": ("tp2", read_money),
    "TQ3": ("tq3", read_count),
    "TP3": ("tp3", read_money),
    "Retain": ("retain", read_retain),
    "Stockroom": ("stockroom", read_stockroom),
    "TotalWeight": ("total_weight_grams", read_weight),
    "MarkerText": ("marker_text", read_text),
    "MarkerColor": ("marker_color", read_marker_color),
    "DateAdded": ("date_added", read_date),
    "DateLastSold": ("date_last_sold", read_date),
}

BASE_TAG: Final = "DifferenceBaseValues"

#: Fields that BrickStore tracks as base values; names, category, markers and dates it does not.
BASE_TAGS: Final = tuple(
    tag
    for tag in TAGS
    if tag
    not in {
        "ItemName",
        "ItemTypeName",
        "ColorName",
        "CategoryID",
        "CategoryName",
        "MarkerText",
        "MarkerColor",
        "DateAdded",
        "DateLastSold",
    }
)
