"""Serializers of listings: the items, the target, and the calls sent."""

import uuid
from typing import Annotated, Any

from rest_framework import serializers

from apps.batches.api.choice import ChoiceWrite
from apps.batches.models import Batch
from apps.core.api.fields import ListOf, OwnedRow, WholeNumber
from apps.core.api.serializers import AnswerSerializer, RowSerializer
from apps.core.jobs.models import JobState
from apps.core.money import Money
from apps.inventory.api.forms import ManyStock
from apps.inventory.models import RECEIVED_FIELDS, FieldConflict
from apps.inventory.rules.merging import ConflictRule
from apps.listings.models import (
    EVERY,
    Listing,
    StoreSync,
    StoreSyncRow,
    SyncKind,
    SyncRowState,
    SyncWay,
)
from apps.listings.rules.cycle import REMOVALS
from apps.listings.services import listing
from apps.lots.models import Stockroom

# The subject of a listing run, by the kind of its job.
ACT_OF_KIND = {
    listing.LIST_KIND: "items",
    listing.LIST_STOCK_KIND: "stock",
    listing.UNLIST_STOCK_KIND: "unlist",
}


def _stockroom() -> serializers.ChoiceField:
    return serializers.ChoiceField(
        choices=Stockroom.choices,
        allow_blank=True,
        allow_null=True,
        required=False,
        default=None,
        help_text='"" for buyers to see, A, B or C hidden; null: as each lot says itself',
    )


class MarketListingWrite(ChoiceWrite):
    """Which items of a batch to list, and into which stockroom new lots go."""

    batch_id = OwnedRow(queryset=Batch.objects.ready())
    stockroom = _stockroom()


class StockListingWrite(ManyStock):
    """Which rows of stock to list, and into which stockroom they go."""

    stockroom = _stockroom()


class UnlistWrite(ManyStock):
    """Which rows of stock are taken off sale, and into which stockroom their lots go."""

    stockroom = serializers.ChoiceField(
        choices=[one for one in Stockroom.choices if one[0]], default="A"
    )


class MarketListingStarted(AnswerSerializer):
    """The job that lists, and how many items it is about."""

    job_id: uuid.UUID
    item_count: int


class MarketListingRow(RowSerializer):
    """One lot that was put up or topped up, or is to be."""

    model = Listing
    columns = """
        id kind state name quantity stockroom marketplace_lot_id reason job_id sentAt
        settledAt createdAt updatedAt
    """

    price: Annotated[Money | None, "null: no price"]


class ListingRunsQuery(serializers.Serializer[Any]):
    """Which listing runs."""

    state = serializers.ChoiceField(choices=JobState.choices, required=False)


class ListingRunRow(RowSerializer):
    """One act of listing and its result; `id` is its job's."""

    id: uuid.UUID
    act = serializers.ChoiceField(
        choices=[(act, act) for act in ACT_OF_KIND.values()],
        help_text="a batch's items listed, rows of stock listed, or taken off sale",
    )
    batch_id = serializers.IntegerField(
        source="payload__batch_id", allow_null=True, help_text="null: of rows of stock"
    )
    batch_name: Annotated[str | None, "null: it was deleted"]
    state: JobState
    done: int
    total: int | None
    message: str
    item_count = serializers.IntegerField(
        source="result__item_count", allow_null=True, help_text="items listed; null until its end"
    )
    created = serializers.IntegerField(source="result__created", allow_null=True)
    topped_up = serializers.IntegerField(source="result__topped_up", allow_null=True)
    moved = serializers.IntegerField(
        source="result__moved", allow_null=True, help_text="lots into a stockroom or out of it"
    )
    unknown_count = serializers.IntegerField(source="result__unknown_count", allow_null=True)
    calls = serializers.IntegerField(source="result__calls", allow_null=True)
    failed_count: int
    createdAt = serializers.DateTimeField(source="created_at")
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)

    computed = ("act", "batch_name")
    also_select = ("kind",)

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        row["act"] = ACT_OF_KIND[row.pop("kind")]
        return row


class StoreSyncWrite(serializers.Serializer[Any]):
    """The rows to compare with the store."""

    batch_id = OwnedRow(
        queryset=Batch.objects.ready(),
        required=False,
        allow_null=True,
        help_text="what this batch stowed; else the whole stock",
    )


class ApplySyncWrite(serializers.Serializer[Any]):
    """What of a plan is done."""

    confirm_removals = WholeNumber(
        min_value=0,
        max_value=10**7,
        required=False,
        help_text="the number of lots that vanish here or there, typed",
    )
    leave_out = ListOf(
        child=WholeNumber(min_value=1, max_value=2**63 - 1),
        max_length=10_000,
        required=False,
        help_text="ids of rows that are not done",
    )
    only = ListOf(
        child=WholeNumber(min_value=1, max_value=2**63 - 1),
        max_length=10_000,
        required=False,
        help_text="ids of the only rows that are done, in place of leave_out",
    )


class ChannelCounts(AnswerSerializer):
    """What a sync of several stores did with one of them."""

    channel_id: int
    why: Annotated[str, "why it was left out, or ended its part; empty otherwise"]
    orders: Annotated[int, "taken in"]
    taken: Annotated[int, "rows changed here by what differed there"]
    lowered: Annotated[int, "lots lowered there"]
    raised: int
    put_up: int
    changed: Annotated[int, "lots whose price or texts were sent"]
    removed: int
    not_sent: int


