"""Reads the status of an order from its word, in a file or from a marketplace. Pure."""

from enum import StrEnum
from typing import Final

from apps.exchange.bsx_lot import WarningCode
from apps.exchange.bsx_values import Finding, Reading
from apps.exchange.colors import BRICKOWL


class OrderStatus(StrEnum):
    """How far an order is at the marketplace, in our words."""

    NEW = "new"  # placed; not paid yet
    PAID = "paid"
    PACKED = "packed"
    SHIPPED = "shipped"
    DONE = "done"  # received or completed
    CANCELLED = "cancelled"
    PROBLEM = "problem"  # in dispute, or one side did not keep it


_STATUSES: Final = {
    "PENDING": OrderStatus.NEW,
    "UPDATED": OrderStatus.NEW,
    "PROCESSING": OrderStatus.NEW,
    "READY": OrderStatus.NEW,
    "PAID": OrderStatus.PAID,
    "PACKED": OrderStatus.PACKED,
    "SHIPPED": OrderStatus.SHIPPED,
    "RECEIVED": OrderStatus.DONE,
    "COMPLETED": OrderStatus.DONE,
    "CANCELLED": OrderStatus.CANCELLED,
    "CANCELED": OrderStatus.CANCELLED,
    "PURGED": OrderStatus.CANCELLED,
    "OCR": OrderStatus.PROBLEM,
    "NPB": OrderStatus.PROBLEM,
    "NPX": OrderStatus.PROBLEM,
    "NRS": OrderStatus.PROBLEM,
    "NSS": OrderStatus.PROBLEM,
}
_BRICKOWL_STATUSES: Final = {
    **_STATUSES,
    "PAYMENT SUBMITTED": OrderStatus.NEW,
    "PAYMENT RECEIVED": OrderStatus.PAID,
    "PROCESSING": OrderStatus.PAID,
    "PROCESSED": OrderStatus.PACKED,
}
_PAID: Final = frozenset({"received", "completed"})


def read_status(word: str, *, site: str = "") -> Reading:
    """Read the word of a status, whatever its case; None for an empty one and one not understood.

    `site` is the marketplace whose word it is, BrickLink unless it is another.
    """
    plain = " ".join(word.split())
    words = _BRICKOWL_STATUSES if site == BRICKOWL else _STATUSES
    status = words.get(plain.upper())
    if status is None and plain:
        return Reading(None, Finding(WarningCode.UNKNOWN_VALUE, "a status of an order"))
    return Reading(status)


def status_with_payment(word: str, payment: str) -> OrderStatus:
    """Return how far an order is; a new one that is paid for is paid, whatever it is called.

    An order with an unknown or empty status is new: its pieces are held until a person looks at it.
    """
    read = read_status(word)
    status: OrderStatus = read.value or OrderStatus.NEW
    is_new = status is OrderStatus.NEW and read.is_understood
    return OrderStatus.PAID if is_new and payment.strip().lower() in _PAID else status
