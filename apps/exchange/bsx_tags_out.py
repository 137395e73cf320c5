"""Writes a lot tag by tag, with a notice for whatever cannot stay exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from lxml import etree

from apps.exchange.bsx_lot import NO_ID, BsxLot, ExtraTag
from apps.exchange.bsx_values import (
    BASE_TAG,
    MAX_INT,
    MAX_LOT_ID,
    MAX_MONEY,
    MIN_INT,
    MONEY_PLACES,
    TAGS,
    read_marker_color,
)
from apps.exchange.conditions import UNKNOWN_CONDITION, why_no_condition
from apps.exchange.xml_head import SAFE_PARSING
from apps.exchange.xml_text import escaped, escaped_attribute, is_legal, legal


@dataclass(frozen=True, slots=True)
class WriteNotice:
    """A value that was changed for the file. `index` is the lot's position in the input.

    It is -1 for what concerns the whole file.
    """

    index: int
    field: str
    message: str


class LotRefused(ValueError):
    """A lot that BSX cannot hold; it is left out and reported."""

    def __init__(self, field: str, message: str) -> None:
        """Name the tag beside the sentence."""
        super().__init__(message)
        self.field = field
        self.message = message


Notices = list[tuple[str, str]]
Formatter = Callable[[str, Any, Notices], str]


def money_text(value: Decimal, places: int = 3) -> str:
    """Write an amount with BrickStore's decimals, rounded half to even; never as minus nought."""
    text = f"{value:.{places}f}"
    return text if text.strip("-0.") else text.removeprefix("-")


def exact_money_text(value: Decimal) -> str:
    """Write an amount with BrickStore's three decimals, and with four where three lose something.

    BrickStore reads any number of decimals.
    """
    text = money_text(value, MONEY_PLACES)
    return text[:-1] if text.endswith("0") else text


def instant_text(value: datetime) -> str:
    """Write an instant in UTC to the second, as BrickStore does."""
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _format_text(tag: str, value: str, notices: Notices) -> str:
    if is_legal(value):
        return escaped(value)
    clean = legal(value)
    notices.append((tag, f"{tag} lost {len(value) - len(clean)} characters that XML cannot hold."))
    return escaped(clean)


def _format_money(
    tag: str,
    value: Decimal,
    notices: Notices,
    write: Callable[[Decimal], str] = exact_money_text,
) -> str:
    if not value.is_finite() or abs(value) >= MAX_MONEY:
        raise LotRefused(tag, f"{tag} is {value}; expected an amount below {MAX_MONEY:,}.")
    text = write(value)
    if Decimal(text) != value:
        message = f"{tag} {value} was rounded to {text}: {MONEY_PLACES} decimals are written."
        notices.append((tag, message))
    return text


def _format_price(tag: str, value: Decimal | None, notices: Notices) -> str:
    return _format_money(tag, value or Decimal(0), notices)


def _format_weight(tag: str, value: Decimal, notices: Notices) -> str:
    return _format_money(tag, value, notices, weight_text)


def weight_text(value: Decimal) -> str:
    """Write grams, always with four decimals."""
    return money_text(value, 4)


def _format_number(low: int, high: int) -> Formatter:
    def write(tag: str, value: int | None, notices: Notices) -> str:
        number = NO_ID if value is None else value
        if not low <= number <= high:
            raise LotRefused(tag, f"{tag} is {number}; expected a number from {low} to {high}.")
        if tag == "LotID" and number > NO_ID:
            notices.append((tag, f"LotID {number} is beyond what BrickStore reads; it reads 0."))
        return str(number)

    return write


def _format_letter(letters: str) -> Formatter:
    def write(tag: str, value: str, _notices: Notices) -> str:
        if len(value) != 1 or value not in letters:
            expected = ", ".join(letters)
            raise LotRefused(tag, f"{tag} is “{value[:80]}”; expected one of {expected}.")
        return value

    return write


