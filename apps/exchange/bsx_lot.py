"""What one BSX `<Item>` carries, and the warnings a reader attaches to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Final, NamedTuple, TypedDict

from apps.exchange.item_types import letter_of

ZERO: Final = Decimal(0)

#: The number BrickStore writes where it means "no colour known" or "no category known".
NO_ID: Final = 4294967295

#: Types whose lots have no colour of their own; their ColorID is 0.
UNCOLORED_TYPES: Final = frozenset("SMBCIO")


#: Quantity and price of the three tiers.
TIER_FIELDS: Final = ("tq1", "tp1", "tq2", "tp2", "tq3", "tp3")
#: Amounts in the currency of the file or store.
AMOUNT_FIELDS: Final = ("price", "cost", "tp1", "tp2", "tp3")


class WarningCode(StrEnum):
    """A warning about a lot or a file; the message has the text read and the value expected."""

    # the value could not be used; the default replaces it
    MISSING = "missing"
    UNREADABLE_NUMBER = "unreadable_number"
    OUT_OF_RANGE = "out_of_range"
    UNREADABLE_DATE = "unreadable_date"
    UNKNOWN_VALUE = "unknown_value"
    # the value was used, as described in the message
    COMMA_IN_NUMBER = "comma_in_number"
    FRACTION_OF_ZERO = "fraction_of_zero"
    CLAMPED = "clamped"
    NEGATIVE = "negative"
    REPEATED_TAG = "repeated_tag"
    NESTED_MARKUP = "nested_markup"
    SEALED_AS_S = "sealed_as_s"
    TIME_ZONE_ASSUMED = "time_zone_assumed"
    LOT_ID_OVER_32_BIT = "lot_id_over_32_bit"
    MORE_DECIMALS = "more_decimals"
    # the lot does not hang together
    CUSTOM_ITEM = "custom_item"
    TYPE_CONTRADICTION = "type_contradiction"
    SUB_CONDITION_ON_NON_SET = "sub_condition_on_non_set"
    COLOR_ON_UNCOLORED_TYPE = "color_on_uncolored_type"
    COLOR_CONTRADICTION = "color_contradiction"
    DUPLICATE_LOT_ID = "duplicate_lot_id"
    # the BrickstowBins tag no longer fits its lot
    BINS_NOT_KEPT = "bins_not_kept"
    LEGACY_BASE_IGNORED = "legacy_base_ignored"
    # about the file, not about a lot
    MISSING_CURRENCY = "missing_currency"
    UNKNOWN_CURRENCY = "unknown_currency"
    FOREIGN_DOCTYPE = "foreign_doctype"
    UNREADABLE_CHANGELOG_ID = "unreadable_changelog_id"
    NOT_AN_ITEM = "not_an_item"
    SECOND_INVENTORY = "second_inventory"
    TRAILING_GARBAGE = "trailing_garbage"
    REPAIRED = "repaired"
    REPAIRED_XML = "repaired_xml"
    # about a table, or a file of another kind
    RAGGED_ROW = "ragged_row"
    ZEROS_PUT_BACK = "zeros_put_back"
    ROWS_LEFT_OUT = "rows_left_out"
    NO_ITEM_COLUMN = "no_item_column"
    NO_CONDITION_COLUMN = "no_condition_column"
    NO_COLOR_COLUMN = "no_color_column"
    COLOR_NUMBERS = "color_numbers"
    UNCLEAR_DATES = "unclear_dates"
    DAMAGED_TEXT = "damaged_text"
    OF_ITS_KIND = "of_its_kind"


#: Codes after which the lot holds a default instead of the file's value.
VALUE_NOT_READ: Final = frozenset(
    {
        WarningCode.MISSING,
        WarningCode.UNREADABLE_NUMBER,
        WarningCode.OUT_OF_RANGE,
        WarningCode.UNREADABLE_DATE,
        WarningCode.UNKNOWN_VALUE,
    }
)


#: Tags of any file without whose values no lot is imported.
_NEEDED: Final = frozenset({"QTY", "MINQTY", "PRICE", "STATUS", "STOCKROOM", "CURRENCY", "DELETE"})


class BsxWarning(NamedTuple):
    """One oddity. `field` is the tag, '' for the whole lot; `index` is -1 when it is the file's.

    `outcome` ends the message: the lot's value instead. It does not hold for a lot that is
    refused.
    """

    code: WarningCode
    field: str
    message: str
    read: str = ""
    line: int = 0
    index: int = -1  # type: ignore[assignment]  # a tuple's own method is not called
    outcome: str = ""

    @property
    def fault(self) -> str:
        """The message without its outcome."""
        return self.message.replace(f"; {self.outcome}", "") if self.outcome else self.message


class ExtraTag(NamedTuple):
    """A tag that BSX does not define, kept so that it can be written back.

    `xml` is None for plain text; otherwise it is the element as it stood, with its attributes.
    """

    tag: str
    text: str = ""
    xml: str | None = None


class TagAttribute(NamedTuple):
    """An attribute on a tag that has none in BSX. `tag` is 'Item' for the lot itself."""

    tag: str
    name: str
    value: str


@dataclass(frozen=True, kw_only=True)
class BsxLot:
    """One lot as the file has it: identity raw, money exact, nothing resolved against a catalogue.

    Every field has a class-level default and there are no slots: a lot holds only what differs from
    the default. `filled` relies on it and builds a lot in a third of the time of the constructor.
    """

    item_number: str = ""
    item_type_id: str = ""
    color_id: int | None = None
    item_name: str = ""
    item_type_name: str = ""
    color_name: str = ""
    category_id: int | None = None
    category_name: str = ""
    status: str = "I"
    quantity: int = 0
    #: None is no price, which BrickStore reads and writes as 0.
    price: Decimal | None = None
    condition: str = "N"
    #: Of a condition that was not understood, which is `?`.
    condition_text: str = ""
    #: False if the file lacks the condition: N by the format's definition.
    states_condition: bool = field(default=True, compare=False)
    sub_condition: str = ""
    bulk: int = 1
    sale: int = 0
    cost: Decimal = ZERO
    comments: str = ""
    remarks: str = ""
    reserved: str = ""
    marketplace_lot_id: int | None = None
    tq1: int = 0
    tp1: Decimal = ZERO
    tq2: int = 0
    tp2: Decimal = ZERO
    tq3: int = 0
    tp3: Decimal = ZERO
    retain: bool = False
    stockroom: str = ""
    #: Grams of the whole lot; None means the catalogue's weight counts.
    total_weight_grams: Decimal | None = None
    marker_text: str = ""
    #: '#rrggbb' or ''.
    marker_color: str = ""
    date_added: datetime | None = None
    date_last_sold: datetime | None = None
    #: DifferenceBaseValues as (attribute, text) in the file's order: the fields that differed.
    base: tuple[tuple[str, str], ...] = ()
    extra: tuple[ExtraTag, ...] = ()
    attributes: tuple[TagAttribute, ...] = ()

    #: The location, of files that name it beside Remarks.
    place: str = field(default="", compare=False)
    #: Whether `quantity` is pieces more or fewer than there are.
    is_change: bool = field(default=False, compare=False)

    # Its position in the file; not compared, so equal lots are equal at any position.
    index: int = field(default=-1, compare=False)
    line: int = field(default=0, compare=False)
    warnings: tuple[BsxWarning, ...] = field(default=(), compare=False)

    @classmethod
    def filled(cls, values: LotValues) -> BsxLot:
        """Build a lot from the fields that differ from their defaults. The fast way in bulk."""
        lot = object.__new__(cls)
        lot.__dict__.update(values)
        return lot

    @property
    def item_type(self) -> str:
        """The letter that counts: that of ItemTypeName, else of ItemTypeID; '' if neither is known."""
        return letter_of(self.item_type_name) or letter_of(self.item_type_id)

    @property
    def unit_weight_grams(self) -> Decimal | None:
        """Grams of one piece; a lot of none is weighed as if it were one."""
        if self.total_weight_grams is None:
            return None
        return self.total_weight_grams / (abs(self.quantity) or 1)

    @property
    def unreadable(self) -> BsxWarning | None:
        """The warning about the first needed value that could not be read, None without one."""
        return next(
            (
                warning
                for warning in self.warnings
                if warning.code in VALUE_NOT_READ and warning.field.upper() in _NEEDED
            ),
            None,
        )

    def extra_text(self, tag: str) -> str | None:
        """Text of the first unknown tag of that name, such as OwlID, or None."""
        return next((extra.text for extra in self.extra if extra.tag == tag), None)


class LotValues(TypedDict, total=False):
    """The fields of BsxLot as keywords; missing ones take the default."""

    item_number: str
    item_type_id: str
    color_id: int | None
    item_name: str
    item_type_name: str
    color_name: str
    category_id: int | None
    category_name: str
    status: str
    quantity: int
    price: Decimal | None
    condition: str
    condition_text: str
    states_condition: bool
    sub_condition: str
    bulk: int
    sale: int
    cost: Decimal
    comments: str
    remarks: str
    reserved: str
    marketplace_lot_id: int | None
    tq1: int
    tp1: Decimal
    tq2: int
    tp2: Decimal
    tq3: int
    tp3: Decimal
    retain: bool
    stockroom: str
    total_weight_grams: Decimal | None
    marker_text: str
    marker_color: str
    date_added: datetime | None
    date_last_sold: datetime | None
    base: tuple[tuple[str, str], ...]
    extra: tuple[ExtraTag, ...]
    attributes: tuple[TagAttribute, ...]
    place: str
    is_change: bool
    index: int
    line: int
    warnings: tuple[BsxWarning, ...]


def total_weight_grams(unit_weight_grams: Decimal | None, quantity: int) -> Decimal | None:
    """Weigh a whole lot from the weight of one piece; a lot of none weighs like one."""
    if unit_weight_grams is None:
        return None
    return unit_weight_grams * (abs(quantity) or 1)
