"""Add sets, edit them, complete them, copy their required parts from the catalogue."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Sum

from apps.accounts.models import User
from apps.catalog.models import Item, ItemInventory, Lot
from apps.catalog.rules.kinds import ItemType
from apps.catalog.selectors import LotIdentity, resolve_lots
from apps.catalog.selectors.same_lots import same_lots
from apps.core.concurrency import lock_in_order
from apps.core.errors import (
    Invalid,
    NotFound,
    StateConflict,
    UnknownReference,
)
from apps.sets.models import MinifigsAs, SetRequirement, SetState, UserSet
from apps.sets.rules import MOST_NUMBERS, numbers_to_try, scaled, why_not_a_set
from apps.sets.selectors.contents import contents_of

UNKNOWN: Final = "is no set that the catalogue knows"


class ListedAlready(StateConflict):
    """The set is among the owner's; `data` names the row. `again` adds it once more."""

    message = "{number} is in My Sets already. Add it again if you have it twice."


class NoContents(StateConflict):
    """The catalogue lists nothing that the set is made of."""

    message = (
        "The catalogue does not list what {number} is made of. Import its contents "
        "(Rebrickable's inventories, or BrickLink's S-{number}.txt) and try again."
    )


class Incomplete(StateConflict):
    message = "{missing} pieces of {number} are still missing. Say what becomes of them."


class ChangedSince(StateConflict):
    """The set or its parts were changed since: an undo would lose that change."""

    message = "{number} was changed since, so nothing was undone."


class PiecesOnHand(StateConflict):
    """Fewer would be required than are on hand; nothing was changed."""

    message = "{pieces} pieces on hand would not be required any more. Take them back first."


@dataclass(slots=True)
class AddedMany:
    """The sets that were added, and the numbers that were refused with the reason."""

    added: list[UserSet] = field(default_factory=list)
    refused: list[dict[str, str]] = field(default_factory=list)


@transaction.atomic
def add_set(
    *,
    owner: User,
    number: str,
    again: bool = False,
    quantity: int = 1,
    minifigs_as: str = MinifigsAs.WHOLE,
    **details: Any,
) -> UserSet:
    """Add the set of this number (`10255` means `10255-1`) with its requirements.

    A set without contents in the catalogue has no requirements. Raises Invalid for a number that
    is not a set's, ListedAlready unless `again`.
    """
    item = sets_of([number])[number]
    if isinstance(item, str):
        raise UnknownReference(fields={"number": [item]})
    there = UserSet.objects.filter(owner=owner, item=item).first()
    if there is not None and not again:
        raise ListedAlready(number=item.number, data=[{"id": there.pk, "number": item.number}])
    return _add(owner, item, quantity, minifigs_as, details)


def add_many(
    *, owner: User, numbers: Sequence[str], again: bool = False, **details: Any
) -> AddedMany:
    """Add the sets of these numbers. Numbers that cannot be added are returned with the reason.

    A repeated number is added once and reported. Raises Invalid for no numbers or more than 100.
    """
    if not 1 <= len(numbers) <= MOST_NUMBERS:
        raise Invalid(fields={"numbers": [f"1 to {MOST_NUMBERS} set numbers, not {len(numbers)}"]})
    found = sets_of(numbers)
    result = AddedMany()
    seen: set[int] = set()
    with transaction.atomic():
        there = set(
            UserSet.objects.filter(
                owner=owner, item__in=[item for item in found.values() if isinstance(item, Item)]
            ).values_list("item_id", flat=True)
        )
        for number in numbers:
            item = found[number]
            why = ""
            if isinstance(item, str):
                why = f"{number} {item}" if item == UNKNOWN else item
            elif item.pk in seen:
                why = f"{item.number} stands here twice. It was added once: set its quantity."
            elif item.pk in there and not again:
                why = ListedAlready(number=item.number).text
            if why or isinstance(item, str):
                result.refused.append({"number": number, "reason": why})
                continue
            seen.add(item.pk)
            result.added.append(_add(owner, item, 1, MinifigsAs.WHOLE, details))
    return result


def sets_of(numbers: Sequence[str]) -> dict[str, Item | str]:
    """Return the set of each number, or why it is none."""
    tried = {number: numbers_to_try(number) for number in numbers}
    texts = {text for some in tried.values() for text in some}
    exact = dict(
        Item.objects.filter(item_type=ItemType.SET, number__in=texts).values_list("number", "pk")
    )
    chosen = {
        number: next((exact[text] for text in some if text in exact), None)
        for number, some in tried.items()
    }
    if None in chosen.values():
        chosen |= _by_other_numbers({n: tried[n] for n, pk in chosen.items() if pk is None})
    items = Item.objects.in_bulk([pk for pk in chosen.values() if pk is not None])
    strangers = [number for number, pk in chosen.items() if pk is None]
    other: dict[str, Item] = {}
    if strangers:
        keys = {text.upper() for number in strangers for text in tried[number]}
        for item in Item.objects.filter(number_key__in=keys).order_by("-item_type"):
            other[item.number_key] = item
    found: dict[str, Item | str] = {}
    for number, pk in chosen.items():
        if pk is not None:
            found[number] = items[pk]
            continue
        known = next((other[key] for text in tried[number] if (key := text.upper()) in other), None)
        found[number] = (
            UNKNOWN
            if known is None
            else why_not_a_set(number=known.number, item_type=known.item_type, name=known.name)
        )
    return found


