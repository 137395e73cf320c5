"""Add a set, put parts aside for it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.catalog.models import Item
from apps.catalog.rules.kinds import ItemType
from apps.catalog.selectors import LotIdentity, resolve_lots
from apps.core.concurrency import lock_in_order
from apps.core.errors import DomainError, ErrorCode, Invalid, NotFound
from apps.sets.models import SetRequirement, UserSet
from apps.sets.selectors import contents_of


class NothingLacking(DomainError):
    """The set needs no more of this lot; nothing was put aside."""

    code = ErrorCode.CONFLICT
    status = 409
    message = "{number} lacks {lacking} of it, not {quantity}."


@transaction.atomic
def add_set(*, owner: Any, number: str, notes: str = "") -> UserSet:
    """Add the set of this number (`10255` means `10255-1`) with what it requires.

    One whose contents the catalogue does not list has no requirements. Raises Invalid for
    an unknown number. A constant number of queries.
    """
    item = _set_of(number)
    added = UserSet.objects.create(owner=owner, item=item, notes=notes)
    SetRequirement.objects.bulk_create(
        SetRequirement(user_set=added, lot_id=lot_id, quantity_required=pieces)
        for lot_id, pieces in contents_of(item).items()
    )
    return added


def _set_of(number: str) -> Item:
    text = number.strip()
    numbers = [text] if "-" in text else [f"{text}-1", text]
    identities = [LotIdentity(ItemType.SET.value, each, None) for each in numbers]
    found = resolve_lots(identities)
    for identity in identities:
        pk = found[identity].item_id
        if pk is not None:
            return Item.objects.get(pk=pk)
    raise Invalid(fields={"number": ["is no set that the catalogue knows"]})


def edit_set(*, user_set: UserSet, changes: Mapping[str, Any]) -> UserSet:
    """Change state or notes. 1 query."""
    for name, value in changes.items():
        setattr(user_set, name, value)
    user_set.save(update_fields=[*changes, "updated_at"])
    return user_set


def delete_set(*, user_set: UserSet) -> None:
    """Delete a set of the owner's with its requirements; stock is not touched."""
    user_set.delete()


@transaction.atomic
def put_aside(*, user_set: UserSet, lot_id: int, quantity: int) -> SetRequirement:
    """Count `quantity` pieces of a lot as on hand for the set; negative takes them back.

    Raises NotFound where the set needs none of it, NothingLacking where it lacks fewer
    (or has fewer, to take back). 3 queries.
    """
    wanted = SetRequirement.objects.filter(user_set=user_set, lot_id=lot_id)
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
