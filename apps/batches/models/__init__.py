"""The public names of the batches' tables."""

from apps.batches.models.batch import Batch, BatchOperation, OperationKind, Outcome
from apps.batches.models.item import IN_STATE, ITEM_COLUMNS, BatchItem
from apps.batches.models.parted_set import PartedOutSet
from apps.batches.models.photo import KeptPhoto

__all__ = [
    "IN_STATE",
    "ITEM_COLUMNS",
    "Batch",
    "BatchItem",
    "BatchOperation",
    "KeptPhoto",
    "OperationKind",
    "Outcome",
    "PartedOutSet",
]
