"""Make, edit, merge, re-assign and delete sources."""

import datetime as dt
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.core.concurrency import lock_in_order
from apps.core.errors import StateConflict, UnknownReference, ValueRefused
from apps.core.names import name_key, refuse_name
from apps.sources.models import Source

MOST_LISTED: Final = 100


class SourceInUse(StateConflict):
    """Batches come from it; `data` lists the first of them as id and name."""

    message = "{batches} {noun} from {name}. Give them another source first."

    def __init__(self, *, name: str, batches: int, data: list[dict[str, Any]]) -> None:
        noun = "batch comes" if batches == 1 else "batches come"
        super().__init__(name=name, batches=batches, noun=noun, data=data)


def create_source(*, owner: User, fields: Mapping[str, Any]) -> Source:
    """Make a source. Raises Invalid for a name that is taken."""
    refuse_name(Source, owner=owner, name=fields["name"])
    with _name_taken():
        return Source.objects.create(owner=owner, **fields)


def edit_source(*, source: Source, changes: Mapping[str, Any]) -> Source:
    """Change name or notes. Raises Invalid."""
    was = source.name
    for name, value in changes.items():
        setattr(source, name, value)
    if source.name != was:
        refuse_name(Source, owner=source.owner_id, name=source.name, besides=source.pk)
    with _name_taken():
        source.save(update_fields=[*changes, "updated_at"])
    return source


def source_named(*, owner_id: int, name: str) -> Source:
    """Return the source of this name, ignoring case. Creates it if it does not exist."""
    mine = Source.objects.filter(owner_id=owner_id, name_key=name_key(name))
    found = mine.order_by("twin", "pk").first()
    return found or Source.objects.get_or_create(owner_id=owner_id, name=name)[0]


def reassign_batches(*, source: Source, to: Source | None, now: dt.datetime) -> int:
    """Assign all batches of `source` to another source, or to none.

    Returns the number of batches. Raises Invalid if both sources are the same.
    """
    if to is not None and to.pk == source.pk:
        raise ValueRefused(fields={"to": ["must be another source"]})
    batches: Any = source.batches
    return int(batches.update(source=to, updated_at=now))


@transaction.atomic
def merge_source(*, source: Source, into: Source, now: dt.datetime) -> int:
    """Give batches and notes of `source` to another one and delete it.

    Returns how many batches. Raises Invalid for a source and itself.
    """
    if into.pk == source.pk:
        raise ValueRefused(fields={"into": ["must be another source"]})
    held = {row.pk: row for row in lock_in_order(_both(source, into), to_delete=True)}
    if len(held) != len({source.pk, into.pk}):
        raise UnknownReference(fields={"into": ["is not there any more"]})
    gone, stays = held[source.pk], held[into.pk]
    count = reassign_batches(source=gone, to=stays, now=now)
    notes = [text for text in (stays.notes, gone.notes) if text]
    stays.notes = "\n\n".join(dict.fromkeys(notes))
    stays.save(update_fields=["notes", "updated_at"])
    gone.delete()
    return count


@transaction.atomic
def delete_source(*, source: Source) -> None:
    """Delete a source that no batch comes from. Raises SourceInUse for one that is used."""
    lock_in_order(Source.objects.filter(pk=source.pk), to_delete=True)
    batches: Any = source.batches
    count = batches.count()
    if count:
        named = batches.order_by("-created_at", "-pk").values("id", "name")[:MOST_LISTED]
        raise SourceInUse(name=source.name, batches=count, data=list(named))
    source.delete()


def _both(one: Source, other: Source) -> Any:
    return Source.objects.filter(pk__in=(one.pk, other.pk))


@contextmanager
def _name_taken() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as problem:
        raise ValueRefused(fields={"name": ["is the name of another source of yours"]}) from problem
