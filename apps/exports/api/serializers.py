"""Exports on the wire."""

from typing import Annotated, Any

from rest_framework import serializers

from apps.batches.models import Batch
from apps.batches.rules import ItemState
from apps.core.api.fields import ListOf, Matching, OwnedRow, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, DataSerializer, RelatedFields
from apps.core.jobs.api import WrittenFileRow
from apps.exchange.csv_lots import COLUMNS
from apps.exports.models import Export, ExportKind, Scope
from apps.exports.rules import UPDATE_FIELDS, why_not_a_template
from apps.exports.services import exports

MAX_ITEM_IDS = 10_000


class FailedExportItem(AnswerSerializer):
    """A lot that could not be written."""

    id: int
    reason: str
    name: str


class ExportNotice(AnswerSerializer):
    """A value that was written in another form than it is kept; no id: of the whole file."""

    id: int | None
    field: str
    message: str


class ExportRow(WrittenFileRow):
    """An export with the state of its job. `file_url` is null until the file is there."""

    model = Export
    columns = f"""
        {WrittenFileRow.file_columns} kind scope batch_id failed_count row_count listed_count uploadedAt
    """
    address = "/api/exports"

    options = serializers.DictField()
    failed: list[FailedExportItem]
    notices: list[ExportNotice]


class OptionsWrite(serializers.Serializer[Any]):
    """Which lots, and for which program."""

    state = serializers.ChoiceField(
        choices=["all", *(state.value for state in ItemState)],
        default="all",
        help_text="of a batch: only the rows in this state",
    )
    item_ids = ListOf(
        child=WholeNumber(min_value=1, max_value=2**63 - 1),
        max_length=MAX_ITEM_IDS,
        default=list,
        help_text="only these rows; empty is all",
    )
    include_zero_quantity = YesOrNo(default=True)
    include_incomplete = YesOrNo(
        default=True, help_text="lots that the catalogue does not know, as their file named them"
    )
    include_unknown = YesOrNo(
        default=False,
        help_text="lots that the catalogue does not know in a mass upload or wanted list",
    )
    include_listed = YesOrNo(
        default=False, help_text="of a mass upload: lots that carry BrickLink lot ids, once more"
    )
    carry_location = YesOrNo(
        default=True,
        help_text="Remarks name the location, in front of what they say; a template goes first",
    )
    compatible = YesOrNo(
        default=False, help_text="BSX for BrickSync and BrickStock: a DOCTYPE and no currency"
    )
    remarks_template = Text(
        max_length=200,
        default="",
        allow_blank=True,
        help_text="such as '{location} {remarks}'; empty: see carry_location",
    )
    columns = ListOf(
        child=serializers.ChoiceField(choices=COLUMNS),
        max_length=len(COLUMNS),
        default=list,
        help_text="of a CSV file, in this order; empty is all",
    )
    update_fields = ListOf(
        child=serializers.ChoiceField(choices=UPDATE_FIELDS),
        max_length=len(UPDATE_FIELDS),
        default=list,
        help_text="what a mass update sends as it is; empty: what differs from what BrickLink "
        "last received",
    )
    wanted_list_id = Matching(
        r"[0-9]{0,12}",
        default="",
        allow_blank=True,
        error_messages={"invalid": "is the number of a BrickLink wanted list, digits only"},
    )

    def validate_remarks_template(self, text: str) -> str:
        if problem := why_not_a_template(text):
            raise serializers.ValidationError(problem)
        return text


class ExportWrite(RelatedFields):
    kind = serializers.ChoiceField(choices=ExportKind.choices, default=ExportKind.BSX)
    scope = serializers.ChoiceField(choices=Scope.choices)
    batch_id = OwnedRow(
        source="batch", queryset=Batch.objects.ready(), required=False, allow_null=True
    )
    options = OptionsWrite(required=False)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        wants_batch = data["scope"] == Scope.BATCH
        if wants_batch != (data.get("batch") is not None):
            problem = "is required" if wants_batch else "does not go with the scope inventory"
            raise serializers.ValidationError({"batch_id": [problem]})
        return data


class ExportPreview(DataSerializer):
    """A preview of the content of a file."""

    shape = exports.ExportPreview

    row_count: Annotated[int, "lots in the file"]
    listed_count: Annotated[int, "lots that a mass upload leaves out, for BrickLink has them"]
    failed: Annotated[list[FailedExportItem], "the first 50 that cannot be"]
    notices: Annotated[
        list[ExportNotice], "the first 200 values written in another form than they are kept"
    ]
    sample: Annotated[str, "the file, had it the first five lots only"]
