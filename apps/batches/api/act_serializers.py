"""Acts on a batch's items: requests, previews and results."""

from decimal import Decimal
from typing import Annotated, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.batches.api.operation_serializers import ChoiceWrite, FailedItem
from apps.batches.models import Batch
from apps.batches.rules.cost import SpreadBy
from apps.batches.services.acting import SHOWN, Acted
from apps.batches.services.arranging import ALSO_AGREE, Consolidation
from apps.catalog.api.repricing import RepricingWrite
from apps.core.api.fields import Amount, ListOf, OwnedRow, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, RowSerializer
from apps.core.money import MONEY
from apps.inventory.api.forms import Modes
from apps.inventory.rules.consolidation import MODES, Mode, Target
from apps.lots.models import ActKind, KeptAct


class DryRun(serializers.Serializer[Any]):
    dry_run = YesOrNo(default=False, help_text="show it, change nothing")


class ActWrite(DryRun, ChoiceWrite):
    """Which items of the batch, and whether it is only shown."""


class RepriceWrite(RepricingWrite, ActWrite):
    """Missing fields of the rule are taken from the user's settings."""


class SpreadWrite(ActWrite):
    by = serializers.ChoiceField(choices=[(one.value, one.value) for one in SpreadBy])
    total = Amount(
        **MONEY, min_value=Decimal(0), required=False, allow_null=True, help_text="else the batch's"
    )


class RecommendWrite(ActWrite):
    replace = YesOrNo(default=False, help_text="also where a location is planned already")


class ConsolidateBatchWrite(ActWrite):
    target = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in (Target.FULLEST, Target.NEWEST)],
        default=Target.FULLEST.value,
    )
    modes = Modes()
    count_unpriced = YesOrNo(
        default=False, help_text="let rows without a price lower an average, as 0"
    )
    also_agree = ListOf(
        child=serializers.ChoiceField(choices=[(one, one) for one in ALSO_AGREE]),
        required=False,
        help_text="what must agree beside lot, condition and completeness",
    )

    def validate_modes(self, modes: dict[str, str]) -> dict[str, Mode]:
        for name, mode in modes.items():
            if name not in MODES or mode not in MODES[name]:
                words = ", ".join(MODES.get(name, ())) or f"one of {', '.join(MODES)}"
                raise serializers.ValidationError(f"{name}: must be {words}")
        return {name: Mode(mode) for name, mode in modes.items()}

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(data)
        data["how"] = Consolidation(
            target=Target(data["target"]),
            modes=data.get("modes", {}),
            count_unpriced=data["count_unpriced"],
            also_agree=tuple(data.get("also_agree", ())),
        )
        return data


class SplitBatchWrite(ActWrite):
    by = serializers.ChoiceField(
        choices=[("location", "location"), ("aisle", "aisle")],
        default="location",
        help_text="aisle: the first part of the location's name",
    )


class MoveItemsWrite(ActWrite):
    to_batch_id = OwnedRow(queryset=Batch.objects.ready())
    copy = YesOrNo(default=False, help_text="leave them here, make new ones there")


class MergeBatchWrite(DryRun):
    to_batch_id = OwnedRow(queryset=Batch.objects.ready())


class UndoActWrite(serializers.Serializer[Any]):
    act_id = WholeNumber(min_value=1, max_value=2**63 - 1)


LOT_OF_ACT: dict[str, Any] = {
    "type": "object",
    "required": ["qty", "price"],
    "properties": {
        "id": {"type": "integer"},
        "qty": {"type": "integer"},
        "price": {"type": ["string", "null"]},
    },
}


@extend_schema_field(
    {
        "oneOf": [
            {"type": "null"},
            {"type": "string"},
            {"type": "array", "items": LOT_OF_ACT},
            LOT_OF_ACT,
        ]
    }
)
class Anything(serializers.Field[Any, Any, Any, Any]):
    """Text, or fields of a row by the kind of act."""

    def to_representation(self, value: object) -> Any:
        return value


@extend_schema_field({"type": ["number", "string", "null"]})
class Figure(serializers.Field[Any, Any, Any, Any]):
    """A count, a sum as decimal text, or an instant."""


class ActedItem(serializers.Serializer[Any]):
    """The result of an item, or of a batch made by a split; the fields differ by kind."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    quantity = serializers.IntegerField(required=False)
    before = Anything(required=False)
    after = Anything(required=False)
    found_by = serializers.CharField(required=False, help_text="reprice: which figure")
    percent = serializers.CharField(
        required=False, allow_null=True, help_text="reprice: so much more"
    )
    limited_by = serializers.CharField(
        required=False, help_text="reprice: least, most or step, where that decided the price"
    )
    is_left = YesOrNo(required=False, help_text="reprice: keeps its price, as asked")
    is_marked = YesOrNo(required=False, help_text="reprice: there is no figure")
    figureAt = serializers.DateTimeField(
        required=False, allow_null=True, help_text="reprice: when the market told the figure"
    )
    sum = serializers.CharField(required=False, help_text="spreadCost: of all its pieces")
    changes = ListOf(child=serializers.CharField(), required=False)
    lots = serializers.IntegerField(required=False)
    items = serializers.IntegerField(required=False)


class ActedRow(AnswerSerializer):
    """What an act does (dry run) or did. `act_id` takes it back. At most 200 rows are shown."""

    kind: ActKind
    dry_run: bool
    act_id: int | None
    note: str
    item_count: int
    figures = serializers.DictField(child=Figure(), help_text="counts and sums of this kind of act")
    rows: list[ActedItem]
    largest: Annotated[list[ActedItem], "reprice: the ten that change most in worth"]
    warnings: list[str]
    failed: list[FailedItem]
    failed_count: int


class BatchActRow(RowSerializer):
    """An act on a batch."""

    model = KeptAct
    columns = "id kind note item_count=row_count by_name=by.name program createdAt undoneAt"


def acted_row(acted: Acted) -> dict[str, Any]:
    """Return the wire form of what an act does or did."""
    plan = acted.plan
    return {
        "kind": plan.kind,
        "dry_run": acted.is_dry_run,
        "act_id": acted.act.pk if acted.act is not None else None,
        "note": plan.note,
        "item_count": plan.item_count,
        "figures": plan.figures,
        "rows": plan.rows,
        "largest": plan.largest,
        "warnings": plan.warnings,
        "failed": plan.failed[:SHOWN],
        "failed_count": len(plan.failed),
    }
