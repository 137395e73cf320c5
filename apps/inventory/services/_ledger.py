"""Writes movements. Private: every change of a quantity writes a movement here."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from apps.core.bulk import allocate_ids, insert_rows, instant_text
from apps.core.ownership import acting_program
from apps.inventory.models import Movement

FIELDS = (
    "id",
    "item_id",
    "delta",
    "reason",
    "by_id",
    "program",
    "cause_kind",
    "cause_id",
    "from_location_id",
    "to_location_id",
    "note",
    "reverses_id",
    "created_at",
)


class Entry(NamedTuple):
    """A movement to write: the row, the quantity, and the locations it leaves and enters."""

    item_id: int
    delta: int
    from_location_id: int | None = None
    to_location_id: int | None = None
    cause_id: int | None = None
    reverses_id: int | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """The fields that all movements of one act share."""

    by: Any
    now: dt.datetime
    reason: str
    cause_kind: str = ""
    note: str = ""


def reasons(note: str, override_reason: str) -> str:
    """Return the note of a movement: a person's note, and why a bin's limits were passed."""
    if note and override_reason:
        return f"{note} (beyond the bin's limits: {override_reason})"
    return note or override_reason


def record(acts: Mapping[Why, Sequence[Entry]]) -> list[int]:
    """Append the movements of one act or several; return their ids in order."""
    ids = iter(allocate_ids(Movement, sum(len(entries) for entries in acts.values())))
    rows, program = [], acting_program()
    for why, entries in acts.items():
        by_id = why.by.pk if why.by is not None else None
        created_at = instant_text(why.now)
        rows += [
            (
                next(ids),
                entry.item_id,
                entry.delta,
                why.reason,
                by_id,
                program,
                why.cause_kind,
                entry.cause_id,
                entry.from_location_id,
                entry.to_location_id,
                why.note,
                entry.reverses_id,
                created_at,
            )
            for entry in entries
        ]
    if rows:
        insert_rows(Movement, FIELDS, rows)
    return [row[0] for row in rows]
