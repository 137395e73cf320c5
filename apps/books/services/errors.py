"""Errors that the services of books raise."""

from apps.core.errors import StateConflict


class NotInvoiceable(StateConflict):
    message = "Order {number} cannot be on this invoice: {reason}."


class NotCreditable(StateConflict):
    message = "{number} cannot be cancelled: {reason}."
