"""Which lot of a BSX file is which row of the stock. Each row is matched once at most."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.rules.stacking import Came

Identity = tuple[Any, ...]
NOT_MATCHED: Final = -1


class FileKey(NamedTuple):
    """The values by which a lot of the file is matched. `location` is '' if Remarks name none."""

    marketplace_lot_id: int | None
    identity: Identity
    raw_identity: Identity
    condition: str
    sub_condition: str
    location: str
    price: str | None


class StockKey(NamedTuple):
    """The same of a row of the stock, with its id and its values in the file that it came from."""

    id: int
    marketplace_lot_id: int | None
    identity: Identity
    condition: str
    sub_condition: str
    location: str
    price: str | None
    came: Came | None = None


LotKeys = Callable[[FileKey], list[Identity]]
RowKey = Callable[[StockKey], Identity]
Passes = tuple[tuple[LotKeys, RowKey], ...]


def match_lots(lots: Sequence[FileKey], stock: Iterable[StockKey]) -> list[int]:
    """Return for each lot of the file the id of its row, or NOT_MATCHED.

    Matches by marketplace lot id first; then by item, colour, condition, sub-condition and
    location, equal prices before others; then without the location if the prices are equal (the
    lot was moved to another bin); then by what the row came as, wherever it is now. At last a
    condition that was not understood, on either side, equals any other. Of several matching rows,
    the first in order is used.
    """
    matched = [NOT_MATCHED] * len(lots)
    rows = list(stock)
    taken: set[int] = set()
    if not rows:
        return matched
    _by_listing(lots, rows, matched, taken)
    for keys in _PASSES:
        _match(list(enumerate(lots)), rows, keys, matched, taken)
    for came in _as_they_came(rows):
        left = [(index, lot) for index, lot in enumerate(lots) if matched[index] == NOT_MATCHED]
        without_id = [(index, lot) for index, lot in left if not lot.marketplace_lot_id]
        not_listed = [row for row in came if row.marketplace_lot_id is None]
        for keys in _PASSES:
            # Two different lot ids are two lots.
            _match(without_id, came, keys, matched, taken)
            _match(left, not_listed, keys, matched, taken)
    # Only where a condition was not understood: most files have none, and skip these passes.
    unsaid = [(index, lot) for index, lot in enumerate(lots) if _is_unknown(lot)]
    said = [(index, lot) for index, lot in enumerate(lots) if not _is_unknown(lot)]
    for some, among in ((unsaid, rows), (said, [row for row in rows if _is_unknown(row)])):
        for keys in _ANY_CONDITION if some and among else ():
            _match(some, among, keys, matched, taken)
    return matched


def _as_they_came(rows: Iterable[StockKey]) -> Iterator[list[StockKey]]:
    """Yield the rows of which a person chose something, as they came: in all, then in part.

    Only what was not understood tells such a row: its lot may have others in what was.
    """
    chosen = [(row, row.came) for row in rows if row.came]
    named = [(row, came) for row, came in chosen if came.identity]
    unclear = [(row, came) for row, came in chosen if came.condition.startswith(UNKNOWN_CONDITION)]
    for some in (
        [
            row._replace(identity=came.identity or row.identity, condition=came.condition)
            for row, came in chosen
            if came.identity or came.condition.startswith(UNKNOWN_CONDITION)
        ],
        [row._replace(identity=came.identity or row.identity) for row, came in named],
        [row._replace(condition=came.condition) for row, came in unclear],
    ):
        if some:
            yield [row._replace(location=row.came.location) for row in some if row.came is not None]
            yield some


def _is_unknown(key: FileKey | StockKey) -> bool:
    return key.condition.startswith(UNKNOWN_CONDITION)


def _match(
    lots: Sequence[tuple[int, FileKey]],
    rows: Sequence[StockKey],
    keys: tuple[LotKeys, RowKey],
    matched: list[int],
    taken: set[int],
) -> None:
    """Match the lots, each with its index, with rows that are free."""
    keys_of_lot, key_of_row = keys
    free: defaultdict[Identity, deque[int]] = defaultdict(deque)
    for row in rows:
        if row.id not in taken:
            free[key_of_row(row)].append(row.id)
    if not free:
        return
    for index, lot in lots:
        if matched[index] != NOT_MATCHED:
            continue
        for key in keys_of_lot(lot):
            if waiting := free.get(key):
                matched[index] = waiting.popleft()
                taken.add(matched[index])
                break


class EachMeant:
    """All rows of a lot, in each of its bins, for lots of a file without a quantity."""

    def __init__(self, stock: Iterable[StockKey]) -> None:
        self._listed: defaultdict[int, list[int]] = defaultdict(list)
        self._rows: defaultdict[Identity, list[StockKey]] = defaultdict(list)
        self._came: defaultdict[Identity, list[StockKey]] = defaultdict(list)
        rows = list(stock)
        for row in rows:
            if row.marketplace_lot_id is not None:
                self._listed[row.marketplace_lot_id].append(row.id)
            self._rows[row.identity].append(row)
        for row in chain.from_iterable(_as_they_came(rows)):
            self._came[row.identity].append(row)

    def by(self, lot: FileKey, given: Sequence[str]) -> list[int]:
        """Return the ids of its rows, [NOT_MATCHED] without any."""
        if lot.marketplace_lot_id is not None:
            return self._listed.get(lot.marketplace_lot_id) or [NOT_MATCHED]
        for known in (self._rows, self._came):
            rows = known.get(lot.identity) or known.get(lot.raw_identity) or []
            found = dict.fromkeys(
                row.id
                for row in rows
                if ("condition" not in given or row.condition == lot.condition)
                and ("sub_condition" not in given or row.sub_condition == lot.sub_condition)
                and (not lot.location or row.location == lot.location)
            )
            if found:
                return list(found)
        return [NOT_MATCHED]


def _by_listing(
    lots: Sequence[FileKey], rows: Sequence[StockKey], matched: list[int], taken: set[int]
) -> None:
    """A lot id is unique in a real store; where a file repeats one, the likest row wins."""
    listed: defaultdict[int, list[StockKey]] = defaultdict(list)
    for row in rows:
        if row.marketplace_lot_id is not None:
            listed[row.marketplace_lot_id].append(row)
    for likeness in (_SAME, _SAME_PLACE, None):
        for index, lot in enumerate(lots):
            if lot.marketplace_lot_id is None or matched[index] != NOT_MATCHED:
                continue
            for row in listed.get(lot.marketplace_lot_id, ()):
                if row.id in taken:
                    continue
                if likeness is None or likeness[1](row) in likeness[0](lot):
                    matched[index] = row.id
                    taken.add(row.id)
                    break


def _same(lot: FileKey) -> list[Identity]:
    rest = (lot.condition, lot.sub_condition, lot.location, lot.price)
    return [(lot.identity, *rest), (lot.raw_identity, *rest)]


def _same_place(lot: FileKey) -> list[Identity]:
    rest = (lot.condition, lot.sub_condition, lot.location)
    return [(lot.identity, *rest), (lot.raw_identity, *rest)]


def _same_price(lot: FileKey) -> list[Identity]:
    rest = (lot.condition, lot.sub_condition, lot.price)
    return [(lot.identity, *rest), (lot.raw_identity, *rest)]


def _in_place(lot: FileKey) -> list[Identity]:
    rest = (lot.sub_condition, lot.location)
    return [(lot.identity, *rest), (lot.raw_identity, *rest)]


def _in_place_at_price(lot: FileKey) -> list[Identity]:
    rest = (lot.sub_condition, lot.location, lot.price)
    return [(lot.identity, *rest), (lot.raw_identity, *rest)]


def _in_any_place(lot: FileKey) -> list[Identity]:
    """Of a file that names no bin."""
    rest = (lot.sub_condition, lot.price)
    return [] if lot.location else [(lot.identity, *rest), (lot.raw_identity, *rest)]


_SAME: Final = (
    _same,
    lambda row: (row.identity, row.condition, row.sub_condition, row.location, row.price),
)
_SAME_PLACE: Final = (
    _same_place,
    lambda row: (row.identity, row.condition, row.sub_condition, row.location),
)
_PASSES: Final[Passes] = (
    _SAME,
    _SAME_PLACE,
    (_same_price, lambda row: (row.identity, row.condition, row.sub_condition, row.price)),
)
_ANY_CONDITION: Final[Passes] = (
    (
        _in_place_at_price,
        lambda row: (row.identity, row.sub_condition, row.location, row.price),
    ),
    (_in_place, lambda row: (row.identity, row.sub_condition, row.location)),
    (_in_any_place, lambda row: (row.identity, row.sub_condition, row.price)),
)
