"""The public names of the stock's tables."""

from apps.inventory.models.channel import RECEIVED_FIELDS, Channel, ChannelLot, WithheldLot
from apps.inventory.models.channel_rule import ChannelRule
from apps.inventory.models.conflict import Decision, FieldConflict
from apps.inventory.models.figures import StockPart, StockSummary, StockTouched
from apps.inventory.models.item import FREE, VALUE, InventoryItem, ItemQuerySet, PromisedLot
from apps.inventory.models.movement import CauseKind, LedgerIsAppendOnly, Movement, Reason
from apps.inventory.models.promise import Promise
from apps.inventory.models.stocktake import Stocktake, StocktakeCount, StocktakeState
from apps.inventory.models.sync import (
    RUNNING_STATES,
    SYNC_FILES,
    InventorySync,
    ReadFrom,
    SyncChunk,
    SyncState,
    SyncTarget,
)
from apps.inventory.models.unknown import NumberChoice, WordChoice, WordField

__all__ = [
    "FREE",
    "RECEIVED_FIELDS",
    "RUNNING_STATES",
    "SYNC_FILES",
    "VALUE",
    "CauseKind",
    "Channel",
    "ChannelLot",
    "ChannelRule",
    "Decision",
    "FieldConflict",
    "InventoryItem",
    "InventorySync",
    "ItemQuerySet",
    "LedgerIsAppendOnly",
    "Movement",
    "NumberChoice",
    "Promise",
    "PromisedLot",
    "ReadFrom",
    "Reason",
    "StockPart",
    "StockSummary",
    "StockTouched",
    "Stocktake",
    "StocktakeCount",
    "StocktakeState",
    "SyncChunk",
    "SyncState",
    "SyncTarget",
    "WithheldLot",
    "WordChoice",
    "WordField",
]
