"""Compares our stock with the store, lot by lot. Pure.

Fewer pieces in the store than it last had were sold, so our quantity is lowered, unless a lot that
only the store has holds the same, or cannot be read: they may have moved to it. Pieces that came
here since, as from a cancelled order, are raised there. A higher quantity in the store is lowered there.
Price and texts in the store are set to ours.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final, Protocol

from apps.listings.rules.listing import without_mark

REMOVALS: Final = frozenset({"gone", "removed"})
KINDS: Final = (
    "sold",
    "gone",
    "lowered",
    "raised",
    "removed",
    "changed",
    "linked",
    "moved",
    "only_there",
)
#: Differences that are shown only: nothing is done about them.
SHOWN: Final = ("moved", "only_there")


def suspicion(counts: Mapping[str, int]) -> str:
    """Return why this may be another store, or ''. With a reason, no row is preselected."""
    known, gone = counts.get("known", 0), counts.get("gone", 0)
    if gone * 10 <= known:
        return ""
    return (
        f"{gone:,} of the {known:,} lots that you have for sale are not in this store. It may be "
        "another store, or yours after it was listed anew."
    )


class There(Protocol):
    """The fields of a lot in the store that the rule reads."""

    @property
    def lot_id(self) -> int: ...
    @property
    def quantity(self) -> int: ...
    @property
    def price(self) -> Decimal: ...
    @property
    def comments(self) -> str: ...
    @property
    def remarks(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """A stock row: `listed` are its pieces that are for sale, `waiting` those still to be listed."""

    pk: int
    lot_id: int | None
    listed: int
    price: Decimal | None
    comments: str
    remarks: str
    key: Hashable
    name: str
    waiting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One lot that differs; `rows` are ours of it."""

    kind: str
    lot_id: int
    name: str
    rows: tuple[int, ...] = ()
    here: int = 0
    there: int = 0
    sold: int = 0
    changes: tuple[dict[str, str], ...] = ()


@dataclass(slots=True)
class Diff:
    """The differences, how many of each kind, how many lots agree, and rows without a lot."""

    rows: list[Difference] = field(default_factory=list)
    same: int = 0
    known: int = 0  # lots of ours that should be there
    not_listed: int = 0

    @property
    def counts(self) -> dict[str, int]:
        found = Counter(row.kind for row in self.rows)
        counted = {kind: found[kind] for kind in KINDS}
        return {**counted, "same": self.same, "known": self.known, "not_listed": self.not_listed}


def differences(
    here: Iterable[Here],
    there: Mapping[int, There],
    *,
    key_of: Mapping[int, Hashable],
    name_of: Mapping[int, str],
    had: Mapping[int, int],
    is_whole: bool,
    is_hidden: Callable[[Hashable], bool] = lambda key: False,
) -> Diff:
    """Return the differences of our rows and the store. `key_of` returns the `Here.key` of a lot.

    `had` are the pieces that the store last had of a lot, less what orders took since. If
    `is_whole` is false, lots of the store without a row of ours are ignored. `is_hidden` tells
    whether pieces of a key may lie in a lot that only the store has and that cannot be read.
    """
    diff = Diff()
    ours: dict[int, list[Here]] = {}
    loose: dict[Hashable, Here] = {}
    for row in here:
        if row.lot_id is not None:
            ours.setdefault(row.lot_id, []).append(row)
        elif row.listed:
            loose.setdefault(row.key, row)
        elif row.waiting:
            diff.not_listed += 1
    others = {lot_id: lot for lot_id, lot in there.items() if lot_id not in ours}
    new_keys = {key_of[lot_id] for lot_id in others} - loose.keys()
    for lot_id, rows in ours.items():
        if lot_id not in there and had.get(lot_id) == 0:
            # Orders bought it whole. What lies here of it is back, and no longer in the store.
            diff.not_listed += any(row.listed for row in rows)
            continue
        diff.known += any(row.listed for row in rows)
        found = compared(lot_id, rows, there.get(lot_id), had=had.get(lot_id))
        if found is None:
            diff.same += 1
        elif found.kind in ("sold", "gone") and (rows[0].key in new_keys or is_hidden(rows[0].key)):
            diff.rows.append(replace(found, kind="moved", changes=()))
        else:
            diff.rows.append(found)
    for lot_id, lot in others.items():
        match = loose.pop(key_of[lot_id], None)
        if match is not None:
            diff.rows.append(
                Difference(
                    kind="linked",
                    lot_id=lot_id,
                    name=match.name,
                    rows=(match.pk,),
                    here=match.listed,
                    there=lot.quantity,
                )
            )
        elif is_whole:
            diff.rows.append(
                Difference(
                    kind="only_there", lot_id=lot_id, name=name_of[lot_id], there=lot.quantity
                )
            )
    diff.not_listed += len(loose)
    return diff


def compared(
    lot_id: int, rows: list[Here], lot: There | None, *, had: int | None = None
) -> Difference | None:
    """Return how one lot differs, None where it does not.

    Pieces that wait here to be listed may be there already, so they are no surplus. Where it is not known what the store `had`, all that it lacks was sold.
    """
    rows = sorted(rows, key=lambda row: (not row.listed, row.pk))
    here = sum(row.listed for row in rows)
    common: dict[str, Any] = {
        "lot_id": lot_id,
        "name": rows[0].name,
        "rows": tuple(row.pk for row in rows),
        "here": here,
    }
    if lot is None:
        return Difference(kind="gone", **common) if here else None
    changes = _changes(rows, lot) if here else ()
    common |= {"there": lot.quantity, "changes": changes}
    if lot.quantity < here:
        sold = max(here if had is None else min(here, had), lot.quantity) - lot.quantity
        return Difference(kind="sold" if sold else "raised", sold=sold, **common)
    waiting = sum(row.waiting for row in rows)
    if lot.quantity > here + waiting:
        return Difference(kind="lowered" if here else "removed", **common)
    return Difference(kind="changed", **common) if changes else None


def _changes(rows: list[Here], lot: There) -> tuple[dict[str, str], ...]:
    first = rows[0]
    texts = without_mark(lot.remarks)
    found = []
    # Where we have no price there is none to send.
    if first.price is not None and first.price != lot.price:
        found.append(_change("price", f"{first.price:.4f}", f"{lot.price:.4f}"))
    # The remarks of a lot in several locations name one of them.
    if texts not in {row.remarks for row in rows}:
        found.append(_change("remarks", first.remarks, texts))
    if first.comments != lot.comments:
        found.append(_change("comments", first.comments, lot.comments))
    return tuple(found)


def _change(field_: str, here: str, there: str) -> dict[str, str]:
    return {"field": field_, "here": here, "there": there}
