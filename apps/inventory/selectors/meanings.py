"""Resolve lots of files: by the catalogue, then by the person's decisions about numbers."""

from collections.abc import Iterable
from typing import Any

from apps.catalog.rules.kinds import item_type_of
from apps.catalog.selectors.resolving import LotIdentity, Resolved, resolve_lots
from apps.inventory.models import NumberChoice


def resolve_as_named(
    identities: Iterable[LotIdentity], *, owner: Any
) -> dict[LotIdentity, Resolved]:
    """Return `resolve_lots`, with numbers that the owner has named in place of unknown ones."""
    answers = resolve_lots(identities, person=owner)
    unknown = [one for one, answer in answers.items() if answer.reason == "unknown_item"]
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
