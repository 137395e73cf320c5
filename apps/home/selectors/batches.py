"""The figures of batches: progress, pieces in and out by day, returns."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final, TypedDict

from django.db.models import F, QuerySet

from apps.accounts.models import User
from apps.batches.models import BatchItem
from apps.batches.rules.states import ItemState, state_of
from apps.batches.selectors import batch_rows, pieces_of_batch, sums_by_state
from apps.catalog.selectors.faces import item_image
from apps.core.money import Total, money
from apps.core.prepared import WHOLE, Prepared, Slot
from apps.sources.rules import return_on

NotInValue = Annotated[int, "not in the value"]
GivesBack = Annotated[Total | None, "value ÷ cost"]


@dataclass(slots=True)
class BatchSums:
    """A batch with its pieces and rows by state, and their value."""

    id: int
    name: str
    source_id: int | None
    source_name: str
    cost: Decimal | None
    grams: Decimal | None
    is_archived: bool
    created_at: dt.datetime
    lots: dict[ItemState, int]
    pieces: dict[ItemState, int]
    value: Decimal = Decimal(0)
    lots_without_price: int = 0

    @property
    def gives_back(self) -> Decimal | None:
        return return_on(spent=self.cost, value=self.value, pieces=self.all_pieces)

    @property
    def all_pieces(self) -> int:
        return sum(self.pieces.values())

    @property
    def all_lots(self) -> int:
        return sum(self.lots.values())


def batch_sums(
    *,
    owner: User,
    rows: Iterable[Mapping[str, Any]] | None = None,
    sums: Iterable[Mapping[str, Any]] | None = None,
) -> list[BatchSums]:
    """Return batches with their sums: every one of the owner, newest first, archived ones too.

    Of `rows` of `batch_rows` only those, by `sums` of `sums_by_state`.
    """
    found = {
        row["id"]: BatchSums(
            **row, lots=dict.fromkeys(ItemState, 0), pieces=dict.fromkeys(ItemState, 0)
        )
        for row in (batch_rows(owner=owner) if rows is None else rows)
    }
    for row in sums_by_state(owner=owner) if sums is None else sums:
        batch = found.get(row["batch_id"])
        if batch is None:  # not of `rows`, or made between the queries
            continue
        state = state_of(is_stowed=row["is_stowed"], is_listed=row["is_listed"])
        batch.lots[state] = row["lots"]
        batch.pieces[state] = row["pieces"] or 0
        batch.value += money(row["value"] or 0)
        batch.lots_without_price += row["unpriced"]
    return list(found.values())


@dataclass(slots=True)
class SourceSums:
    """The sums of one source. `value` is that of batches whose cost is known."""

    id: int
    name: str
    batches: int = 0
    pieces: int = 0
    spent: Decimal = Decimal(0)
    value: Decimal = Decimal(0)
    lots_without_price: int = 0

    @property
    def gives_back(self) -> Decimal | None:
        return return_on(spent=self.spent, value=self.value, pieces=self.pieces)


def by_source(batches: Sequence[BatchSums]) -> list[SourceSums]:
    """Return the sums of batches by source, the most spent first; costs unknown do not count."""
    found: dict[int, SourceSums] = {}
    for batch in batches:
        if batch.source_id is None:
            continue
        source = found.setdefault(
            batch.source_id, SourceSums(id=batch.source_id, name=batch.source_name)
        )
        source.batches += 1
        source.pieces += batch.all_pieces
        if batch.cost is not None:
            source.spent += batch.cost
            source.value += batch.value
            source.lots_without_price += batch.lots_without_price
    return sorted(found.values(), key=lambda one: (-one.spent, one.name.casefold(), one.id))


class LastAddedItem(TypedDict):
    batch_id: int
    batch_name: str
    is_archived: bool
    quantity: int
    item_type: Annotated[str, "empty: the catalogue does not know it"]
    item_number: str
    item_name: str
    color_name: str
    color_html: str
    image_url: str
    addedAt: dt.datetime
    batch_pieces: int
    batch_put_away: Annotated[int, "pieces of the batch, listed ones too"]


def _newest(owner: Slot) -> QuerySet[Any, Any]:
    columns: dict[str, Any] = {
        "batch_id": F("batch_id"),
        "batch_name": F("batch__name"),
        "pieces": pieces_of_batch(),
        "put_away": pieces_of_batch(is_stowed=True),
        "is_archived": F("batch__is_archived"),
        "item_type": F("lot__item__item_type"),
        "item_number": F("lot__item__number"),
        "item_name": F("lot__item__name"),
        "color_name": F("lot__color__name"),
        "color_html": F("lot__color__rgb"),
        "image_url": F("lot__item__image_url"),
        "origin": F("lot__item__origin"),
        "face": F("lot__item__face"),
        "color_id": F("lot__color_id"),
    }
    return (
        BatchItem.objects.owned_by(owner)
        .visible()
        .order_by("-created_at", "-pk")
        .values(
            *("quantity", "created_at", "raw_item_number", "raw_item_name", "raw_color_name"),
            **{f"of_{name}": column for name, column in columns.items()},
        )[:1]
    )


_NEWEST: Final = Prepared(_newest, owner=WHOLE)


def last_added(*, owner: User) -> LastAddedItem | None:
    """Return the item that was added last and its batch; None before the first."""
    row = next(iter(_NEWEST.dicts(owner=owner.pk)), None)
    if row is None:
        return None
    html = row["of_color_html"]
    return {
        "batch_id": row["of_batch_id"],
        "batch_name": row["of_batch_name"],
        "batch_pieces": row["of_pieces"] or 0,
        "batch_put_away": row["of_put_away"] or 0,
        "is_archived": row["of_is_archived"],
        "quantity": row["quantity"],
        "item_type": row["of_item_type"] or "",
        "item_number": row["of_item_number"] or row["raw_item_number"],
        "item_name": row["of_item_name"] or row["raw_item_name"],
        "color_name": row["of_color_name"] or row["raw_color_name"],
        "color_html": f"#{html}" if html else "",
        "image_url": _image_of(row),
        "addedAt": row["created_at"],
    }


def _image_of(row: dict[str, Any]) -> str:
    if row["of_item_type"] is None:  # the catalogue does not know it
        return ""
    of_item = ("item_type", "item_number", "image_url", "origin", "face", "color_id", "color_html")
    return item_image(*(row[f"of_{name}"] for name in of_item)) or ""