def _by_other_numbers(tried: Mapping[str, Sequence[str]]) -> dict[str, int | None]:
    identities = {
        text: LotIdentity(ItemType.SET.value, text, None)
        for texts in tried.values()
        for text in texts
    }
    answers = resolve_lots(identities.values())
    return {
        number: next(
            (pk for text in texts if (pk := answers[identities[text]].item_id) is not None), None
        )
        for number, texts in tried.items()
    }


def _add(
    owner: User, item: Item, quantity: int, minifigs_as: str, details: Mapping[str, Any]
) -> UserSet:
    contents = contents_of(item.pk, minifigs_in_parts=minifigs_as == MinifigsAs.PARTS)
    added = UserSet.objects.create(
        owner=owner,
        item=item,
        inventory_id=contents.inventory_id,
        minifigs_as=minifigs_as,
        quantity=quantity,
        **details,
    )
    SetRequirement.objects.bulk_create(
        SetRequirement(user_set=added, lot_id=lot_id, quantity_required=pieces * quantity)
        for lot_id, pieces in contents.pieces.items()
    )
    return added


@transaction.atomic
def edit_set(*, user_set: UserSet, changes: Mapping[str, Any]) -> UserSet:
    """Change fields of a set; its parts follow its quantity and its rule for minifigs.

    Raises PiecesOnHand where fewer parts would be required than are on hand.
    """
    becomes = changes.get("quantity", user_set.quantity)
    minifigs_as = changes.get("minifigs_as", user_set.minifigs_as)
    if minifigs_as != user_set.minifigs_as:
        in_parts = minifigs_as == MinifigsAs.PARTS
        contents = contents_of(user_set.item_id, minifigs_in_parts=in_parts)
        _require(user_set, {lot: n * becomes for lot, n in contents.pieces.items()})
        user_set.inventory_id = contents.inventory_id
    elif becomes != user_set.quantity:
        rows = SetRequirement.objects.filter(user_set=user_set)
        required = dict(rows.values_list("lot_id", "quantity_required"))
        _require(user_set, scaled(required, was=user_set.quantity, becomes=becomes))
    for name, value in changes.items():
        setattr(user_set, name, value)
    user_set.save(update_fields=[*changes, "inventory", "updated_at"])
    return user_set


@dataclass(frozen=True, slots=True)
class Renewed:
    """The changes of a renewal, for `take_back_renewal`: the former inventory, and the required
    pieces by lot before and after, 0 for a lot that is not required."""

    inventory_id: int | None
    lots: dict[int, tuple[int, int]]


@transaction.atomic
def renew_contents(*, user_set: UserSet) -> Renewed:
    """Copy the requirements of the set from the catalogue again. Keeps the pieces on hand.

    Raises NoContents, PiecesOnHand; then nothing is changed.
    """
    in_parts = user_set.minifigs_as == MinifigsAs.PARTS
    contents = contents_of(user_set.item_id, minifigs_in_parts=in_parts)
    if not contents.pieces:
        raise NoContents(number=user_set.item.number)
    wanted = {lot: n * user_set.quantity for lot, n in contents.pieces.items()}
    was = _require(user_set, wanted)
    before = user_set.inventory_id
    user_set.inventory_id = contents.inventory_id
    user_set.save(update_fields=["inventory", "updated_at"])
    changed = {lot for lot in {*was, *wanted} if was.get(lot) != wanted.get(lot)}
    return Renewed(before, {lot: (was.get(lot, 0), wanted.get(lot, 0)) for lot in sorted(changed)})


