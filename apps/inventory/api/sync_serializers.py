"""BSX syncs on the wire."""

import datetime as dt
from typing import Annotated, Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from apps.catalog.models.price import Condition
from apps.core.api.fields import ListOf, Matching, WholeNumber, YesOrNo
from apps.core.api.serializers import OPTIONAL, AnswerSerializer, RowSerializer
from apps.core.texts import NOT_IN_ANY_FILE
from apps.exchange.any_file import FileKind
from apps.exchange.colors import SITES
from apps.exchange.table_columns import COLUMN_FIELDS
from apps.exchange.table_form import DELIMITERS, ENCODINGS, MOST_COLUMNS, QUOTES
from apps.inventory.api.forms import RateField
from apps.inventory.models import RUNNING_STATES, InventorySync, ReadFrom, SyncState, SyncTarget
from apps.inventory.rules.sync_plan import KINDS, UNKNOWN
from apps.inventory.selectors.syncs import ROW_KINDS
from apps.inventory.services.bsx_sync import (
    COVERS,
    CURRENCY_ACTIONS,
    MINE,
    SEVERAL_LOCATIONS,
    THEIRS,
    SyncOptions,
)
from apps.locations.rules.bin_names import Doubt
from apps.lots.models import LotCondition

COLUMN_CHOICES = [(name, name) for name in COLUMN_FIELDS]
CHOICES = [(MINE, MINE), (THEIRS, THEIRS)]
ENDED = {"cancelled": SyncState.CANCELLED.value, "failed": SyncState.FAILED.value}


class TableFields(serializers.Serializer[Any]):
    """A person's corrections of a table's form; missing ones are detected again."""

    encoding = serializers.ChoiceField(choices=[(name, name) for name in ENCODINGS], required=False)
    delimiter = serializers.ChoiceField(
        choices=[(name, name) for name in DELIMITERS], required=False
    )
    quote = serializers.ChoiceField(
        choices=[(name, name) for name in QUOTES if name], allow_blank=True, required=False
    )
    decimal = serializers.ChoiceField(
        choices=[(".", "."), (",", ",")], required=False, help_text="of every column of numbers"
    )
    decimals = ListOf(
        child=serializers.ChoiceField(choices=[(".", "."), (",", ",")], allow_blank=True),
        max_length=MOST_COLUMNS,
        required=False,
        help_text="of each column, in their order; blank: as it is found",
    )
    colors = serializers.ChoiceField(
        choices=[(name, name) for name in SITES],
        required=False,
        help_text="whose numbers the colours are",
    )
    condition = serializers.ChoiceField(
        choices=Condition.choices,
        allow_blank=True,
        required=False,
        help_text="of lots whose row says none; blank: new without a column, else unknown",
    )
    columns = ListOf(
        child=serializers.ChoiceField(choices=COLUMN_CHOICES, allow_blank=True),
        max_length=MOST_COLUMNS,
        required=False,
        help_text="the field of each column, in their order; blank: left out",
    )


