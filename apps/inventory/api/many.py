"""`/api/inventoryItems/bulk`, `/move`, `/consolidate`, `/{id}/split`: many rows at once.

Re-pricing them is beside it, in `repricing.py`.
"""

from typing import Annotated, Any, Final

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import caller_of, store_of
from apps.core.api.bulk import (
    BulkAlikeWrite,
    BulkEachWrite,
    BulkResult,
    BulkRowsWrite,
    ListFilters,
    bulk_write,
    chosen_ids,
    id_of,
)
from apps.core.api.fields import Instant, ListOf, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer
from apps.core.api.views import seen_at
from apps.core.clock import now
from apps.core.errors import Invalid
from apps.core.jobs.api import JobRow
from apps.core.money import Money
from apps.inventory.api.filters import ItemFilter
from apps.inventory.api.forms import ManyStock, Modes, Refused, act_answer, refused_rows
from apps.inventory.api.serializers import ID, MAX_PIECES, InventoryItemRow, InventoryItemWrite
from apps.inventory.models import InventoryItem
from apps.inventory.rules.consolidation import Target
from apps.inventory.services import bulk, consolidate
from apps.inventory.services.move_many import move_many
from apps.inventory.services.moves import MoveLine, MoveResult
from apps.inventory.services.split import split_item
from apps.lots.api.bulk import BulkLots
from apps.lots.models import KeptAct
from apps.lots.services.acts import ActResult

#: Fields that accompany a change and change nothing on their own.
BESIDE: Final = ("note", "override_reason")


class StockAlikeWrite(BulkAlikeWrite):
    filter = ListFilters(ItemFilter)
    set = InventoryItemWrite(partial=True, help_text="the same changes for each")


class StockRowsWrite(BulkRowsWrite):
    create = InventoryItemWrite(many=True, required=False)  # type: ignore[assignment]
    update = InventoryItemWrite(  # type: ignore[assignment]
        many=True, partial=True, required=False
    )


BULK_WRITE: Final = bulk_write("StockBulkWrite", StockRowsWrite, BulkEachWrite, StockAlikeWrite)


class StockBulkResult(BulkResult):
    """What became of one row of the request."""

    row = InventoryItemRow(allow_null=True)


class MoveOne(serializers.Serializer[Any]):
    id = WholeNumber(**ID)
    quantity = WholeNumber(
        min_value=1, max_value=MAX_PIECES, required=False, help_text="all when left out"
    )


class MoveManyWrite(ManyStock):
    items = MoveOne(
        many=True, required=False, allow_empty=False, help_text="rows with how many of each"
    )
    to = WholeNumber(**ID, allow_null=True, help_text="a location, or null for none")
    override_reason = Text(max_length=500, allow_blank=True, required=False, default="")
    atomic = YesOrNo(default=True, help_text="all rows or none")

    exactly_one = ("items", "ids", "filter")


class MovedRow(AnswerSerializer):
    """The result of a move. `act_id` undoes it."""

    act_id: int
    moved: int
    refused: list[Refused]


class ConsolidateWrite(ManyStock):
    target = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in Target], default=Target.FULLEST.value
    )
    chosen = ListOf(
        child=WholeNumber(**ID),
        required=False,
        max_length=1_000,
        help_text="rows that take the others of their group, whatever `target` says",
    )
    modes = Modes()
    count_unpriced = YesOrNo(
        default=False, help_text="let rows without a price lower an average, as 0"
    )
    emptied = serializers.ChoiceField(
        choices=[(word, word) for word in consolidate.EMPTIED], default="zero"
    )
    override_reason = Text(max_length=500, allow_blank=True, required=False, default="")
    dry_run = YesOrNo(default=False, help_text="show it, change nothing")
    mark = Text(
        required=False, allow_blank=True, max_length=200, help_text="of the preview that was shown"
    )


class ConsolidatedGroup(AnswerSerializer):
    """A group: the row that stays as it would be, and those that go into it."""

    target: InventoryItemRow
    sources = InventoryItemRow(many=True)
    quantity: int
    price: Money | None
    changes = serializers.DictField(help_text="field of the target -> its new value")
    unpriced: Annotated[int, "rows without a price beside others"]
    code: str | None
    message: Annotated[str | None, "why this group stays as it is"]


class ConsolidatedRow(AnswerSerializer):
    """What consolidating does (dry run) or did. At most 200 groups are shown."""

    dry_run: bool
    act_id: int | None
    group_count: int
    row_count: int
    groups: list[ConsolidatedGroup]
    mark: str
    refused: list[Refused]


_SAME_OF_A_PART: Final = ("lot_id", "quantity")


class PartWrite(InventoryItemWrite):
    """The changes of the new row."""

    lot_id = WholeNumber(**ID, required=False)


class SplitWrite(serializers.Serializer[Any]):
    quantity = WholeNumber(min_value=1, max_value=MAX_PIECES)
    changes = PartWrite(required=False, help_text="in what the new row differs")
    updatedAt = Instant(
        required=False, allow_null=True, help_text="as last seen: 409 if the row has changed since"
    )


class SplitRow(AnswerSerializer):
    """The new row, and the act that takes it back."""

    act_id: int
    row: InventoryItemRow


