"""One `<Item>` element -> one BsxLot, in two lanes.

The fast lane reads items that need no remark, by dictionary look-ups; at the first surprise it
gives up and the careful lane reads the same item again, with warnings. Both use the readers of
`bsx_values.TAGS`, so they cannot disagree about a value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from lxml import etree

from apps.exchange.bsx_lot import (
    ITEM_TYPE_NAMES,
    UNCOLORED_TYPES,
    VALUE_NOT_READ,
    BsxLot,
    BsxWarning,
    ExtraTag,
    TagAttribute,
    WarningCode,
)
from apps.exchange.bsx_values import (
    BASE_TAG,
    TAGS,
    Finding,
    NeedsCare,
    PlainMemo,
    Reader,
    read_lot_id,
    read_money,
    read_quantity,
    read_text,
)
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.xml_stream import MAX_TEXT, XmlLimits, line_of

#: Tags of other programs and ages, kept among the extras; they tell who wrote the file.
BRICKSYNC_TAGS: Final = frozenset(
    {"OwlID", "OwlLotID", "MyCost", "UsedGrade", "Completeness", "SalePrice", "AlternateID"}
)
_LEGACY_BASES: Final[Mapping[str, tuple[str, str, Reader]]] = {
    "OrigQty": ("Qty", "quantity", read_quantity),
    "OrigPrice": ("Price", "price", read_money),
}

_LONGEST_QUOTE: Final = 80
_MOST_PLANS: Final = 1000


# Readers that several tags share also share their memory.
_MEMOS: Final = {
    read: PlainMemo(read)
    for _name, read in TAGS.values()
    if read is not read_text and read is not read_lot_id
}


class _Names(dict[Any, str]):
    """Tag -> field of the lot; a tag that is none of BSX's needs care."""

    def __missing__(self, tag: Any) -> str:
        raise NeedsCare


_NAMES: Final = _Names({tag: name for tag, (name, _read) in TAGS.items()} | {BASE_TAG: "base"})
_READERS: Final = {name: read for name, read in TAGS.values()}


class _Plan(NamedTuple):
    """How the fast lane reads an item with one certain sequence of fields."""

    needs_care: bool
    memos: tuple[tuple[str, PlainMemo], ...]
    has_base: bool
    has_lot_id: bool
    has_sub_condition: bool


def _plan_for(names: tuple[str, ...]) -> _Plan:
    memos = ((name, _MEMOS.get(_READERS.get(name, read_text))) for name in names)
    return _Plan(
        needs_care=not {"item_number", "item_type_id", "quantity"} <= set(names),
        memos=tuple((name, memo) for name, memo in memos if memo is not None),
        has_base="base" in names,
        has_lot_id="marketplace_lot_id" in names,
        has_sub_condition="sub_condition" in names,
    )


def _calm_types() -> dict[tuple[str, str], int]:
    """(ItemTypeID, ItemTypeName) that agree -> 1 with a colour of its own, 2 without, 3 a set."""
    calm = {}
    for letter, name in ITEM_TYPE_NAMES.items():
        kind = 3 if letter == "S" else 2 if letter in UNCOLORED_TYPES else 1
        calm[letter, name] = calm[letter, ""] = kind
    calm["M", "Minifig"] = 2
    return calm


_CALM_TYPES: Final = _calm_types()
_COLORED, _UNCOLORED, _SET = 1, 2, 3

_new = object.__new__
_assign = object.__setattr__


