"""Make, edit and delete locations, one by one, by pattern, or by the names a file uses."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import transaction
from django.db.models import ForeignObjectRel, Model

from apps.accounts.models import User
from apps.core.bulk import insert_missing, instant_text
from apps.core.concurrency import lock_in_order
from apps.core.errors import Invalid
from apps.core.names import (
    INVISIBLE,
    NamesThere,
    has_invisible,
    name_key,
    refuse_name,
    without_invisible,
)
from apps.core.natural import natural_key
from apps.locations.models import NAME_LENGTH, ContainerType, Location, PastLocation
from apps.locations.rules.patterns import BadPattern, expand
from apps.locations.rules.remarks import without_mark
from apps.locations.services._names import check_limits, names_taken
from apps.locations.services.errors import LocationGone, LocationNotEmpty

LIMITS: Final = ("max_item_count", "max_total_weight", "min_item_weight", "max_item_weight")
EDITABLE: Final = frozenset(
    {
        "name",
        "code",
        "description",
        "container_type",
        "is_full",
        "exclude_from_recommendations",
        *LIMITS,
    }
)
AT_ONCE: Final = 2_000
_NEW: Final = (
    "owner_id",
    "created_at",
    "updated_at",
    "name",
    "name_key",
    "twin",
    "code",
    "sort_key",
    "description",
    "container_type_id",
    "item_count",
    "stored_weight",
    "is_full",
    "exclude_from_recommendations",
    *LIMITS,
)


@dataclass(frozen=True, slots=True)
class PatternPlan:
    """The preview of a pattern: new names, and existing ones.

    `made` are the ids of those that were made.
    """

    to_create: list[str]
    existing: list[str]
    made: list[int] = field(default_factory=list)


def clean_name(text: str) -> str:
    """Return a location's name: trimmed, inner blanks single. Raises Invalid."""
    name = " ".join(text.split())
    if not name or len(name) > NAME_LENGTH:
        raise Invalid(fields={"name": [f"must have 1 to {NAME_LENGTH} characters"]})
    return name


def name_in_remarks(remarks: str) -> str:
    """Return the location that Remarks name, '' where the text is none (empty, long, many lines).

    Invisible characters, which no name may have, are not part of it.
    """
    if "\n" in remarks:
        return ""
    name = " ".join(without_invisible(without_mark(remarks)).split())
    if has_invisible(name):
        return ""
    return name if len(name) <= NAME_LENGTH else ""


def create_location(*, owner: User, fields: Mapping[str, Any]) -> Location:
    """Make a location. Limits that `fields` leaves out come from its container type.

    Raises Invalid, also for a name or code that is taken.
    """
    values = {**_defaults_of(fields.get("container_type")), **fields}
    values["name"] = clean_name(values["name"])
    location = Location(owner=owner, **values)
    check_limits(location)
    refuse_name(Location, owner=owner, name=location.name)
    if "code" not in values:
        taken = Location.objects.owned_by(owner).filter(code=location.name).exists()
        location.code = "" if taken else location.name
    with names_taken():
        location.save(force_insert=True)
    return location


def edit_location(*, location: Location, changes: Mapping[str, Any]) -> Location:
    """Change some of EDITABLE. Limits below the present contents are allowed.

    Of another name or code it has no label any more. Raises Invalid.
    """
    was = (location.name, location.code)
    for name, value in changes.items():
        if name not in EDITABLE:
            raise Invalid(fields={name: ["cannot be changed"]})
        setattr(location, name, clean_name(value) if name == "name" else value)
    check_limits(location)
    if location.name != was[0]:
        owner_id = location.owner_id
        refuse_name(Location, owner=owner_id, name=location.name, besides=location.pk)
    saved = [*changes, "updated_at"]
    if (location.name, location.code) != was:
        location.label_printed_at = None
        saved.append("label_printed_at")
    with names_taken():
        location.save(update_fields=saved)
    return location


def delete_location(*, location: Location) -> None:
    """Delete a location with nothing in it. Raises LocationNotEmpty, LocationGone."""
    if not delete_locations(owner=location.owner_id, ids=[location.pk]):
        raise LocationGone


@transaction.atomic
def delete_locations(*, owner: User | int, ids: Sequence[int]) -> int:
    """Delete locations, all or none; return how many. Those that are gone are left out.

    Raises LocationNotEmpty. Statements constant. What their items are is for the stock to
    tell: `inventory.services.stocked_locations.delete_locations`.
    """
    mine = Location.objects.owned_by(owner).filter(pk__in=ids)
    held = lock_in_order(mine, to_delete=True)
    for location in held:
        if location.item_count:
            raise LocationNotEmpty(name=location.name, lots=location.item_count, data=[])
    keep_names(held)
    Location.objects.filter(pk__in=[location.pk for location in held]).delete()
    return len(held)


