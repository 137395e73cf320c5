"""Batches, their items and operations on the wire, in the spec's names."""

from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal
from typing import Annotated, Any

from rest_framework import serializers

from apps.batches.api.item_serializers import MAX_PIECES, BatchItemRow
from apps.batches.models import Batch
from apps.batches.models.batch import NAME_LENGTH
from apps.batches.rules.states import STATUS_NAMES, Figures
from apps.batches.selectors import FLAGS
from apps.core.api.fields import Amount, OwnedRow, Text, WholeNumber
from apps.core.api.serializers import DataSerializer, RowSerializer
from apps.core.money import MONEY, Total, money
from apps.sources.models import Source

MAX_NESTED_ITEMS = 500


class StatsRow(DataSerializer):
    """Items are pieces, lots are rows. New, stowed and listed exclude each other."""

    shape = Figures

    total_items: int
    total_lots: int


class BatchRow(RowSerializer):
    """A batch in a list; `complete()` adds the counts of its items."""

    model = Batch
    columns = """
        id name description source_id source_name=source.name cost_total
        gross_weight=gross_weight_grams foreign_count listing_url=won_listing.listing_url
        is_archived archivedAt createdAt updatedAt created_at
    """

    image_url: Annotated[str, "as it came; empty without a picture"]
    listing_id = serializers.IntegerField(
        source="won_listing_id", allow_null=True, help_text="the auction that it was won in"
    )
    status_id: Annotated[int, "1 new, 2 in progress, 3 stowed, 4 listed, 5 empty"]
    status_name: str
    batch_item_item_count: Annotated[int, "pieces"]
    batch_item_lot_count: Annotated[int, "rows"]
    total_value: Total
    stats: StatsRow
    isStowing: bool
    isListing: bool
    isExporting: bool
    isRemoving: bool
    isUpdating: bool
    progress: Annotated[
        dict[str, int], "the percent done of each flag that is up, where its job can tell"
    ]

    computed: tuple[str, ...] = (
        "status_id",
        "status_name",
        "batch_item_item_count",
        "batch_item_lot_count",
        "total_value",
        "stats",
        *FLAGS,
        "progress",
    )


def complete(row: dict[str, Any], figures: Figures, flags: Mapping[str, int | None]) -> None:
    """Add the figures of its items and its running jobs to a batch's row."""
    value = money(figures.total_value)
    row.update(
        status_id=int(figures.status),
        status_name=STATUS_NAMES[figures.status],
        batch_item_item_count=figures.total_items,
        batch_item_lot_count=figures.total_lots,
        total_value=value,
        stats={
            **asdict(figures),
            "total_items": figures.total_items,
            "total_lots": figures.total_lots,
            "total_value": value,
        },
        **{flag: flag in flags for flag in FLAGS},
        progress={flag: percent for flag, percent in flags.items() if percent is not None},
    )


class BatchWrite(serializers.Serializer[Batch]):
    name = Text(max_length=NAME_LENGTH)
    description = Text(allow_blank=True, max_length=10_000, required=False)
    source_id = OwnedRow(
        source="source", queryset=Source.objects.all(), allow_null=True, required=False
    )
    cost_total = Amount(**MONEY, min_value=Decimal(0), allow_null=True, required=False)
    gross_weight = Amount(
        max_digits=12,
        decimal_places=3,
        min_value=Decimal(0),
        source="gross_weight_grams",
        allow_null=True,
        required=False,
    )
    foreign_count = WholeNumber(min_value=0, max_value=MAX_PIECES, allow_null=True, required=False)


class BatchDetail(BatchRow):
    """A batch with its first 500 items."""

    batch_items = BatchItemRow(many=True)
    computed: tuple[str, ...] = (*BatchRow.computed, "batch_items")