class ItemReader:
    """Reads the items of one file; remembers the lot ids it has seen."""

    def __init__(self, limits: XmlLimits) -> None:
        """Start a file."""
        self._limits = limits
        self._index_of_lot_id: dict[int, int] = {}
        self._plans: dict[tuple[str, ...], _Plan] = {}
        self.has_bricksync_tags = False
        #: Comments found inside items.
        self.comments: list[str] = []

    def read_plain(self, element: Any, index: int) -> BsxLot:
        """Read one item of a plain batch. Raises NeedsCare: read it carefully then."""
        values: dict[str, Any] = {_NAMES[child.tag]: child.text or "" for child in element}
        names = tuple(values)
        plan = self._plans.get(names)
        if plan is None:
            plan = self._new_plan(names)
        needs_care, memos, has_base, has_lot_id, has_sub_condition = plan
        if needs_care or len(values) != len(element):  # fewer: a tag was repeated
            raise NeedsCare
        for name, memo in memos:
            values[name] = memo[values[name]]
        if has_base:
            values["base"] = tuple(next(element.iterchildren(BASE_TAG)).items())
        # Contradictions are worded by `_judge` of the careful lane.
        kind = _CALM_TYPES.get((values["item_type_id"], values.get("item_type_name", "")))
        if (
            (kind != _COLORED and (kind is None or values.get("color_id")))
            or not values["item_number"]
            or (has_sub_condition and kind != _SET and values["sub_condition"])
        ):
            raise NeedsCare
        if has_lot_id:
            # Ids are all different, so they have no memo.
            text = values["marketplace_lot_id"]
            if not (len(text) < 10 and text.isdigit() and text.isascii()):
                raise NeedsCare
            lot_id = values["marketplace_lot_id"] = int(text) or None
            if lot_id is not None and self._index_of_lot_id.setdefault(lot_id, index) != index:
                raise NeedsCare
        line = element.sourceline
        values["line"] = line if line < 65535 else line_of(element)
        values["index"] = index
        lot = _new(BsxLot)
        _assign(lot, "__dict__", values)
        return lot

    def _new_plan(self, names: tuple[str, ...]) -> _Plan:
        plan = _plan_for(names)
        # Files use a few dozen sequences of tags; a hostile one could have one for each lot.
        if len(self._plans) < _MOST_PLANS:
            self._plans[names] = plan
        return plan

    def read_carefully(self, element: etree._Element, index: int) -> BsxLot:
        """Read one item with all its warnings. Raises FileRefused when it is beyond the limits."""
        if len(element) > self._limits.max_children:
            raise FileRefused(
                RefusalCode.LOT_TOO_LARGE,
                f"Lot {index + 1} has {len(element)} tags; expected at most "
                f"{self._limits.max_children}.",
                line_of(element),
            )
        return _CarefulItem(self, element, index, self._limits).read()

    def first_with(self, lot_id: int, index: int) -> int:
        """Return the index of the first lot with that id; this one, if it is."""
        return self._index_of_lot_id.setdefault(lot_id, index)


