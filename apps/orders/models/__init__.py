"""The public names of the orders' tables."""

from apps.orders.models.forgotten import ForgottenBuyer
from apps.orders.models.hook import OrderHook
from apps.orders.models.order import (
    GONE_STATES,
    HOLDING_STATES,
    IN_HAND,
    IS_OPEN,
    OPEN_STATES,
    SENT_STATES,
    Order,
    OrderEvent,
    OrderLine,
    OrderOrigin,
    OrderState,
    ShortReason,
)
from apps.orders.models.telling import OrderIntent, StepState, StepToTell
from apps.orders.models.walk import PickWalk, WalkOrder

__all__ = [
    "GONE_STATES",
    "HOLDING_STATES",
    "IN_HAND",
    "IS_OPEN",
    "OPEN_STATES",
    "SENT_STATES",
    "ForgottenBuyer",
    "Order",
    "OrderEvent",
    "OrderHook",
    "OrderIntent",
    "OrderLine",
    "OrderOrigin",
    "OrderState",
    "PickWalk",
    "ShortReason",
    "StepState",
    "StepToTell",
    "WalkOrder",
]