class OptionFields(serializers.Serializer[Any]):
    """The options of a preview."""

    create_locations = YesOrNo(default=True, help_text="make the locations that Remarks name")
    reads_remarks = YesOrNo(default=True, help_text="Remarks may name locations")
    several_locations = serializers.ChoiceField(
        choices=[(choice, choice) for choice in SEVERAL_LOCATIONS],
        allow_blank=True,
        default="",
        help_text="of Remarks that name several, such as B-07;C-01: none, the first, or the text "
        "as one name; blank: as in the last import, with its split_quantities",
    )
    split_quantities = YesOrNo(
        default=False,
        help_text="a row for each location where Remarks say how many lie in which, "
        "such as B-07:12;C-01:8, and it adds up",
    )
    currency_action = serializers.ChoiceField(
        choices=[(action, action) for action in CURRENCY_ACTIONS if action],
        allow_blank=True,
        default="",
        help_text="when the file is in another currency than the store",
    )
    rate = RateField(help_text="store's currency for one of the file's")
    repair = YesOrNo(default=False, help_text="take the whole lots of a cut file")
    covers = serializers.ChoiceField(
        choices=[(name, name) for name in COVERS if name],
        allow_blank=True,
        default="",
        help_text="whole: what the file lacks is set to 0; part: it stays; blank: by its kind",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        names = (
            "create_locations",
            "reads_remarks",
            "several_locations",
            "split_quantities",
            "currency_action",
            "rate",
            "repair",
            "covers",
        )
        options = {name: attrs[name] for name in names} | {
            "table": attrs.get("table") or {},
            "bins": attrs.get("bins") or {},
            "bin_patterns": attrs.get("bin_patterns"),
        }
        return {**attrs, "options": SyncOptions.read(options)}


class PreviewWrite(OptionFields):
    table = TableFields(required=False, allow_null=True)
    bins = serializers.DictField(
        child=YesOrNo(),
        required=False,
        help_text="name -> whether it is a bin's, beside what the last import decided",
    )
    bin_patterns = ListOf(
        child=Matching(
            rf"[^*{NOT_IN_ANY_FILE}]*\*[^*{NOT_IN_ANY_FILE}]*",
            max_length=100,
            error_messages={"invalid": "must hold one *, for the bin: in *"},
        ),
        max_length=20,
        required=False,
        allow_null=True,
        help_text="where Remarks name the bin, such as 'in *'; null: as in the last import",
    )


class SyncUpload(OptionFields):
    file = serializers.FileField(max_length=None, allow_empty_file=True)


class ApplyWrite(serializers.Serializer[Any]):
    confirm_zeroed = WholeNumber(
        min_value=0,
        required=False,
        allow_null=True,
        help_text="the preview's to_confirm, where it is above 0",
    )


class UndoWrite(serializers.Serializer[Any]):
    rows_changed_since = serializers.ChoiceField(
        choices=CHOICES, allow_blank=True, required=False, default=""
    )
    rows = serializers.DictField(
        child=serializers.ChoiceField(choices=CHOICES), required=False, help_text="id -> choice"
    )

    def validate_rows(self, rows: dict[str, str]) -> dict[int, str]:
        if not all(pk.isascii() and pk.isdecimal() and len(pk) <= 18 for pk in rows):
            raise serializers.ValidationError("must map ids of rows to mine or theirs")
        return {int(pk): choice for pk, choice in rows.items()}


class RowsQuery(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=[(kind, kind) for kind in ROW_KINDS])


class SyncFigures(AnswerSerializer):
    """Lots of a file by their result, each counted once; empty until they are known."""

    lots: Annotated[int, OPTIONAL]
    pieces: Annotated[int, OPTIONAL]
    value: Annotated[str, "of the lots that were read", OPTIONAL]
    created: Annotated[int, OPTIONAL]
    changed: Annotated[int, OPTIONAL]
    zeroed: Annotated[int, OPTIONAL]
    unchanged: Annotated[int, OPTIONAL]
    unreadable: Annotated[int, OPTIONAL]
    unknown: Annotated[
        int,
        "to the catalogue, or of a condition that was not understood: unknown_created and "
        "unknown_changed of them",
        OPTIONAL,
    ]
    unknown_created: Annotated[int, OPTIONAL]
    unknown_changed: Annotated[int, OPTIONAL]
    unknown_conditions: Annotated[int, "the unknown ones that the catalogue knows", OPTIONAL]
    warnings: Annotated[int, OPTIONAL]
    in_stock: Annotated[int, "rows that hold something now", OPTIONAL]
    to_confirm: Annotated[int, "the number to type before it is applied; 0: none", OPTIONAL]
    listed_lots: Annotated[int, "of the stock", OPTIONAL]
    listed_lots_there: Annotated[int, "in the file", OPTIONAL]
    new_locations: Annotated[int, OPTIONAL]
    matched_locations: Annotated[int, "locations of the store that Remarks name", OPTIONAL]
    left_out_names: Annotated[int, "names in Remarks that do not look like bins", OPTIONAL]
    ignored_remarks: Annotated[int, "lots whose Remarks name no location", OPTIONAL]
    uploaded: Annotated[
        int, "lots that wait in batches and that the store has: they become listed", OPTIONAL
    ]
    tied: Annotated[
        int, "of the unchanged: lots of the store that are tied to the stock's", OPTIONAL
    ]
    joined: Annotated[int, "lots that are consolidated with an item of the batch", OPTIONAL]
    can_repair: Annotated[bool, "the file is cut", OPTIONAL]


class TableChoices(TableFields):
    """A person's corrections of a table's form; the rest was detected."""


class BatchChoices(AnswerSerializer):
    """Of an import into a batch."""

    name: str
    into: Annotated[int | None, "the batch that the lots join; null: they become one"]
    consolidate: bool


class SyncOptionsRow(AnswerSerializer):
    create_locations: bool
    reads_remarks: Annotated[bool, OPTIONAL]
    several_locations = serializers.ChoiceField(
        choices=[(choice, choice) for choice in SEVERAL_LOCATIONS]
    )
    split_quantities: bool
    currency_action = serializers.ChoiceField(
        choices=[(action, action) for action in CURRENCY_ACTIONS if action], allow_blank=True
    )
    rate: str
    repair: bool
    covers = serializers.ChoiceField(
        choices=[(name, name) for name in COVERS if name], allow_blank=True, required=False
    )
    table: Annotated[TableChoices, OPTIONAL]
    bins: Annotated[dict[str, bool], OPTIONAL]
    bin_patterns: Annotated[list[str] | None, OPTIONAL]
    batch: Annotated[BatchChoices, OPTIONAL]


class UnclearColumn(AnswerSerializer):
    """A column whose numbers show no decimal sign."""

    column: Annotated[int, "its place, from 0"]
    text: Annotated[str, "such as 1.234: one thousand, or a bit more than one"]


class TableRow(AnswerSerializer):
    """How a table was read."""

    encoding: str
    delimiter: str
    quote: str
    decimal: str
    decimals: Annotated[list[str], OPTIONAL]
    unclear: Annotated[list[UnclearColumn], OPTIONAL]
    colors = serializers.ChoiceField(choices=[(name, name) for name in SITES])
    condition: LotCondition
    currency: str
    skipped: Annotated[int, "rows before the first lot"]
    heads: list[str]
    columns: list[str]
    signature: str


class ReadingRow(AnswerSerializer):
    """The kind of a file, by its contents; empty until it was read."""

    kind = serializers.ChoiceField(choices=[(kind, kind) for kind in FileKind], required=False)
    covers = serializers.ChoiceField(
        choices=[(name, name) for name in COVERS if name], required=False
    )
    table: Annotated[TableRow | None, OPTIONAL]
    sample: Annotated[list[list[str]], OPTIONAL]
    foreign_numbers: Annotated[
        int,
        "lots of a table whose item number is none of BrickLink's: it was read as Rebrickable's, "
        "LDraw's or an element id. All others are read as BrickLink's",
        OPTIONAL,
    ]


class SeveralExample(AnswerSerializer):
    remarks: str
    quantity: int
    locations: list[str]
    quantities: Annotated[
        list[int], "in the order of the locations; empty: the lot cannot be split"
    ]


class SyncWarning(AnswerSerializer):
    """A warning of a preview: the message, and the data of its code."""

    code: str
    message: str
    file_currency: Annotated[str, OPTIONAL]
    store_currency: Annotated[str, OPTIONAL]
    lots: Annotated[int, "that name several locations", OPTIONAL]
    divisible: Annotated[int, "of these, can be split", OPTIONAL]
    separators: Annotated[list[str], OPTIONAL]
    examples: Annotated[list[SeveralExample], OPTIONAL]


class OverLimit(AnswerSerializer):
    """A location that holds more than its limits after the import."""

    id: int
    name: str
    item_count: int
    max_item_count: int | None
    stored_weight: str
    max_total_weight: str | None


class SyncRow(RowSerializer):
    """One file over the stock or into a batch, and how far it is."""

    model = InventorySync
    columns = """
        id batch_id file_name file_size state problem job_id createdAt updatedAt previewedAt
        appliedAt undoneAt
    """

    read_from: Annotated[ReadFrom, "a file, or the store itself"]
    target: Annotated[SyncTarget, "what its lots become"]
    currency: Annotated[str, "of the file; empty until it was read"]
    options: SyncOptionsRow
    reading: ReadingRow
    counts: SyncFigures
    applied_counts: SyncFigures
    applied_lots: Annotated[int, "applied so far and not undone"]
    warnings: list[SyncWarning]
    over_limits: list[OverLimit]

    computed = ("applied_lots",)
    also_select = ("job__state", "job__message")

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        job_state, message = row.pop("job__state"), row.pop("job__message")
        if row["state"] in RUNNING_STATES and job_state in ENDED:
            # The job ended without it; the next action writes it down.
            row["state"] = ENDED[job_state]
            row["problem"] = row["problem"] or message or ""
        if row["target"] == SyncTarget.STOCK:
            row["options"].pop("batch", None)
        is_gone = row["state"] == SyncState.UNDONE
        row["applied_lots"] = (
            0 if is_gone else sum(row["applied_counts"].get(kind, 0) for kind in KINDS)
        )
        return row


class SyncChanged(AnswerSerializer):
    """A value before the import and after it: text, number, yes or no, or nothing."""

    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class SyncLotRow(AnswerSerializer):
    """A lot of the file, or a row that the file lacks, and its result."""

    index: Annotated[int, "place in the file from 0; -1: not in it"]
    line: int
    inventory_item_id: int | None
    lot_id: int | None
    item_number: str
    item_name: str
    item_type: str
    color_id: int | None
    color_name: str
    color_html: Annotated[str, "#RRGGBB, or empty"]
    image_url: Annotated[str, "empty where there is no picture"]
    condition: LotCondition
    quantity: int
    price: Annotated[str | None, "null: no price"]
    remarks: str
    marketplace_lot_id: int | None
    location_name: str
    reason: Annotated[str, "why it is unknown or unreadable"]
    becomes = serializers.ChoiceField(choices=[(kind, kind) for kind in KINDS if kind != UNKNOWN])
    changes = serializers.DictField(child=SyncChanged(), help_text="by field")


class SyncWarningRow(AnswerSerializer):
    """A value that was read in another form than the file has it."""

    index: int
    line: int
    code: str
    field: str
    message: str


class ChangedSinceRow(AnswerSerializer):
    """A row that was changed after the import wrote it."""

    id: int
    number: str
    name: str
    quantity: int
    location_name: str | None
    updatedAt: dt.datetime


SYNC_ROWS = PolymorphicProxySerializer(
    component_name="AnySyncRow",
    serializers=[SyncLotRow, SyncWarningRow, ChangedSinceRow],
    resource_type_field_name=None,
    many=True,
)


class BinNameRow(AnswerSerializer):
    name: str
    lots: int
    pieces: int


class BinGroupRow(AnswerSerializer):
    """Names in Remarks of one pattern. Doubtful ones are no bins, unless a person chooses so."""

    doubt = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in Doubt],
        allow_blank=True,
        help_text="why they do not look like bins",
    )
    twin_of: Annotated[str, "the name that they are nearly the same as"]
    pattern: Annotated[str, "a pattern that finds bins in these sentences"]
    is_series: Annotated[bool, "they count on: A-01 to A-24"]
    lots: int
    pieces: int
    names: Annotated[list[BinNameRow], "in their natural order"]


class NewLocationRow(AnswerSerializer):
    name: str