@extend_schema_view(
    bulk=extend_schema(request=BULK_WRITE, responses={200: StockBulkResult(many=True), 202: JobRow})
)
class ManyItems(BulkLots):
    """The calls on many rows of stock."""

    bulk_engine = bulk.STOCK
    beside = BESIDE

    def read_removal(self, row: object) -> bulk.Removal:
        if not isinstance(row, dict):
            return bulk.Removal(item_id=id_of({"id": row}))
        zero = row.get("zero", False)
        if not isinstance(zero, bool):
            raise Invalid(fields={"zero": ["must be true or false"]})
        return bulk.Removal(item_id=id_of(row), zero=zero)

    @extend_schema(
        operation_id="inventoryItems_moveMany",
        request=MoveManyWrite,
        responses={200: MovedRow, 202: JobRow},
    )
    @action(detail=False, methods=["post"], url_path="move")
    def move_many(self, request: Request) -> Response:
        """Carry rows, or parts of them, to one location as one act that can be undone.

        More than 1,000 rows start a job (202): it moves the rows that fit and reports the others.
        """
        data = self.validated(MoveManyWrite, request.data)
        if "items" in data:
            parts = [(one["id"], one.get("quantity")) for one in data["items"]]
        else:
            ids = chosen_ids(request, filters=ItemFilter, rows=self.get_queryset())
            parts = [(pk, None) for pk in ids]
        done = move_many(
            owner=store_of(request),
            lines=[
                MoveLine(item_id=pk, to_location_id=data["to"], quantity=quantity)
                for pk, quantity in parts
            ],
            by=caller_of(request),
            now=now(),
            override_reason=data["override_reason"],
            atomic=data["atomic"],
        )
        return act_answer(done, _moved)

    @extend_schema(request=ConsolidateWrite, responses={200: ConsolidatedRow, 202: JobRow})
    @action(detail=False, methods=["post"])
    def consolidate(self, request: Request) -> Response:
        """Make one row of those that agree in item, colour, condition and sub-condition.

        `dry_run` shows what would happen. More than 1,000 rows become a job (202).
        """
        data = self.validated(ConsolidateWrite, request.data)
        options = consolidate.Options.read(data)
        ids = chosen_ids(request, filters=ItemFilter, rows=self.get_queryset())
        done = consolidate.consolidate_items(
            owner=store_of(request),
            item_ids=ids,
            options=options,
            dry_run=data["dry_run"],
            by=caller_of(request),
            now=now(),
            mark=data.get("mark", ""),
        )
        return act_answer(done, _consolidated)

    @extend_schema(request=SplitWrite, responses={201: SplitRow})
    @action(detail=True, methods=["post"])
    def split(self, request: Request, pk: str) -> Response:
        """Move a part of a row into a new one with `changes`."""
        item = self.get_owned(pk)
        data = self.validated(SplitWrite, request.data)
        changes = dict(data.get("changes", {}))
        if changes.keys() & set(_SAME_OF_A_PART):
            raise Invalid(fields={"changes": ["a part is of the same lot; say quantity beside it"]})
        done = split_item(
            item=item,
            quantity=data["quantity"],
            note=changes.pop("note", ""),
            override_reason=changes.pop("override_reason", ""),
            changes=changes,
            seen_at=seen_at(request),
            by=caller_of(request),
            now=now(),
        )
        row = {"act_id": done.act.pk, "row": self.row(done.item_id)}
        return Response(row, status=status.HTTP_201_CREATED)


def _moved(done: ActResult[MoveResult, KeptAct]) -> dict[str, Any]:
    refused = ((one.line.item_id, one.refusal) for one in done.plan.refused)
    return {"moved": len(done.plan.moved), "refused": refused_rows(refused)}


def _consolidated(done: ActResult[consolidate.Plan, KeptAct]) -> dict[str, Any]:
    """Return the groups of a dry run with the rows as the list shows them, else the counts."""
    plan = done.plan
    groups = _groups(plan.groups) if done.is_dry_run else []
    return {
        "dry_run": done.is_dry_run,
        "group_count": plan.group_count,
        "row_count": plan.row_count,
        "groups": groups,
        "mark": plan.mark if done.is_dry_run and plan.group_count == len(groups) else "",
        "refused": [] if done.is_dry_run else refused_rows(plan.refusals()),
    }


def _groups(groups: list[consolidate.Group]) -> list[dict[str, Any]]:
    ids = [row.pk for group in groups for row in (group.target, *group.sources)]
    found = InventoryItemRow.select(InventoryItem.objects.filter(pk__in=ids))
    rows = {row["id"]: row for row in InventoryItemRow(found, many=True).data}
    return [
        {
            "target": rows[group.target.pk],
            "sources": [rows[row.pk] for row in group.sources],
            "quantity": group.quantity,
            "price": group.changes.get("price", group.target.price),
            "changes": group.changes,
            "unpriced": group.unpriced,
            "code": None if group.refusal is None else str(group.refusal.code),
            "message": None if group.refusal is None else group.refusal.text,
        }
        for group in groups
        if all(row.pk in rows for row in (group.target, *group.sources))
    ]
