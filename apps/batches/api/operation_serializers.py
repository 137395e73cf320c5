"""Operations on a batch's items: what comes in, and how they ended."""

import uuid
from typing import Annotated, Any

from rest_framework import serializers

from apps.batches.api.choice import ChoiceWrite
from apps.batches.models import BatchOperation, OperationKind, Outcome
from apps.batches.models.batch import NAME_LENGTH
from apps.batches.rules.states import ItemState
from apps.batches.services.bsx_import import ImportOptions
from apps.batches.services.items import StockToo
from apps.batches.services.operations import OperationResult
from apps.batches.services.stowing import StowOptions
from apps.core.api.fields import (
    UUID_PATTERN,
    Matching,
    OwnedRow,
    Text,
    WholeNumber,
    YesOrNo,
)
from apps.core.api.serializers import OPTIONAL, AnswerSerializer, RelatedFields, RowSerializer
from apps.inventory.api.forms import RateField
from apps.inventory.services.bsx_sync import CURRENCY_ACTIONS, SEVERAL_LOCATIONS, SyncOptions
from apps.locations.models import Location
from apps.lots.models import Stockroom

REMARKS_MEAN = ("nothing", "existing_locations", "locations")


class StowWrite(ChoiceWrite):
    location_id = OwnedRow(
        queryset=Location.objects.all(),
        required=False,
        allow_null=True,
        help_text="one for all; else each item's planned one, else the recommended one",
    )
    override_reason = Text(
        max_length=500,
        allow_blank=True,
        required=False,
        help_text="passes the limits of a location that is not marked full",
    )
    atomic = YesOrNo(
        required=False,
        allow_null=True,
        help_text="all or nothing; by default when location_id is given",
    )
    list = YesOrNo(default=False, help_text="put what was stowed up for sale in the same act")
    stockroom = serializers.ChoiceField(
        choices=Stockroom.choices,
        allow_blank=True,
        allow_null=True,
        required=False,
        default=None,
        help_text='of new lots when listed: "" for buyers to see; null: as each lot says itself',
    )

    refused_by = Matching(
        UUID_PATTERN,
        allow_null=True,
        required=False,
        help_text="only those of `items` that this job of stowing has refused",
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(data)
        job_id = data.get("refused_by")
        location = data.get("location_id")
        data["options"] = StowOptions(
            location_id=location.pk if location is not None else None,
            override_reason=data.get("override_reason", "").strip(),
            atomic=data.get("atomic"),
            is_listed=data["list"],
            list_stockroom=data["stockroom"],
            refused_by=None if job_id is None else uuid.UUID(job_id),
        )
        return data


class RemoveWrite(ChoiceWrite):
    state = serializers.ChoiceField(
        choices=[(state.value, state.value) for state in (ItemState.NEW, ItemState.STOWED)],
        required=False,
        help_text="only those in this state",
    )
    stock = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in (StockToo.OUT, StockToo.KEEP)],
        required=False,
        help_text="delete stowed ones too: their pieces leave the stock, or stay there",
    )


class MarkListedWrite(ChoiceWrite):
    listed = YesOrNo(default=True, help_text="false takes the mark off")


class ImportWrite(RelatedFields):
    """A file of lots and how to read it."""

    file = serializers.FileField(max_length=255)
    name = Text(
        max_length=NAME_LENGTH, allow_blank=True, required=False, help_text="else the file's"
    )
    into = WholeNumber(
        min_value=1,
        max_value=2**63 - 1,
        required=False,
        help_text="a batch that its lots join; else it becomes one",
    )
    consolidate = YesOrNo(
        default=False,
        help_text="with `into`: one item of those that equal new ones there",
    )
    shows_warnings = YesOrNo(
        default=False,
        help_text="wait at the preview for a value that was read otherwise, as for a question",
    )
    remarks_mean = serializers.ChoiceField(
        choices=[(name, name) for name in REMARKS_MEAN],
        default="existing_locations",
        help_text="Remarks name the planned location; `locations` makes those that are missing",
    )
    several_locations = serializers.ChoiceField(
        choices=[(choice, choice) for choice in ("ask", *SEVERAL_LOCATIONS)],
        default="ignore",
        help_text="of Remarks that name several, such as B-07;C-01: none, the first, or the text "
        "as one name; `ask` waits at the preview where there are such",
    )
    split_quantities = YesOrNo(
        default=False,
        help_text="an item for each location where Remarks say how many lie in which, "
        "such as B-07:12;C-01:8, and it adds up",
    )
    currency_action = serializers.ChoiceField(
        choices=[(action, action) for action in CURRENCY_ACTIONS if action],
        allow_blank=True,
        default="",
        help_text="for a file in another currency than the store's",
    )
    rate = RateField(help_text="store's currency for one of the file's")
    repair = YesOrNo(
        default=False, help_text="keep the whole lots of a file that stops in the middle"
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["consolidate"] and "into" not in data:
            raise serializers.ValidationError({"consolidate": ["needs a batch to join: into"]})
        several = data["several_locations"]
        data["options"] = ImportOptions(
            consolidate=data["consolidate"],
            name=data.get("name", ""),
            shows_warnings=data["shows_warnings"],
            reading=SyncOptions.read(
                {
                    "create_locations": data["remarks_mean"] == "locations",
                    "reads_remarks": data["remarks_mean"] != "nothing",
                    "several_locations": "" if several == "ask" else several,
                    "split_quantities": data["split_quantities"],
                    "currency_action": data["currency_action"],
                    "rate": data["rate"],
                    "repair": data["repair"],
                }
            ),
        )
        return data


class BrokenLimit(AnswerSerializer):
    """A limit of a location, the room left, and the room needed."""

    location_id: int
    name: str
    limit: str
    room: str
    wanted: str
    can_override: bool


class FailedItem(AnswerSerializer):
    """A row that an operation refused."""

    id: int
    reason: str
    name: str
    limits: Annotated[list[BrokenLimit], OPTIONAL]


class DoneItem(AnswerSerializer):
    """A row that an operation did."""

    id: int
    name: str


class OperationRow(RowSerializer):
    """One operation in a batch's log."""

    model = BatchOperation
    columns = "id kind outcome item_count failed_count message by_name=by.name program createdAt"

    items: Annotated[list[DoneItem], "the first 1,000 that were done"]
    failed: list[FailedItem]


class OperatedRow(AnswerSerializer):
    """How an operation ended, or the job that does it."""

    operation_id: int | None
    kind: OperationKind | None
    outcome: Outcome | None
    item_count: int
    items: list[int]
    failed: list[FailedItem]
    weight_unknown: list[int]
    job_id: uuid.UUID | None
    act_id: Annotated[int | None, "takes it back"]
    listing_job_id: Annotated[uuid.UUID | None, "lists what was stowed in this act"]


def operated_row(operated: OperationResult) -> dict[str, Any]:
    """Return the wire form of an operation's end."""
    operation, results, job = operated.operation, operated.results, operated.job
    return {
        "operation_id": operation.pk if operation is not None else None,
        "kind": operation.kind if operation is not None else None,
        "outcome": operation.outcome if operation is not None else None,
        "item_count": len(results.done) if results is not None else 0,
        "items": results.done if results is not None else [],
        "failed": results.failed if results is not None else [],
        "weight_unknown": results.weight_unknown if results is not None else [],
        "job_id": job.pk if job is not None else None,
        "act_id": operated.act.pk if operated.act is not None else None,
        "listing_job_id": operated.listing_job.pk if operated.listing_job is not None else None,
    }