@transaction.atomic
def take_back_renewal(
    *, user_set: UserSet, inventory_id: int | None, lots: Mapping[int, tuple[int, int]]
) -> None:
    """Restore the requirements of a set from before a renewal.

    The former inventory is not restored if the catalogue no longer has it. Raises ChangedSince,
    PiecesOnHand, UnknownReference; then nothing is changed.
    """
    rows = lock_in_order(SetRequirement.objects.filter(user_set=user_set))
    required = {row.lot_id: row.quantity_required for row in rows}
    if any(required.get(lot, 0) != now for lot, (_before, now) in lots.items()):
        raise ChangedSince(number=user_set.item.number)
    known = set(Lot.objects.filter(pk__in=lots).values_list("pk", flat=True))
    if unknown := sorted(lots.keys() - known):
        raise UnknownReference(fields={"lots": [f"there is no lot {unknown[0]}"]})
    required |= {lot: before for lot, (before, _now) in lots.items()}
    _require(user_set, {lot: pieces for lot, pieces in required.items() if pieces})
    lists = ItemInventory.objects.filter(item_id=user_set.item_id).values_list("pk", flat=True)
    user_set.inventory_id = inventory_id if inventory_id in set(lists) else None
    user_set.save(update_fields=["inventory", "updated_at"])


def _require(user_set: UserSet, required: Mapping[int, int]) -> dict[int, int]:
    """Write the requirements of a set. Return the former ones by lot."""
    rows = lock_in_order(SetRequirement.objects.filter(user_set=user_set))
    there = {row.lot_id: row.quantity_required for row in rows}
    same = same_lots([*there, *required])
    by_now = {same[lot_id]: lot_id for lot_id in required if lot_id not in there}
    for row in rows:
        if row.lot_id not in required:
            row.lot_id = by_now.pop(same[row.lot_id], row.lot_id)
    over = sum(max(0, row.quantity_on_hand - required.get(row.lot_id, 0)) for row in rows)
    if over:
        raise PiecesOnHand(pieces=over)
    gone = [row.pk for row in rows if row.lot_id not in required]
    changed = []
    for row in rows:
        wanted = required.get(row.lot_id)
        if wanted is not None and wanted != there.get(row.lot_id):
            row.quantity_required = wanted
            changed.append(row)
    SetRequirement.objects.filter(pk__in=gone).delete()
    SetRequirement.objects.bulk_update(changed, ["lot", "quantity_required"], batch_size=500)
    kept = {row.lot_id for row in rows}
    SetRequirement.objects.bulk_create(
        SetRequirement(user_set=user_set, lot_id=lot_id, quantity_required=pieces)
        for lot_id, pieces in required.items()
        if lot_id not in kept
    )
    return there


@transaction.atomic
def complete_set(*, user_set: UserSet, missing: str, now: dt.datetime) -> dict[int, int]:
    """Mark a set as complete. If parts are missing, `missing` decides: '' refuses, `keep` leaves
    them missing, `have` counts them as on hand.

    Returns the former pieces on hand of the parts that `have` changed, for
    `take_back_completion`. Raises Incomplete.
    """
    rows = SetRequirement.objects.filter(user_set=user_set)
    lock_in_order(UserSet.objects.filter(pk=user_set.pk))
    lacking = rows.aggregate(n=Sum(F("quantity_required") - F("quantity_on_hand")))["n"] or 0
    if lacking and not missing:
        raise Incomplete(missing=lacking, number=user_set.item.number)
    raised: dict[int, int] = {}
    if missing == "have":
        lacks = rows.filter(quantity_on_hand__lt=F("quantity_required"))
        raised = dict(lacks.order_by("pk").values_list("pk", "quantity_on_hand"))
        lacks.update(quantity_on_hand=F("quantity_required"))
    user_set.state = SetState.COMPLETE
    user_set.updated_at = now
    user_set.save(update_fields=["state", "updated_at"])
    return raised


@transaction.atomic
def take_back_completion(
    *, user_set: UserSet, state: SetState, raised: Mapping[int, int], now: dt.datetime
) -> None:
    """Give a completed set back its state, and the parts that were counted with it their counts.

    Raises ChangedSince where anything of it was changed since.
    """
    (held,) = lock_in_order(UserSet.objects.filter(pk=user_set.pk)) or (None,)
    parts = lock_in_order(SetRequirement.objects.filter(user_set=user_set, pk__in=raised))
    as_left = all(part.quantity_on_hand == part.quantity_required for part in parts)
    if held is None or held.state != SetState.COMPLETE or len(parts) != len(raised) or not as_left:
        raise ChangedSince(number=user_set.item.number)
    for part in parts:
        part.quantity_on_hand = min(raised[part.pk], part.quantity_required)
    SetRequirement.objects.bulk_update(parts, ["quantity_on_hand"], batch_size=500)
    held.state, held.updated_at = state, now
    held.save(update_fields=["state", "updated_at"])


def delete_set(*, user_set: UserSet) -> None:
    """Delete a set of the owner's with its requirements; stock is not touched."""
    user_set.delete()


def set_of(*, owner: User, pk: int) -> UserSet:
    """Return a set of the owner's with its item. Raises NotFound."""
    found = UserSet.objects.filter(owner=owner, pk=pk).select_related("item").first()
    if found is None:
        raise NotFound
    return found