class _CarefulItem:
    """The careful lane: everything kept, everything odd said."""

    def __init__(
        self, file: ItemReader, element: etree._Element, index: int, limits: XmlLimits
    ) -> None:
        self._file = file
        self._element = element
        self._index = index
        self._limits = limits
        self._line = line_of(element)
        self._values: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        self._extra: list[ExtraTag] = []
        self._attributes: list[TagAttribute] = []
        self._legacy: dict[str, str] = {}
        self._warnings: list[BsxWarning] = []

    def read(self) -> BsxLot:
        for name, value in self._element.items():
            self._attributes.append(TagAttribute("Item", str(name), str(value)))
        for child in self._element:
            self._read_child(child)
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
        lot = _new(BsxLot)
        _assign(lot, "__dict__", values)
        return lot

    def _read_child(self, child: etree._Element) -> None:
        tag = child.tag
        if not isinstance(tag, str):
            if child.tag is etree.Comment:
                self._file.comments.append(child.text or "")
            return
        if tag == BASE_TAG:
            if "base" in self._values:
                self._warn(WarningCode.REPEATED_TAG, tag, "", "one such tag; the last one counts")
            self._values["base"] = tuple(child.items())
            return
        entry = TAGS.get(tag)
        if entry is None:
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
                f"one such tag; the last one counts: “{_quoted(text)}”",
            )
            self._warnings = [
                warning
                for warning in self._warnings
                if warning.field != tag or warning.code is WarningCode.REPEATED_TAG
            ]
        self._texts[tag] = text
        name, read = entry
        value, finding = read(text)
        self._values[name] = value
        if finding is not None:
            self._found(finding, tag, text, value)

    def _text_of(self, child: etree._Element, tag: str) -> str:
        text: str = child.text or ""
        if len(child):
            text, has_elements = _with_markup(child)
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
                child.sourceline or self._line,
            )
        return text

    def _keep(self, child: etree._Element, tag: str) -> None:
        text: str = child.text or ""
        if len(text) > MAX_TEXT:
            self._text_of(child, tag)
        if tag in BRICKSYNC_TAGS:
            self._file.has_bricksync_tags = True
        if len(child) or child.attrib or tag.startswith("{"):
            xml = etree.tostring(child, encoding="unicode", with_tail=False)
            self._extra.append(ExtraTag(tag, text, xml))
            return
        if tag in _LEGACY_BASES and tag not in self._legacy:
            self._legacy[tag] = text
        self._extra.append(ExtraTag(tag, text))

    def _read_legacy(self) -> None:
        """Turn what BrickStore 1 and BrickSync wrote into today's form, where it has one."""
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
            self._warn(WarningCode.MISSING, "Qty", "", "a number of pieces; 0 stands instead")
        if not values.get("item_number"):
            self._warn(
                WarningCode.CUSTOM_ITEM, "ItemID", "", "a catalogue number; kept as a custom item"
            )
        letter = self._judge_type()
        color_id = values.get("color_id")
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
            first = self._file.first_with(lot_id, self._index)
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
        letter = type_name[:1].upper() or type_id
        known = ", ".join(ITEM_TYPE_NAMES)
        if letter not in ITEM_TYPE_NAMES:
            tag, text = ("ItemTypeName", type_name) if type_name else ("ItemTypeID", type_id)
            self._warn(
                WarningCode.UNKNOWN_VALUE, tag, text, f"a type of item: one letter of {known}"
            )
            return ""
        if type_name and type_id and letter != type_id:
            self._warn(
                WarningCode.TYPE_CONTRADICTION,
                "ItemTypeID",
                type_id,
                f"{letter}, for ItemTypeName says “{_quoted(type_name)}”, and the name counts",
            )
        return letter

    def _found(self, finding: Finding, tag: str, text: str, value: Any) -> None:
        """Put a finding about one text into words that name what stands in the lot now."""
        shown = "nothing" if value is None or value == "" else value
        if finding.code in VALUE_NOT_READ:
            self._warn(finding.code, tag, text, f"{finding.expected}; {shown} stands instead")
        elif finding.code is WarningCode.NEGATIVE:
            self._warn(finding.code, tag, text, f"{finding.expected}; kept as it is")
        else:
            self._warn(finding.code, tag, text, f"{finding.expected}; read as {shown}")

    def _warn(self, code: WarningCode, tag: str, text: str, expected: str) -> None:
        read = _quoted(text)
        what = f"is “{read}”" if text else "is missing or empty"
        if code is WarningCode.REPEATED_TAG:
            what = f"stands twice, first as “{read}”" if text else "stands twice"
        message = f"{tag} {what}; expected {expected}."
        self._warnings.append(BsxWarning(code, tag, message, read, self._line, self._index))


def _quoted(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def _with_markup(child: etree._Element) -> tuple[str, bool]:
    """Return the text with the tags inside it as text, and whether there were any."""
    parts: list[str] = [child.text or ""]
    has_elements = False
    for inner in child:
        if isinstance(inner.tag, str):
            has_elements = True
            parts.append(etree.tostring(inner, encoding="unicode", with_tail=False))
        parts.append(inner.tail or "")
    return "".join(parts), has_elements