class SyncCounts(serializers.Serializer[Any]):
    """Lots by how they differ; `not_listed` are stock rows without a lot in the store."""

    sold = serializers.IntegerField(default=0)
    gone = serializers.IntegerField(default=0)
    lowered = serializers.IntegerField(default=0)
    raised = serializers.IntegerField(default=0)
    put_up = serializers.IntegerField(default=0, help_text="lots that a store lacked")
    removed = serializers.IntegerField(default=0)
    changed = serializers.IntegerField(default=0)
    linked = serializers.IntegerField(default=0)
    taken = serializers.IntegerField(default=0, help_text="lots changed in the store")
    same = serializers.IntegerField(default=0)
    known = serializers.IntegerField(default=0, help_text="lots of yours that should be there")
    not_listed = serializers.IntegerField(default=0)
    orders = serializers.IntegerField(default=0, help_text="taken in by a sync in one go")
    created = serializers.IntegerField(default=0, help_text="rows made here, or to be made")
    zeroed = serializers.IntegerField(default=0, help_text="rows whose lots left the store")
    uploaded = serializers.IntegerField(
        default=0, help_text="lots of batches that the store has: marked as listed"
    )
    conflicts = serializers.IntegerField(default=0, help_text="fields changed on both sides")
    sent = serializers.IntegerField(default=0, help_text="lots changed there")
    not_sent = serializers.IntegerField(default=0)
    calls = serializers.IntegerField(default=0)
    channels = ChannelCounts(many=True, required=False)


class StoreSyncRowOut(RowSerializer):
    """One comparison of stock and store."""

    model = StoreSync
    columns = "id batch_id is_scheduled state job_id reason appliedAt createdAt updatedAt"

    batch_name: str | None
    way: Annotated[SyncWay, "compare: shown first; cycle: in one go"]
    import_id: Annotated[int | None, "of `inventorySyncs`: what it changed here; undo it there"]
    counts: SyncCounts
    removals: Annotated[int, "to be typed to apply it"]
    suspicion: Annotated[
        str, "why this may be another store: then nothing is to be chosen beforehand"
    ]

    computed = ("batch_name", "removals", "suspicion")


class DifferencesQuery(serializers.Serializer[Any]):
    """Which rows of a sync."""

    kind = serializers.ChoiceField(choices=SyncKind.choices, required=False)
    state = serializers.ChoiceField(choices=SyncRowState.choices, required=False)


class SyncChange(serializers.Serializer[Any]):
    """A field that differs."""

    field = serializers.ChoiceField(
        choices=[name for name in RECEIVED_FIELDS if name != "quantity"]
    )
    here = serializers.CharField()
    there = serializers.CharField()


class SyncDifference(RowSerializer):
    """A lot that differs, and what became of it."""

    model = StoreSyncRow
    columns = "id channel_id kind name marketplace_lot_id quantity_here quantity_there state reason"

    changes: list[SyncChange]


def removals_of(counts: dict[str, int]) -> int:
    """Return how many lots vanish here or there."""
    return sum(counts.get(kind, 0) for kind in REMOVALS)


class SyncNowWrite(serializers.Serializer[Any]):
    """A person's confirmations."""

    confirm_removals = WholeNumber(
        min_value=0,
        max_value=10**7,
        required=False,
        help_text="the number of lots that leave the store, where it was asked for",
    )


class ScheduleRow(RowSerializer):
    """How often stock and store are brought in step, and how that goes."""

    minutes = serializers.ChoiceField(choices=EVERY, help_text="0: only when a person asks")
    conflicts = serializers.ChoiceField(
        choices=[rule.value for rule in ConflictRule],
        help_text="whose value counts where both sides changed a field",
    )
    problem: Annotated[str, "why it waits for the person"]
    changed_lots: Annotated[int, "that the store has not received"]
    changed_value: Annotated[Money, "of their pieces here"]
    questions: Annotated[int, "fields that wait for a decision"]
    last: StoreSyncRowOut | None

    computed = ("changed_lots", "changed_value", "questions", "last")


class ScheduleWrite(serializers.Serializer[Any]):
    """The changes of the schedule."""

    minutes = serializers.ChoiceField(choices=EVERY, required=False)
    conflicts = serializers.ChoiceField(
        choices=[rule.value for rule in ConflictRule], required=False
    )


class ConflictRow(RowSerializer):
    """A field that was changed here and in the store."""

    model = FieldConflict
    columns = "id marketplace_lot_id name before here there decision by_rule decidedAt createdAt"

    field = serializers.ChoiceField(
        choices=[name for name in RECEIVED_FIELDS if name != "quantity"]
    )


class SettleWrite(serializers.Serializer[Any]):
    """Whose value counts, for some questions or for all of them."""

    decision = serializers.ChoiceField(choices=["mine", "theirs"])
    ids = ListOf(
        child=WholeNumber(min_value=1, max_value=2**63 - 1),
        max_length=1_000,
        required=False,
        help_text="left out: every open one",
    )


class SettledRow(AnswerSerializer):
    """The settled conflicts."""

    settled: int
    act_id: Annotated[int | None, "of `inventoryActs`, by which the rows are put back"]


class PullStarted(AnswerSerializer):
    """The import that a pull of the store begins."""

    id: Annotated[int, "of `inventorySyncs`"]
    job_id: uuid.UUID
