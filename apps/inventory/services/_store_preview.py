"""The preview of a store's lots: each is compared with its last received values."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, Final, NamedTuple

from django.db.models import F, Q

from apps.catalog.selectors.resolving import LotIdentity
from apps.catalog.selectors.same_lots import same_lots
from apps.core.bulk import plain
from apps.core.waiting import counted
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.conditions import UNKNOWN_CONDITION
from apps.inventory.models import RECEIVED_FIELDS, ChannelLot, InventoryItem
from apps.inventory.rules.bsx_fields import plain_values, refusal_of
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.matching import NOT_MATCHED, FileKey, StockKey, match_lots
from apps.inventory.rules.merging import ConflictRule, merged, spread
from apps.inventory.rules.sold import Sold, SoldLot
from apps.inventory.rules.sync_plan import UNCHANGED
from apps.inventory.rules.sync_planning import Read
from apps.inventory.rules.uploaded import Waits, adding_up_to, uploaded
from apps.inventory.selectors.channel_rules import sale_rule_of
from apps.inventory.services._sync_lots import Found, found_lots
from apps.inventory.services._sync_preview import Preview
from apps.inventory.services._sync_state import read_at_of
from apps.inventory.services.changes import text_of
from apps.inventory.services.received import received_of

FIELDS: Final = tuple(name for name in RECEIVED_FIELDS if name != "quantity")
#: Lots that cannot be taken of which the reason is told.
MOST_REFUSED: Final = 10
_AT_ONCE: Final = 5_000
#: Where a channel's prices follow from ours, ours do not follow from them.
_PRICES: Final = ("price", "tp1", "tp2", "tp3")
_PLACES: Final = {name: FILE_COLUMNS.index(name) for name in FIELDS}


class _Row(NamedTuple):
    """A row of the stock that is a lot of the store."""

    pk: int
    quantity: int  # free: the store counts what buyers were promised no more
    lot_id: int | None
    location: str
    grams: str | None
    updated_at: dt.datetime
    values: list[Any]


class StorePreview(Preview):
    """As of a file, but a lot that is known is merged, and stock that is not for sale stays."""

    also_counted = ("tied",)
    suspicion = (
        "The store has {there:,} of the {of:,} lots that you have for sale. It looks like another "
        "store, or like yours before it was listed anew."
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.rule = ConflictRule(self.sync.options.get("conflicts") or ConflictRule.MINE)
        self.sale_rule = sale_rule_of(owner=self.owner, channel_id=self.sync.channel_id)
        self.is_unattended = bool(self.sync.options.get("is_unattended"))
        self.read_at = read_at_of(self.sync)
        self.conflicts: list[list[Any]] = []
        self.others: list[int] = []
        self.not_taken: list[str] = []
        self.ids: list[int] = []  # the row of each staged lot
        self.in_stock: dict[int, int] = {}
        self.ties: dict[int, int] = {}  # by the store's id of a lot the number here
        self.numbers = {}  # the lots that were read have their numbers
        told = self.sync.told
        self.as_known = set(told.get("as_known", ()))
        self.counts[UNCHANGED] += told.get("same", 0)
        self.counts["lots"] += told.get("same", 0)
        for name in ("listed_lots", "listed_lots_there"):
            self.counts[name] = told.get(name, 0)
        self.counts["lots_with_id"] = told.get("lots", 0)

    def _stage(self, lots: Sequence[BsxLot], staged: IO[bytes]) -> None:
        if not self.has_stock:
            super()._stage([self.sale_rule.lot_here(lot) for lot in lots], staged)
            return
        ids = [lot.marketplace_lot_id for lot in lots if lot.marketplace_lot_id is not None]
        mine = self._rows(ids)
        bases = received_of(owner=self.owner, lot_ids=ids, channel_id=self.sync.channel_id)
        read = self._found(lots)
        here = [row.lot_id for some in mine.values() for row in some]
        self.same = same_lots([*here, *(found.lot_id for _lot, found in read)])
        rows: list[Read] = []
        for lot, found in read:
            lot_id = lot.marketplace_lot_id or 0
            known = mine.get(lot_id, [])
            pairs = self._read(lot, found, known, bases.get(lot_id))
            rows += [read for read, _pk in pairs]
            self.ids += [pk for _read, pk in pairs]
            self.in_stock |= {row.pk: row.quantity for row in known if row.quantity}
        self.counts["lots"] += len(lots)
        self._keep(rows, staged)
        self.run.beat(message=f"Compared {self.counts['lots']:,} lots")

    def _read(
        self, lot: BsxLot, found: Found, rows: Sequence[_Row], base: Mapping[str, Any] | None
    ) -> list[tuple[Read, int]]:
        """Return the parts of a lot to plan, each with its row or NOT_MATCHED."""
        if not rows:
            here = self.sale_rule.lot_here(lot)
            return [(read, NOT_MATCHED) for read in self.lots.read(here, found)]
        written = [row.updated_at for row in rows] if base is None else [base["updated_at"]]
        if max(written) > self.read_at:
            # The stored values are newer than the reading: the next pull compares them.
            self.counts[UNCHANGED] += 1
            return []
        was, is_now = rows[0].lot_id, found.lot_id
        is_other = was is not None and is_now is not None and self.same[was] != self.same[is_now]
        if is_other and self.is_unattended:
            self.others.append(lot.marketplace_lot_id or 0)
            self.counts[UNCHANGED] += 1
            return []
        if is_other or refusal_of(lot):
            reads = self.lots.read(lot, found)
            return [(read, rows[0].pk if not at else NOT_MATCHED) for at, read in enumerate(reads)]
        return self._merged(lot, found, rows, base)

    def _merged(
        self, lot: BsxLot, found: Found, rows: Sequence[_Row], base: Mapping[str, Any] | None
    ) -> list[tuple[Read, int]]:
        told = plain_values(lot)
        there = {name: told[place] for name, place in _PLACES.items()}
        before = None if base is None else {name: plain(base[name]) for name in FIELDS}
        if len(rows) > 1:
            there.pop("remarks")  # each row names its own location
        if self.sale_rule.changes_prices:
            there = {name: value for name, value in there.items() if name not in _PRICES}
        if lot.condition == UNKNOWN_CONDITION:
            there.pop("condition")  # not understood: those of the rows stay
        was = sum(row.quantity for row in rows) if base is None else base["quantity"]
        change = lot.quantity - was
        if base is not None:
            # Offered again after an order gave them up: they never left the stock.
            change -= min(max(change, 0), base["given_up"])
        waiting = sorted(one for row in rows for one in self.waiting.get(row.pk, ()))
        if waiting:
            free = sum(row.quantity for row in rows)
            change = self._beside_uploaded(lot, waiting, change, free, base)
        quantities, missing = spread([row.quantity for row in rows], change)
        warnings: list[tuple[str, str, str]] = []
        if missing:
            warnings.append(("oversold", "Qty", f"{missing} more were sold than lie here."))
        reads = []
        for row, quantity in zip(rows, quantities, strict=True):
            here = {name: row.values[_PLACES[name]] for name in there}
            result = merged(base=before, here=here, there=there, rule=self.rule)
            if row is rows[0]:
                warnings += [
                    ("changed_on_both_sides", one.field, self._conflict(*one))
                    for one in result.conflicts
                ]
                name = " ".join(text for text in (lot.color_name, lot.item_name) if text)
                self.conflicts += [
                    [lot.marketplace_lot_id, name or lot.item_number, *map(text_of, one)]
                    for one in result.conflicts
                ]
            values = list(row.values)
            for name, value in result.taken.items():
                values[_PLACES[name]] = value
            place = row.location
            if "remarks" in result.taken:
                told_places = self.lots.read(lot, found)
                place = (told_places[0].location if len(told_places) == 1 else "") or place
            read = Read(
                lot.index,
                lot.line,
                "",
                found.lot_id if row.lot_id is None else row.lot_id,
                found.pair if row.lot_id is None else None,
                found.reason if row.lot_id is None else "",
                place,
                quantity,
                tuple(values),
                row.grams,
                warnings if row is rows[0] else [],
            )
            reads.append((read, row.pk))
        return reads

    def _beside_uploaded(
        self,
        lot: BsxLot,
        waiting: Sequence[Waits],
        change: int,
        free: int,
        base: Mapping[str, Any] | None,
    ) -> int:
        """Return how many pieces came to the store, or left it, beside those that wait here."""
        self.settled.add(lot.marketplace_lot_id or 0)
        if base is None:
            found = uploaded(waiting, free=free, there=lot.quantity)
            self.uploaded += found
            not_there = sum(one.pieces for one in waiting) - sum(one.pieces for one in found)
            return lot.quantity + not_there - free
        if change > 0 and (found := adding_up_to(change, waiting) or []):
            self.uploaded += found
            return 0
        if base["quantity"] == free:
            self.uploaded += waiting
        return change

    def _find_uploaded(self, matched: Sequence[int], in_stock: Mapping[int, int]) -> None:
        """Besides, what waits in lots that are as they were known: the store has all of it."""
        super()._find_uploaded(matched, in_stock)
        if not self.waiting:
            return
        rows = InventoryItem.objects.owned_by(self.owner).filter(pk__in=list(self.waiting))
        lots = set(rows.order_by().values_list("marketplace_lot_id", flat=True))
        lots -= {None, *self.settled, *self.sync.told.get("gone", ())}
        bases = received_of(owner=self.owner, lot_ids=lots, channel_id=self.sync.channel_id)
        for lot_id, some in self._rows(bases).items():
            if sum(row.quantity for row in some) == bases[lot_id]["quantity"]:
                self.uploaded += [one for row in some for one in self.waiting.get(row.pk, ())]

    def _conflict(self, field: str, before: object, here: object, there: object) -> str:
        kept = {
            ConflictRule.MINE: "yours stays",
            ConflictRule.THEIRS: "theirs is taken",
            ConflictRule.ASK: "you will be asked",
        }[self.rule]
        return f"{field} was “{before}”, is “{here}” here and “{there}” in the store: {kept}."

    def plan(self, staged: IO[bytes]) -> None:
        if not self.has_stock:
            return
        items = InventoryItem.objects.owned_by(self.owner)
        listed = items.filter(marketplace_lot_id__isnull=False, quantity__gt=F("promised"))
        self.counts["in_stock"] = listed.count()
        # A row without a lot id may match a lot of the store that has no row yet, as may one
        # whose lot sold out: what its order gave up can be there again under another id.
        sold_out = self.sync.told.get("sold_out", [])
        loose, in_stock = self._stock_keys(
            items.filter(
                Q(marketplace_lot_id=None)
                | Q(pk__in=listed.filter(marketplace_lot_id__in=sold_out).values("pk"))
            )
        )
        unknown = [place for place, pk in enumerate(self.ids) if pk == NOT_MATCHED]
        elsewhere = self._only_elsewhere() if unknown else {}
        rows = [*elsewhere.values(), *loose]
        found = match_lots([self.keys[at] for at in unknown], rows)
        self._tie([self.keys[at] for at in unknown], found, elsewhere)
        self.counts["tied"] = len(self.ties)
        for place, pk in zip(unknown, found, strict=True):
            if self.keys[place].marketplace_lot_id in self.ties:
                self.quantities[place] = None
                continue
            self.ids[place] = pk
            if self._is_left_out(self.keys[place].marketplace_lot_id, pk):
                self.quantities[place] = None
        gone: dict[int, SoldLot] = {}
        lot_ids = self.sync.told.get("gone", [])
        for start in range(0, len(lot_ids), _AT_ONCE):
            some = lot_ids[start : start + _AT_ONCE]
            keys, quantities = self._stock_keys(listed.filter(marketplace_lot_id__in=some))
            gone |= {key.id: (key.identity, key.condition) for key in keys}
            in_stock |= quantities
        self._plan_matched(staged, self.ids, in_stock | self.in_stock, gone)

    def _only_elsewhere(self) -> dict[int, StockKey]:
        """Return by number a row of each lot that other channels have and this one has not."""
        lots = ChannelLot.objects.owned_by(self.owner)
        there = lots.filter(channel=self.sync.channel_id).values("marketplace_lot_id")
        others = lots.exclude(channel=self.sync.channel_id)
        others = others.exclude(marketplace_lot_id__in=there)
        rows = InventoryItem.objects.owned_by(self.owner).filter(
            marketplace_lot_id__in=others.values("marketplace_lot_id")
        )
        found: dict[int, StockKey] = {}
        for key in self._stock_keys(rows)[0]:
            # Without its number: the store knows the lot by an id of its own.
            found.setdefault(key.marketplace_lot_id or 0, key._replace(marketplace_lot_id=None))
        return found

    def _tie(
        self, keys: Sequence[FileKey], found: list[int], elsewhere: Mapping[int, StockKey]
    ) -> None:
        """Tie lots of the store to those of the stock that agree; no row changes by that.

        Where just one lot of the store and one of the stock are of an item, colour and condition,
        they agree, whatever their prices and bins.
        """
        number_of = {key.id: number for number, key in elsewhere.items()}
        for place, (key, pk) in enumerate(zip(keys, found, strict=True)):
            if pk in number_of:
                self.ties.setdefault(key.marketplace_lot_id or 0, number_of[pk])
                found[place] = NOT_MATCHED
        tied = {*self.ties.values()}
        rows: dict[Any, set[int]] = {}
        for number, row in elsewhere.items():
            if number not in tied:
                rows.setdefault((row.identity, row.condition, row.sub_condition), set()).add(number)
        lots: dict[Any, set[int]] = {}
        for key, pk in zip(keys, found, strict=True):
            lot_id = key.marketplace_lot_id or 0
            if pk == NOT_MATCHED and lot_id not in self.ties:
                what = (key.identity, key.condition, key.sub_condition)
                lots.setdefault(what, set()).add(lot_id)
        for what in lots.keys() & rows.keys():
            if len(lots[what]) == len(rows[what]) == 1:
                self.ties[lots[what].pop()] = rows[what].pop()

    def _sold(self, changes: Iterable[tuple[SoldLot, int]]) -> Sold:
        """Return what was sold: not what may lie in a lot that no row has and that is unread."""
        hidden = [one and LotIdentity(*one) for one in self.sync.told.get("hidden_items", [])]
        if not hidden:
            return super()._sold(changes)
        found = found_lots({one for one in hidden if one}, self.owner)
        if None in hidden or not all(one.lot_id or one.pair for one in found.values()):
            return Sold()
        lots = {
            (one.lot_id,) if one.lot_id else ("new", *(one.pair or ())) for one in found.values()
        }
        return super()._sold((lot, change) for lot, change in changes if lot[0] not in lots)

    def _is_left_out(self, lot_id: int | None, pk: int) -> bool:
        """Return whether this lot was left to be removed from the store: no row may be it."""
        return pk == NOT_MATCHED and lot_id in self.as_known

    def _plan_piece(self, rows: Sequence[Read], ids: Sequence[int]) -> None:
        pairs = list(zip(rows, ids, strict=True))
        kept = [
            one
            for one in pairs
            if one[0].values[_LISTING] not in self.ties
            and not self._is_left_out(one[0].values[_LISTING], one[1])
        ]
        self.counts[UNCHANGED] += len(pairs) - len(kept)
        rows, ids = [row for row, _pk in kept], [pk for _row, pk in kept]
        left = MOST_REFUSED - len(self.not_taken)
        refused = [row for row in rows if row.refusal]
        self.not_taken += [not_taken(row.values[_LISTING], row.refusal) for row in refused[:left]]
        super()._plan_piece(rows, ids)

    def _rows(self, lot_ids: Iterable[int]) -> dict[int, list[_Row]]:
        """Return the rows of these lots, those that hold pieces first."""
        rows = (
            InventoryItem.objects.owned_by(self.owner)
            .filter(marketplace_lot_id__in=list(lot_ids))
            .with_free()
            .order_by("pk")
            .values_list(
                *("pk", "free", "lot_id", "location__name", "piece_grams", "updated_at"),
                *FILE_COLUMNS,
            )
        )
        found: dict[int, list[_Row]] = {}
        for pk, quantity, lot_id, place, grams, updated_at, *columns in rows:
            values = [plain(value) for value in columns]
            row = _Row(
                pk,
                quantity,
                lot_id,
                place or "",
                None if grams is None else str(grams),
                updated_at,
                values,
            )
            found.setdefault(values[_LISTING], []).append(row)
        return {
            lot_id: sorted(some, key=lambda row: not row.quantity) for lot_id, some in found.items()
        }

    def _warnings(self, currency: str) -> list[dict[str, Any]]:
        found = super()._warnings(currency)
        if count := len(self.ties):
            message = (
                f"{counted(count, 'lot')} of the store {'is' if count == 1 else 'are'} yours "
                "already: the import ties each to its lot, and changes nothing of it."
            )
            found.append({"code": "tied", "message": message})
        if unread := self.sync.told.get("unread"):
            found.append({"code": "unread_lots", "message": unread})
        return found

    def _told(self) -> dict[str, Any]:
        return {
            **super()._told(),
            "conflicts": self.conflicts,
            "others": self.others,
            "ties": list(self.ties.items()),
            "not_taken": " ".join(self.not_taken),
        }


def not_taken(lot_id: int, why: str) -> str:
    """Return in a sentence that a lot of the store was read and stays out of the stock."""
    return f"Lot {lot_id} of the store cannot be taken: {why}"


_LISTING: Final = FILE_COLUMNS.index("marketplace_lot_id")