def _format_date(tag: str, value: datetime, notices: Notices) -> str:
    if value.tzinfo is None:
        raise LotRefused(tag, f"{tag} is {value}; expected a time with its zone.")
    if value.microsecond:
        notices.append((tag, f"{tag} {value} lost its fraction of a second."))
    return instant_text(value)


def _format_marker_color(tag: str, value: str, _notices: Notices) -> str:
    color, finding = read_marker_color(value)
    if finding is not None:
        raise LotRefused(tag, f"{tag} is “{value[:80]}”; expected {finding.expected}.")
    return str(color)


def _format_retain(_tag: str, _value: bool, _notices: Notices) -> str:
    return ""


_COUNT: Final = _format_number(MIN_INT, MAX_INT)

#: Tag -> its formatter, and the value at which the tag is left out (None: always written).
_FORMATS: Final[Mapping[str, tuple[Formatter, object]]] = {
    "ItemID": (_format_text, None),
    "ItemTypeID": (_format_text, None),
    "ColorID": (_format_number(0, NO_ID), None),
    "ItemName": (_format_text, None),
    "ItemTypeName": (_format_text, None),
    "ColorName": (_format_text, None),
    "CategoryID": (_format_number(0, NO_ID), None),
    "CategoryName": (_format_text, None),
    "Status": (_format_letter("IXE"), None),
    "Qty": (_COUNT, None),
    "Price": (_format_price, None),
    "Condition": (_format_letter("NU"), None),
    "SubCondition": (_format_letter("CIM"), ""),
    "Bulk": (_format_number(1, MAX_INT), 1),
    "Sale": (_format_number(-99, 100), 0),
    "Cost": (_format_money, Decimal(0)),
    "Comments": (_format_text, ""),
    "Remarks": (_format_text, ""),
    "Reserved": (_format_text, ""),
    "LotID": (_format_number(0, MAX_LOT_ID), 0),
    "TQ1": (_COUNT, 0),
    "TP1": (_format_money, Decimal(0)),
    "TQ2": (_COUNT, 0),
    "TP2": (_format_money, Decimal(0)),
    "TQ3": (_COUNT, 0),
    "TP3": (_format_money, Decimal(0)),
    "Retain": (_format_retain, False),
    "Stockroom": (_format_letter("ABC"), ""),
    "TotalWeight": (_format_weight, Decimal(0)),
    "MarkerText": (_format_text, ""),
    "MarkerColor": (_format_marker_color, ""),
    "DateAdded": (_format_date, None),
    "DateLastSold": (_format_date, None),
}
_LEFT_OUT_AT_NONE: Final = frozenset({"LotID", "TotalWeight", "DateAdded", "DateLastSold"})


def field_text(tag: str, value: object, notices: Notices) -> str | None:
    """Return the escaped text of a tag, None where it is left out. Raises LotRefused."""
    write, omitted = _FORMATS[tag]
    if value is None and tag in _LEFT_OUT_AT_NONE:
        return None
    if omitted is not None and value == omitted:
        return None
    text = write(tag, value, notices)
    # Nothing but characters that XML cannot hold is no text, and what rounds to nought is nought.
    is_gone = not text if omitted == "" else isinstance(omitted, Decimal) and not Decimal(text)
    return None if is_gone else text


#: Lines of the lots before, by tag and value: names, colours and prices repeat by the thousand.
_KEPT: Final[tuple[tuple[str, str, dict[Any, str]], ...]] = tuple(
    (tag, name, {}) for tag, (name, _read) in TAGS.items()
)
_KEPT_BASES: Final[dict[Any, str]] = {}
_MOST_KEPT: Final = 10_000
_LONGEST_KEPT: Final = 300


