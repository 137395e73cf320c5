"""The public names of the batches' tables."""

from apps.batches.models.batch import Batch, BatchOperation, OperationKind, Outcome
from apps.batches.models.item import IN_STATE, BatchItem

__all__ = ["IN_STATE", "Batch", "BatchItem", "BatchOperation", "OperationKind", "Outcome"]
