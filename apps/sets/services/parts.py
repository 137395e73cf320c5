"""Count pieces of a set as on hand."""

from django.db import transaction

from apps.catalog.selectors.same_lots import same_lots
from apps.core.concurrency import lock_in_order
from apps.core.errors import Conflict, DomainError, ErrorCode, NotFound, StateConflict
from apps.sets.models import SetRequirement, UserSet


class NothingLacking(StateConflict):
    """The set needs no more of this lot; nothing was put aside."""

    message = "{number} lacks {lacking} of it, not {quantity}."


class MoreThanRequired(DomainError):
    code = ErrorCode.VALUE_REFUSED
    message = "The set needs {required} of it, not {quantity}."


@transaction.atomic
def put_aside(*, user_set: UserSet, lot_id: int, quantity: int) -> SetRequirement:
    """Count `quantity` pieces of a lot as on hand for the set; negative takes them back.

    Raises NotFound where the set needs none of it, NothingLacking where it lacks fewer (or has
    fewer, to take back).
    """
    wanted = SetRequirement.objects.filter(user_set=user_set, lot_id__in=same_lots([lot_id]))
    locked = lock_in_order(wanted)
    if not locked:
        raise NotFound
    requirement: SetRequirement = locked[0]
    lacking = requirement.quantity_required - requirement.quantity_on_hand
    if not -requirement.quantity_on_hand <= quantity <= lacking:
        raise NothingLacking(number=user_set.item.number, lacking=lacking, quantity=quantity)
    requirement.quantity_on_hand += quantity
    requirement.save(update_fields=["quantity_on_hand"])
    return requirement


@transaction.atomic
def count_on_hand(
    *, requirement: SetRequirement, quantity: int, seen: int | None = None
) -> SetRequirement:
    """Set how many pieces are on hand. `seen` is the number that the person's page showed.

    Raises MoreThanRequired, and Conflict if the number changed since.
    """
    (row,) = lock_in_order(SetRequirement.objects.filter(pk=requirement.pk))
    if seen is not None and row.quantity_on_hand != seen:
        raise Conflict
    if quantity > row.quantity_required:
        raise MoreThanRequired(
            required=row.quantity_required,
            quantity=quantity,
            fields={"quantity_on_hand": [f"the set needs {row.quantity_required}, not {quantity}"]},
        )
    row.quantity_on_hand = quantity
    row.save(update_fields=["quantity_on_hand"])
    return row
