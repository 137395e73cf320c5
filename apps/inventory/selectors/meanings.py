"""Resolve lots of files: by the catalogue, then by the person's decisions about numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from apps.accounts.models import User
from apps.catalog.models import Item
from apps.catalog.rules.kinds import item_type_of
from apps.catalog.selectors.resolving import LotIdentity, Resolved, resolve_lots
from apps.exchange.bsx_lot import BsxLot
from apps.inventory.models import NumberChoice

#: Ways to an item by a number that BrickLink never gave it.
_OF_OTHER_SITES: Final = frozenset({"rebrickable", "ldraw", "element"})


#: No colour has it: the name of the colour is in no catalogue.
_NO_SUCH_COLOR: Final = -1


class NumberHere(NamedTuple):
    """The catalogue's number of an item, and the colour that an element id says."""

    number: str
    color_id: int | None


def identity_of(lot: BsxLot) -> LotIdentity:
    """Return what the catalogue is asked for; a colour that was not understood is never none."""
    is_strange = lot.color_id is None and bool(lot.color_name)
    color_id = _NO_SUCH_COLOR if is_strange else lot.color_id
    return LotIdentity(lot.item_type, lot.item_number, color_id)


def numbers_here(answers: Mapping[LotIdentity, Resolved]) -> dict[LotIdentity, NumberHere]:
    """Return the catalogue's numbers of those that a file names by another site's."""
    items = {
        one: answer.item_id
        for one, answer in answers.items()
        if answer.item_id is not None and answer.via in _OF_OTHER_SITES
    }
    if not items:
        return {}
    numbers = dict(Item.objects.filter(pk__in=set(items.values())).values_list("pk", "number"))
    return {
        one: NumberHere(
            numbers[item_id], answers[one].color_id if answers[one].via == "element" else None
        )
        for one, item_id in items.items()
    }


def numbered_as_here(lot: BsxLot, here: NumberHere | None) -> BsxLot:
    """Return the lot of a file with the catalogue's number: sellers' programs know no other site's."""
    if here is None:
        return lot
    color_id = lot.color_id if here.color_id is None else here.color_id
    return replace(lot, item_number=here.number, color_id=color_id)


def resolve_as_named(
    identities: Iterable[LotIdentity], *, owner: User
) -> dict[LotIdentity, Resolved]:
    """Return `resolve_lots`, with numbers that the owner has named in place of unknown ones."""
    answers = resolve_lots(identities, person=owner)
    # A lot without a number is named by its name, which no identity has.
    unknown = [
        one for one, answer in answers.items() if answer.reason == "unknown_item" and one.number
    ]
    if not unknown:
        return answers
    rows = NumberChoice.objects.owned_by(owner).filter(
        item__isnull=False, number__in={one.number for one in unknown}
    )
    meant = {
        (item_type_of(kind) or kind, number): (to_type, to_number)
        for kind, number, to_type, to_number in rows.values_list(
            "item_type", "number", "item__item_type", "item__number"
        )
    }
    named = {}
    for one in unknown:
        key = (item_type_of(one.item_type) or one.item_type, one.number)
        if key in meant:
            named[one] = LotIdentity(*meant[key], one.color_id)
    if not named:
        return answers
    found = resolve_lots(named.values(), person=owner)
    return answers | {one: found[identity] for one, identity in named.items()}
