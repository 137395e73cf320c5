"""Results of a request that adds, changes and deletes many rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from apps.core.errors import Conflict, DomainError, ErrorCode

# The act for a row of the request, and the row's position.
Place = tuple[str, int]


@dataclass(slots=True)
class RowResults:
    """The result of each row, by its place in the request: its id or its refusal."""

    created: dict[int, int] = field(default_factory=dict)
    updated: dict[int, int] = field(default_factory=dict)
    deleted: dict[int, int] = field(default_factory=dict)
    restored: dict[int, int] = field(default_factory=dict)
    refused: dict[Place, DomainError] = field(default_factory=dict)
    #: Places of rows in `created` whose pieces went onto a row that was there.
    topped_up: set[int] = field(default_factory=set)
    #: By row id, the act that takes its change back.
    acts: dict[int, int] = field(default_factory=dict)


LineT = TypeVar("LineT")


@dataclass(frozen=True, slots=True)
class Refused(Generic[LineT]):
    """A line of a request that was left undone, and why."""

    line: LineT
    refusal: DomainError


def conflicts_of(refusals: Iterable[DomainError]) -> list[int]:
    """Return the ids of rows that were changed elsewhere."""
    ids = (why.row_id for why in refusals if isinstance(why, Conflict))
    return [pk for pk in ids if pk is not None]


class SomeRefused(DomainError):
    """Nothing was done, because some rows were refused; `fields` maps row -> field -> why."""

    code = ErrorCode.VALIDATION_ERROR
    message = "{count} of {rows} refused, so nothing was changed: {first}"

    def __init__(self, refused: Mapping[Place, DomainError], total: int) -> None:
        first = next(iter(refused.values()))
        self.conflicts = conflicts_of(refused.values())
        super().__init__(
            count=len(refused),
            rows=f"{total} row{'s' * (total != 1)} {'was' if len(refused) == 1 else 'were'}",
            first=first.text,
            fields={
                f"{verb}.{index}": why.fields or {"non_field_errors": [why.text]}
                for (verb, index), why in refused.items()
            },
        )
        self.code = first.code  # type: ignore[misc]
        self.status = first.status  # type: ignore[misc]
