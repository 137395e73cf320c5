"""Errors that the services of orders raise."""

from apps.core.errors import DomainError, ErrorCode


class OrderIsOver(DomainError):
    code = ErrorCode.CONFLICT
    message = "Order {number} is {state}: {expected}."


class AlreadyInAWalk(DomainError):
    """Some of the chosen orders are in open walks; `data` lists those walks."""

    code = ErrorCode.CONFLICT
    message = "Order {number} is in another walk already."


class NothingToPick(DomainError):
    code = ErrorCode.CONFLICT
    message = "None of these orders has pieces to pick."


class TooManyOrders(DomainError):
    code = ErrorCode.CONFLICT
    message = "One walk takes up to {most} orders, not {count}."


class WalkIsOver(DomainError):
    code = ErrorCode.CONFLICT
    message = "This walk has ended."


class NotRefundable(DomainError):
    code = ErrorCode.CONFLICT
    status = 409
    message = "{most} of order {number} can be given back, not {wanted}."


class NotReturnable(DomainError):
    code = ErrorCode.CONFLICT
    message = "{most} of these pieces can come back, not {wanted}."
