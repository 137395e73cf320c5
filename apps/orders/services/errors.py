"""Errors that the services of orders raise."""

from apps.core.errors import DomainError, ErrorCode, StateConflict


class OrderIsOver(StateConflict):
    message = "Order {number} is {state}: {expected}."


class BuyerHasOpenOrders(StateConflict):
    message = "The buyer's data is still needed for open orders: {numbers}."


class AlreadyInAWalk(StateConflict):
    """Some of the chosen orders are in open walks; `data` lists those walks."""

    message = "Order {number} is in another walk already."


class NotCombinable(StateConflict):
    message = "Order {number} cannot share this parcel: {reason}."


class NothingToPick(StateConflict):
    message = "None of these orders has pieces to pick."


class TooManyOrders(StateConflict):
    message = "One walk takes up to {most} orders, not {count}."


class WalkIsOver(StateConflict):
    message = "This walk has ended."


class NotRefundable(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "{most} of order {number} can be given back, not {wanted}."


class NotReturnable(StateConflict):
    message = "{most} of these pieces can come back, not {wanted}."
