"""Acts on rows of lots: what an undo asks first, of stock and of batches."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

from django.db import models

from apps.core.concurrency import claim
from apps.core.errors import DomainError, ErrorCode

MOST_SHOWN: Final = 500


class ActUndone(DomainError):
    code = ErrorCode.CONFLICT
    message = "This was undone already."


class RowsChangedSince(DomainError):
    """Rows were changed after the act; `data` lists the first of them."""

    code = ErrorCode.CONFLICT
    message = "{count} {noun} changed since, so nothing was undone."


class KeptAct(Protocol):
    """The row of an act."""

    pk: Any
    undone_at: dt.datetime | None


Row = TypeVar("Row", bound=models.Model)


def claim_undo(act: KeptAct, *, now: dt.datetime) -> None:
    """Mark an act as undone, in the transaction that undoes it. Raises ActUndone."""
    acts = type(act)._default_manager.filter(pk=act.pk)  # type: ignore[attr-defined]
    if not claim(acts, where={"undone_at": None}, set={"undone_at": now}):
        raise ActUndone
    act.undone_at = now


def changed_since(
    rows: Iterable[Mapping[str, Any]],
    there: Mapping[int, Row],
    image_of: Callable[[Row, Sequence[str]], Mapping[str, Any]],
) -> list[int]:
    """Return the ids of the kept `rows` that are not as the act left them, or are gone."""
    return [
        row["id"]
        for row in rows
        if row["after"] is not None
        and not _is_as_left(there.get(row["id"]), row["after"], image_of)
    ]


def refuse_changed(ids: Sequence[int], *, one: str, many: str) -> None:
    """Raise RowsChangedSince if there are any; `one` and `many` are what pages call them."""
    if ids:
        noun = f"{one} was" if len(ids) == 1 else f"{many} were"
        data = [{"id": pk} for pk in ids[:MOST_SHOWN]]
        raise RowsChangedSince(count=len(ids), noun=noun, data=data)


def _is_as_left(
    row: Row | None,
    after: Mapping[str, Any],
    image_of: Callable[[Row, Sequence[str]], Mapping[str, Any]],
) -> bool:
    if row is None:
        return False
    # The stamp of a row that the act made changes with every edit, as the values compared here do.
    names = [name for name in after if name not in {"id", "created_at", "updated_at"}]
    return image_of(row, names) == {name: after[name] for name in names}