def lot_xml(lot: BsxLot, notices: Notices, *, bare: bool, keeps_words: bool = False) -> str:
    """Write one lot with every notice. `bare` leaves attributes out.

    `keeps_words` writes a condition that was not understood as its text. Raises LotRefused.
    """
    attributes: dict[str, str] = {}
    for tag, name, value in lot.attributes:
        if bare or not _is_name(name):
            notices.append((tag, f"The attribute {name[:80]} of {tag} was left out."))
            continue
        text = escaped_attribute(legal(value))
        attributes[tag] = attributes.get(tag, "") + f' {name}="{text}"'
    is_unknown = lot.condition == UNKNOWN_CONDITION
    if is_unknown and not keeps_words:
        raise LotRefused("Condition", why_no_condition(lot.condition_text))
    odd = "" if lot.states_condition and not is_unknown else "Condition"
    text = f"  <Item{attributes.pop('Item', '')}>\n"
    for tag, name, kept in _KEPT:
        value = getattr(lot, name)
        line = kept.get(value)
        if line is None or attributes or tag == odd:
            count, more = len(notices), attributes.pop(tag, "")
            line = _line(lot, tag, value, more, notices)
            if len(notices) == count and not more and tag not in (odd, "LotID"):
                _keep(kept, value, line)
        text += line
    if lot.extra:
        text += "".join(_extra_lines(lot.extra, notices))
    base = _KEPT_BASES.get(lot.base)
    if base is None:
        count = len(notices)
        base = base_line(lot.base, notices)
        if len(notices) == count:
            _keep(_KEPT_BASES, lot.base, base)
    return f"{text}{base}  </Item>\n"


def _keep(kept: dict[Any, str], value: object, line: str) -> None:
    if len(line) <= _LONGEST_KEPT and len(kept) < _MOST_KEPT:
        kept[value] = line


def _line(lot: BsxLot, tag: str, value: object, attributes: str, notices: Notices) -> str:
    """Return the line of a tag; '' where it is left out."""
    if tag == "Condition" and value == UNKNOWN_CONDITION:
        field: str | None = _format_text(tag, lot.condition_text or UNKNOWN_CONDITION, notices)
    else:
        field = field_text(tag, value, notices)
    if field is None or (tag == "Condition" and not lot.states_condition):
        if attributes:
            notices.append((tag, f"The attributes of {tag} were left out with the tag."))
        return ""
    body = "/>" if tag == "Retain" else f">{field}</{tag}>"
    return f"   <{tag}{attributes}{body}\n"


def _extra_lines(extras: tuple[ExtraTag, ...], notices: Notices) -> list[str]:
    lines = []
    for tag, text, xml in extras:
        if xml is not None:
            if not is_element(xml.encode("utf-8", "replace")):
                notices.append((tag[:80], f"{tag[:80]} was left out: it is no XML element."))
                continue
            lines.append(f"   {xml}\n")
        elif not _is_name(tag) or tag in TAGS or tag == BASE_TAG:
            notices.append((tag[:80], f"{tag[:80]} was left out: it is no name for another tag."))
        else:
            lines.append(f"   <{tag}>{_format_text(tag, text, notices)}</{tag}>\n")
    return lines


def base_line(base: tuple[tuple[str, str], ...], notices: Notices) -> str:
    """Write base values; '' without any."""
    text = ""
    seen = set()
    for name, value in base:
        if not _is_name(name) or name in seen:
            notices.append((BASE_TAG, f"The base value {name[:80]} was left out."))
            continue
        seen.add(name)
        if not is_legal(value):
            notices.append((BASE_TAG, f"The base value {name} lost characters XML cannot hold."))
        text += f' {name}="{escaped_attribute(legal(value))}"'
    return f"   <{BASE_TAG}{text}/>\n" if text else ""


def is_element(xml: bytes) -> bool:
    """Whether the bytes are one well-formed element, harmless to write as it is."""
    parser = etree.XMLParser(**SAFE_PARSING)
    try:
        root = etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError):
        return False
    return root.getroottree().docinfo.internalDTD is None and not xml.lstrip().startswith(b"<?")


@lru_cache(maxsize=1000)
def _is_name(name: str) -> bool:
    if ":" in name or "{" in name:
        return False
    try:
        etree.Element(name)
    except ValueError:
        return False
    return True
