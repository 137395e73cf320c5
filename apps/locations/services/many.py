"""Set the type and limits of many locations at once, and put them back."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction

from apps.accounts.models import User
from apps.core.bulk import instant_text, update_rows
from apps.core.concurrency import lock_in_order
from apps.core.errors import StateConflict, UnknownReference, ValueRefused
from apps.locations.models import OVER_A_LIMIT, ContainerType, Location
from apps.locations.services._names import check_limits
from apps.locations.services.locations import AT_ONCE, LIMITS

SETTABLE: Final = ("container_type_id", *LIMITS)


class ChangedSince(StateConflict):
    """Some locations are not as the act left them: nothing is put back."""

    message = "{count} of them were changed or deleted since, so nothing was put back."


@dataclass(frozen=True, slots=True)
class Settings:
    """The type and limits of a location, as they were or shall be; `seen` is when it changed last."""

    id: int
    seen: dt.datetime
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SetMany:
    """The former settings of the changed locations, and how many are over their limits now."""

    before: list[Settings]
    over: int


@transaction.atomic
def set_many(
    *, owner: User, ids: Collection[int], changes: Mapping[str, Any], now: dt.datetime
) -> SetMany:
    """Set some of SETTABLE of locations, at most 2,000; those that are gone are left out.

    Limits below their contents are allowed. Statements constant. Raises
    Invalid, naming the first location whose range of weights would be in the wrong order.
    """
    if len(ids) > AT_ONCE:
        raise ValueRefused(fields={"ids": [f"are more than {AT_ONCE:,} locations at once"]})
    mine = Location.objects.owned_by(owner).filter(pk__in=ids)
    before = []
    for row in lock_in_order(mine):
        had = {name: getattr(row, name) for name in SETTABLE}
        for name, value in changes.items():
            setattr(row, name, value)
        check_limits(row, named=row.name)
        before.append(Settings(row.pk, now, had))
    changed = Location.objects.filter(pk__in=[one.id for one in before])
    changed.update(**changes, updated_at=now)
    return SetMany(before, changed.filter(OVER_A_LIMIT).count())


@transaction.atomic
def put_back(*, owner: User, rows: Sequence[Settings], now: dt.datetime) -> int:
    """Restore the settings that `set_many` returned, all or none; return how many.

    Raises ChangedSince, and UnknownReference for a type that is gone.
    """
    wanted = {row.id: row for row in rows}
    held = {
        row.pk: row for row in lock_in_order(Location.objects.owned_by(owner).filter(pk__in=wanted))
    }
    strange = sum(pk not in held or held[pk].updated_at != row.seen for pk, row in wanted.items())
    if strange:
        raise ChangedSince(count=strange)
    types = {row.values["container_type_id"] for row in rows} - {None}
    if ContainerType.objects.owned_by(owner).filter(pk__in=types).count() != len(types):
        raise UnknownReference(
            fields={"inventory_container_type_id": ["is none of your container types any more"]}
        )
    for pk, row in wanted.items():
        for name, value in row.values.items():
            setattr(held[pk], name, value)
        check_limits(held[pk], named=held[pk].name)
    stamp = instant_text(now)
    update_rows(
        Location,
        (*SETTABLE, "updated_at"),
        [
            (row.id, *(_text(row.values[name]) for name in SETTABLE), stamp)
            for row in wanted.values()
        ],
    )
    return len(wanted)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
