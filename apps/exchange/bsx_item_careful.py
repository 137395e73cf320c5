"""The careful lane of reading an item: everything kept, everything odd said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast
from xml.etree.ElementTree import Element

from lxml import etree

from apps.exchange.bsx_lot import (
    AMOUNT_FIELDS,
    UNCOLORED_TYPES,
    VALUE_NOT_READ,
    BsxLot,
    BsxWarning,
    ExtraTag,
    LotValues,
    TagAttribute,
    WarningCode,
)
from apps.exchange.bsx_values import (
    BASE_TAG,
    LONGEST_REMEMBERED,
    MOST_REMEMBERED,
    TAGS,
    Finding,
    Reader,
    Reading,
    read_amount,
    read_money,
    read_quantity,
    read_type,
)
from apps.exchange.colors import Colors, read_color
from apps.exchange.conditions import condition_text
from apps.exchange.item_types import ITEM_TYPE_NAMES, letter_of
from apps.exchange.lot_warnings import finding_warning, lot_warning, quoted
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_money import currencies_in, one_currency
from apps.exchange.xml_stream import MAX_TEXT, line_of

#: Tags of other programs and versions, kept among the extras; they identify the writer.
BRICKSYNC_TAGS: Final = frozenset(
    {"OwlID", "OwlLotID", "MyCost", "UsedGrade", "Completeness", "SalePrice", "AlternateID"}
)


def _read_orig_price(text: str) -> Reading:
    """Read a price with all of its decimals; 0 is no price, as in Price."""
    value, finding = read_amount(text)
    return Reading(value or None, finding)


_LEGACY_BASES: Final[Mapping[str, tuple[str, str, Reader]]] = {
    "OrigQty": ("Qty", "quantity", read_quantity),
    "OrigPrice": ("Price", "price", _read_orig_price),
}


class _Meaning(NamedTuple):
    """What a text of a tag means, in any lot of its file."""

    name: str
    value: Any
    #: The text of a condition that was not understood, or the name of a colour instead of a number.
    kept: str
    #: Its lot and line are not filled in.
    warning: BsxWarning | None


@dataclass(slots=True)
class FileMemory:
    """The values that the lots of one file share."""

    index_of_lot_id: dict[int, int] = field(default_factory=dict)
    #: That of its head.
    currency: str = ""
    has_bricksync_tags: bool = False
    #: Comments found inside items.
    comments: list[str] = field(default_factory=list)
    #: What short texts of a tag mean: odd ones repeat as plain ones do.
    meanings: dict[tuple[str, str], _Meaning] = field(default_factory=dict)
    #: Numbers of colours with the names beside them that mean no other.
    agreed: set[tuple[int | None, str]] = field(default_factory=set)

    def agree(self, color_id: int | None, name: str, colors: Colors) -> bool:
        """Whether a colour's name means no other colour than its number."""
        if (color_id, name) in self.agreed:
            return True
        named = colors.named(name)
        does = named is None or color_id is None or named == color_id
        if does and len(self.agreed) < MOST_REMEMBERED and len(name) <= LONGEST_REMEMBERED:
            self.agreed.add((color_id, name))
        return does