def keep_names(locations: Iterable[Location]) -> None:
    """Keep the names of locations that are about to be deleted, for the ledger."""
    PastLocation.objects.bulk_create(
        PastLocation(id=one.pk, owner_id=one.owner_id, name=one.name) for one in locations
    )


def point_to(*, location: Location, instead: Location, now: dt.datetime) -> None:
    """Let every row that names `location` name `instead`.

    Kinds are found by their foreign keys: this app does not import the apps that use it.
    """
    for model, name in kinds_that_name_locations():
        changes: dict[str, Any] = {name: instead}
        if any(one.name == "updated_at" for one in model._meta.fields):
            changes["updated_at"] = now
        model._base_manager.filter(**{name: location}).update(**changes)


def kinds_that_name_locations() -> Iterator[tuple[type[Model], str]]:
    """Yield the models and fields that name a location. The ledger is none: it never changes."""
    for relation in Location._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel):
            key: Any = relation.field
            if key.db_constraint:
                yield relation.related_model, key.name


def plan_pattern(*, owner: User, pattern: str) -> PatternPlan:
    """Return the preview of a pattern. Raises Invalid with the expected form."""
    try:
        names = expand(pattern)
    except BadPattern as problem:
        raise Invalid(fields={"pattern": [str(problem)]}) from problem
    if any(has_invisible(name) for name in names):
        raise Invalid(fields={"pattern": [INVISIBLE]})
    mine = Location.objects.owned_by(owner).filter(name_key__in={name_key(one) for one in names})
    there = NamesThere(mine.values_list("name", flat=True))
    names = list({name_key(name): name for name in reversed(names)}.values())[::-1]
    return PatternPlan(
        to_create=[name for name in names if name not in there],
        existing=[name for name in names if name in there],
    )


@transaction.atomic
def create_by_pattern(
    *, owner: User, pattern: str, container_type: ContainerType | None, now: dt.datetime
) -> PatternPlan:
    """Make the locations of a pattern; existing ones are skipped and reported. Constant queries."""
    plan = plan_pattern(owner=owner, pattern=pattern)
    _create_many(owner, plan.to_create, now, container_type)
    plan.made.extend(sorted(_ids_of(owner, plan.to_create).values()))
    return plan


def locations_named(
    *, owner: User, names: Iterable[str], create: bool, now: dt.datetime
) -> dict[str, int]:
    """Return name -> id of the owner's locations; with `create`, make those that are missing.

    Constant queries per 2,000 names. Call inside a transaction when creating.
    """
    wanted = list(dict.fromkeys(names))
    found: dict[str, int] = {}
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
        found |= _ids_of(owner, some)
        missing = [name for name in some if name not in found]
        if create and missing:
            spelt = {name_key(name): name for name in reversed(missing)}
            _create_many(owner, list(spelt.values())[::-1], now, None)
            found |= _ids_of(owner, missing)
    return found


def _create_many(
    owner: User, names: list[str], now: dt.datetime, container_type: ContainerType | None
) -> None:
    codes_taken = set(
        Location.objects.owned_by(owner).filter(code__in=names).values_list("code", flat=True)
    )
    limits = {name: None for name in LIMITS} | _defaults_of(container_type)
    instant = instant_text(now)
    type_id = container_type.pk if container_type else None
    # Missing ones: a concurrent request may create the same one.
    insert_missing(
        Location,
        _NEW,
        [
            (
                owner.pk,
                instant,
                instant,
                clean_name(name),
                name_key(clean_name(name)),
                0,
                "" if name in codes_taken else name,
                natural_key(name),
                "",
                type_id,
                0,
                "0",
                False,
                False,
                *(None if limits[limit] is None else str(limits[limit]) for limit in LIMITS),
            )
            for name in names
        ],
    )


def _ids_of(owner: User, names: list[str]) -> dict[str, int]:
    """Return the locations of `names`: as it is spelt, else in another case."""
    mine = Location.objects.owned_by(owner).filter(name_key__in={name_key(one) for one in names})
    ids = dict(mine.values_list("name", "id"))
    there = NamesThere(ids)
    return {name: ids[there.spelt(name)] for name in names if name in there}


def _defaults_of(container_type: ContainerType | None) -> dict[str, Any]:
    if container_type is None:
        return {}
    return {name: getattr(container_type, name) for name in LIMITS}
