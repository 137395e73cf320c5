"""Reads the status of an order from its word, in a file or from a marketplace. Pure."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


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
_PAID: Final = frozenset({"received", "completed"})


@dataclass(frozen=True, slots=True)
class ReadStatus:
    """A status and its word as it was written; None where the word is unknown or empty."""

    status: OrderStatus | None
    word: str

    @property
    def is_unknown(self) -> bool:
        return self.status is None and bool(self.word)


def read_status(word: str) -> ReadStatus:
    """Return the status that a word names, whatever its case; None for one that is not known."""
    plain = " ".join(word.split())
    return ReadStatus(_STATUSES.get(plain.upper()), plain)


def status_with_payment(word: str, payment: str) -> OrderStatus:
    """Return how far an order is; a new one that is paid for is paid, whatever it is called.

    An order with an unknown or empty status is new: its pieces are held until a person looks at it.
    """
    read = read_status(word)
    status = OrderStatus.NEW if read.status is None else read.status
    is_new = status is OrderStatus.NEW and not read.is_unknown
    return OrderStatus.PAID if is_new and payment.strip().lower() in _PAID else status