class CarefulItem:
    """The careful lane: everything kept, everything odd said."""

    def __init__(self, memory: FileMemory, element: Element, index: int, colors: Colors) -> None:
        """Look at one item of a file."""
        self._memory = memory
        self._colors = colors
        self._element = element
        self._index = index
        self._line = line_of(element)
        self._values: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        self._extra: list[ExtraTag] = []
        self._attributes: list[TagAttribute] = []
        self._legacy: dict[str, str] = {}
        self._warnings: list[BsxWarning] = []

    def read(self) -> BsxLot:
        """Return the lot. Raises FileRefused when a text is beyond the limits."""
        for name, value in self._element.items():
            self._attributes.append(TagAttribute("Item", str(name), str(value)))
        meanings, texts = self._memory.meanings, self._texts
        element: Any = self._element
        for child in element:
            tag = child.tag
            known = meanings.get((tag, text := child.text or ""))
            if known is None or tag in texts or len(child) or child.items():
                self._read_child(child)
            else:
                texts[tag] = text
                self._take(known)
        self._read_legacy()
        self._judge()
        values = self._values
        if self._extra:
            values["extra"] = tuple(self._extra)
        if self._attributes:
            values["attributes"] = tuple(self._attributes)
        if self._warnings:
            values["warnings"] = tuple(self._warnings)
        values["index"] = self._index
        values["line"] = self._line
        return BsxLot.filled(cast(LotValues, values))

    def _read_child(self, child: Element) -> None:
        tag = child.tag
        if not isinstance(tag, str):
            if child.tag is etree.Comment:
                self._memory.comments.append(child.text or "")
            return
        if tag == BASE_TAG:
            if "base" in self._values:
                self._warn(WarningCode.REPEATED_TAG, tag, "", "one such tag; the last one counts")
            self._values["base"] = tuple(child.items())
            return
        if tag not in TAGS:
            self._keep(child, tag)
            return
        for attribute, value in child.items():
            self._attributes.append(TagAttribute(tag, str(attribute), str(value)))
        text = self._text_of(child, tag)
        if tag in self._texts:
            self._warn(
                WarningCode.REPEATED_TAG,
                tag,
                self._texts[tag],
                f"one such tag; the last one counts: “{quoted(text)}”",
            )
            self._warnings = [
                warning
                for warning in self._warnings
                if warning.field != tag or warning.code is WarningCode.REPEATED_TAG
            ]
        self._texts[tag] = text
        self._take(self._meaning_of(tag, text))

    def _take(self, meaning: _Meaning) -> None:
        name, value, kept, warning = meaning
        self._values[name] = value
        if name == "condition":
            self._values["condition_text"] = kept
        elif kept:
            self._values.setdefault("color_name", kept)
        if warning is not None:
            code, tag, message, read, _line, _index, outcome = warning
            self._warnings.append(
                BsxWarning(code, tag, message, read, self._line, self._index, outcome)
            )

    def _meaning_of(self, tag: str, text: str) -> _Meaning:
        name, read = TAGS[tag]
        value, finding = read(text)
        kept = condition_text(value, text) if name == "condition" else ""
        if finding is not None and name in AMOUNT_FIELDS and not self._is_of_file(text):
            value = getattr(BsxLot, name)
            expected = f"an amount in {self._memory.currency}, the file's currency"
            finding = Finding(WarningCode.UNREADABLE_NUMBER, expected)
        elif name == "color_id" and finding and finding.code is WarningCode.UNREADABLE_NUMBER:
            value, kept, _is_number = read_color(text, self._colors)
            finding = finding if value is None else None
        warning = finding and finding_warning(finding, tag, text, value, line=0, index=-1)
        meaning = _Meaning(name, value, kept, warning)
        if len(self._memory.meanings) < MOST_REMEMBERED and len(text) <= LONGEST_REMEMBERED:
            self._memory.meanings[tag, text] = meaning
        return meaning

    def _is_of_file(self, amount: str) -> bool:
        """Whether an amount names no other currency than the file."""
        currency = self._memory.currency
        return one_currency({*currencies_in(amount), currency}) == currency

    def _text_of(self, child: Any, tag: str) -> str:
        text: str = child.text or ""
        if len(child):
            text, has_elements = text_with_markup(child)
            if has_elements:
                self._warn(
                    WarningCode.NESTED_MARKUP,
                    tag,
                    text,
                    "text with its < written as &lt;; the tags are kept as text",
                )
        if len(text) > MAX_TEXT:
            raise FileRefused(
                RefusalCode.TEXT_TOO_LONG,
                f"{tag} of lot {self._index + 1} has {len(text):,} characters; expected at most "
                f"{MAX_TEXT:,}.",
                int(child.sourceline or self._line),
            )
        return text

    def _keep(self, child: Any, tag: str) -> None:
        text: str = child.text or ""
        if len(text) > MAX_TEXT:
            self._text_of(child, tag)
        if tag in BRICKSYNC_TAGS:
            self._memory.has_bricksync_tags = True
        if len(child) or child.attrib or tag.startswith("{"):
            xml = etree.tostring(child, encoding="unicode", with_tail=False)
            self._extra.append(ExtraTag(tag, text, xml))
            return
        if tag in _LEGACY_BASES and tag not in self._legacy:
            self._legacy[tag] = text
        self._extra.append(ExtraTag(tag, text))

    def _read_legacy(self) -> None:
        """Turn what BrickStore 1 and BrickSync wrote into today's form, where it has one."""
        if not self._extra:
            return
        if "Cost" not in self._texts:
            my_cost = next((extra.text for extra in self._extra if extra.tag == "MyCost"), "")
            cost, finding = read_money(my_cost)
            if finding is not None:
                self._found(finding, "MyCost", my_cost, cost)
            elif cost:
                self._values["cost"] = cost
        if not self._legacy:
            return
        if "base" in self._values:
            for tag, text in self._legacy.items():
                self._warn(
                    WarningCode.LEGACY_BASE_IGNORED, tag, text, f"no such tag beside {BASE_TAG}"
                )
            return
        base = []
        for tag, (now_tag, name, read) in _LEGACY_BASES.items():
            if tag not in self._legacy:
                continue
            text = self._legacy[tag].strip()
            value, finding = read(text)
            if finding is not None:
                self._found(finding, tag, text, value)
            if finding is not None and finding.code in VALUE_NOT_READ:
                continue
            self._extra = [extra for extra in self._extra if extra.tag != tag]
            if value != self._values.get(name, getattr(BsxLot, name)):
                base.append((now_tag, text))
        if base:
            self._values["base"] = tuple(base)

    def _judge(self) -> None:
        values = self._values
        if "quantity" not in values:
            self._warn(
                WarningCode.MISSING, "Qty", "", "a number of pieces", outcome="0 stands instead"
            )
        if "condition" not in values:
            values["states_condition"] = False
        if not values.get("item_number"):
            self._warn(
                WarningCode.CUSTOM_ITEM, "ItemID", "", "a catalogue number; kept as a custom item"
            )
        letter = self._judge_type()
        if values.get("color_name") and values.get("color_id") is None:
            told = read_color(values["color_name"], self._colors)
            values["color_id"] = None if told.is_number else told.color_id
        color_id, name = values.get("color_id"), values.get("color_name", "")
        if name and not self._memory.agree(color_id, name, self._colors):
            self._warn(
                WarningCode.COLOR_CONTRADICTION,
                "ColorID",
                self._texts.get("ColorID", ""),
                f"the colour of ColorName, “{quoted(name)}”; the number counts",
            )
        if letter in UNCOLORED_TYPES and color_id:
            self._warn(
                WarningCode.COLOR_ON_UNCOLORED_TYPE,
                "ColorID",
                str(color_id),
                f"0, for a {ITEM_TYPE_NAMES[letter].lower()} has no colour of its own",
            )
        if values.get("sub_condition") and letter != "S":
            self._warn(
                WarningCode.SUB_CONDITION_ON_NON_SET,
                "SubCondition",
                values["sub_condition"],
                "no such tag except on sets",
            )
        lot_id = values.get("marketplace_lot_id")
        if lot_id is not None:
            first = self._memory.index_of_lot_id.setdefault(lot_id, self._index)
            if first != self._index:
                self._warn(
                    WarningCode.DUPLICATE_LOT_ID,
                    "LotID",
                    str(lot_id),
                    f"an id of its own; lot {first + 1} has the same",
                )

    def _judge_type(self) -> str:
        """Return the letter that counts."""
        type_id: str = self._values.get("item_type_id", "")
        type_name: str = self._values.get("item_type_name", "")
        by_name, finding = read_type(type_name) if type_name else ("", None)
        letter: str = by_name or letter_of(type_id)
        if not (type_name or letter):
            finding = read_type(type_id).finding
        if finding is not None:
            tag, text = ("ItemTypeName", type_name) if type_name else ("ItemTypeID", type_id)
            self._found(finding, tag, text, letter)
        elif type_name and type_id and letter != letter_of(type_id):
            self._warn(
                WarningCode.TYPE_CONTRADICTION,
                "ItemTypeID",
                type_id,
                f"{letter}, for ItemTypeName says “{quoted(type_name)}”, and the name counts",
            )
        return letter

    def _found(self, finding: Finding, tag: str, text: str, value: object) -> None:
        self._warnings.append(
            finding_warning(finding, tag, text, value, line=self._line, index=self._index)
        )

    def _warn(
        self, code: WarningCode, tag: str, text: str, expected: str, *, outcome: str = ""
    ) -> None:
        self._warnings.append(
            lot_warning(
                code, tag, text, expected, outcome=outcome, line=self._line, index=self._index
            )
        )


def text_with_markup(child: Any) -> tuple[str, bool]:
    """Return the text with the tags inside it as text, and whether there were any."""
    parts: list[str] = [child.text or ""]
    has_elements = False
    for inner in child:
        if isinstance(inner.tag, str):
            has_elements = True
            parts.append(etree.tostring(inner, encoding="unicode", with_tail=False))
        parts.append(inner.tail or "")
    return "".join(parts), has_elements
