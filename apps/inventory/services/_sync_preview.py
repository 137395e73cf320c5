"""The preview of a sync: read the file, match it with the stock, plan what to do."""

import datetime as dt
import marshal
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import chain, islice
from time import thread_time
from typing import IO, Any, Final

import orjson

from apps.accounts.services.currency import can_adopt_currency
from apps.catalog.selectors.naming import ColorsByText
from apps.catalog.selectors.same_lots import identities_by_now
from apps.core.bulk import plain
from apps.core.errors import Invalid
from apps.core.jobs.run import JobRun
from apps.core.names import NamesThere, name_key
from apps.core.waiting import counted
from apps.exchange.any_file import TABLES, WHOLE_STORES, AnyFile, OtherFile, kind_of
from apps.exchange.bsx_around import LotOrder, around_of
from apps.exchange.bsx_base import base_of
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_reader import BsxFile
from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_money import one_currency
from apps.inventory.models import (
    InventoryItem,
    InventorySync,
    ItemQuerySet,
    Movement,
    SyncChunk,
    SyncState,
    SyncTarget,
)
from apps.inventory.rules.bsx_fields import given_by
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.matching import NOT_MATCHED, EachMeant, FileKey, StockKey, match_lots
from apps.inventory.rules.sold import Sold, SoldLot
from apps.inventory.rules.stacking import NAMELESS, came_as, condition_key, raw_identity
from apps.inventory.rules.sync_plan import (
    CHANGED,
    CHUNK,
    CREATED,
    OF_CONDITION,
    OF_UNKNOWN,
    UNCHANGED,
    UNKNOWN,
    UNKNOWN_CONDITIONS,
    UNREADABLE,
    ZEROED,
    Planned,
    counted_as,
    pack,
    unpack,
)
from apps.inventory.rules.sync_planning import (
    EXTRA,
    LISTING,
    PRICE,
    Read,
    StockRow,
    context_of,
    file_key,
    planned_for,
    price_in_a_file,
    warnings_left,
)
from apps.inventory.rules.uploaded import Waits, adding_up_to, uploaded
from apps.inventory.rules.wrong_store import count_to_confirm, looks_like_another_store
from apps.inventory.selectors.export import NEVER_WRITTEN
from apps.inventory.selectors.meanings import identity_of
from apps.inventory.selectors.origins import waiting_to_be_listed
from apps.inventory.selectors.renumbered import rows_to_renumber
from apps.inventory.selectors.words import OwnWords
from apps.inventory.services._sync_lots import Found, LotReader, found_lots
from apps.inventory.services._sync_state import DEFAULT_CURRENCY, currency_of, mark_for
from apps.inventory.services.channels import (
    channel_beside_others,
    in_channel,
    remote_ids_in_files,
)
from apps.inventory.services.files import open_as_last_time, open_file
from apps.inventory.services.received import received_of
from apps.locations.models import Location
from apps.locations.rules.bin_names import NameGroup, group_names
from apps.locations.rules.several import SeveralLocations

CHUNKS_AT_ONCE: Final = 4
#: Of the processor, for reading the lots of a file; 250,000 of a table take 15.
READING_SECONDS: Final = 60.0
TOO_LONG: Final = "The file takes too long to read; split it."
#: The share of lots that the catalogue does not know in their colour, from which it is doubted that
#: the colours have BrickLink's numbers.
DOUBTED: Final = 0.25


def read_rate(text: str) -> Decimal:
    """Return a rate of exchange. Raises Invalid for anything but a number above 0."""
    try:
        rate = Decimal(text)
    except (InvalidOperation, TypeError):
        rate = Decimal(0)
    if not rate.is_finite() or not 0 < rate <= 1_000_000:
        raise Invalid(fields={"rate": ["must be a number above 0, such as 1.0842"]})
    return rate


class Preview:
    """One preview: reads the file, matches it with the stock, writes the plan."""

    suspicion = (
        "The file names {there:,} of your store's {of:,} lots. It looks like the file of another "
        "store, or of yours before it was listed anew."
    )

    #: What a target counts besides.
    also_counted: tuple[str, ...] = ()

    def __init__(self, run: JobRun, sync: InventorySync, now: dt.datetime) -> None:
        options = sync.options
        self.run = run
        self.sync = sync
        self.now = now
        self.owner = sync.owner
        converts = options.get("currency_action") == "convert"
        names = Location.objects.owned_by(self.owner).values_list("name", flat=True)
        self.lots = LotReader(
            there=NamesThere(names),
            creates=options.get("create_locations", True),
            reads_remarks=options.get("reads_remarks", True),
            several=SeveralLocations(options.get("several_locations", SeveralLocations.IGNORE)),
            splits=options.get("split_quantities", False),
            patterns=options.get("bin_patterns") or (),
            rate=read_rate(options.get("rate", "")) if converts else None,
        )
        self.words = OwnWords(self.owner)
        self.mark = mark_for(sync)
        #: Whether there is anything to match with.
        self.has_stock = (
            sync.target == SyncTarget.STOCK and InventoryItem.objects.owned_by(self.owner).exists()
        )
        self.keys: list[FileKey] = []
        self.quantities: list[int | None] = []
        self.sold = Sold()
        self.counts: Counter[str] = Counter()
        #: Lots of a table whose colour has a number, how many of them the catalogue does not know
        #: in that colour, and the first of these.
        self.colored = self.strange = 0
        self.strangest: BsxLot | None = None
        #: Lots whose item numbers are another site's.
        self.foreign_numbers = 0
        #: What the lots that were read are worth.
        self.value = Decimal(0)
        self.chunks = 0
        self._unwritten: list[SyncChunk] = []
        self.order = LotOrder()
        #: What the file says beside its lots.
        self.around: dict[str, Any] = {}
        self.file: AnyFile
        #: The names that Remarks give to new bins, by pattern.
        self.groups: list[NameGroup] = []
        #: Where lots that are taken go: what only others name becomes no bin.
        self.places: set[str] = set()
        #: Whether the file names some lots only: those it lacks stay as they are.
        self.is_part = False
        #: Rows that are not gone from the store: no file of this kind can hold them.
        self.unwritten: list[int] = []
        #: Whether lots of it were not read, which are not gone from the store.
        self.is_unread = False
        #: Batch items that wait to be listed, by row, and those that the store has.
        self.waiting = waiting_to_be_listed(owner=self.owner) if self.has_stock else {}
        self.uploaded: list[Waits] = []
        #: Pieces that the store does not have: those of the others, by row.
        self.not_there: Counter[int] = Counter()
        self.lots_not_there: Counter[int] = Counter()  # by lot id
        #: The store's pieces of lots that the file changes, by lot id.
        self.bases: dict[int, int] = {}
        #: Lots of which it is known already what the store has.
        self.settled: set[int] = set()

    # -- reading -------------------------------------------------------------------------

    def read(self, stream: IO[bytes], staged: IO[bytes]) -> None:
        """Read the file once, in chunks of 500 lots."""
        options = self.sync.options
        self.file = self._opened(stream)
        whole = kind_of(self.file) in WHOLE_STORES
        self.is_part = {"whole": False, "part": True}.get(options.get("covers", ""), not whole)
        self.is_unread = self.file.left_out > 0
        self.is_part |= self.is_unread
        lots, began, spent = iter(self.file), thread_time(), 0.0
        while waiting := list(islice(lots, CHUNK)):
            spent += thread_time() - began
            if spent > READING_SECONDS:
                raise FileRefused(RefusalCode.FILE_TOO_LARGE, TOO_LONG)
            for lot in waiting:
                self.order.add(lot)
            self._stage(waiting, staged)
            began = thread_time()
        self.is_unread |= self.file.trailer.is_truncated
        self.is_part |= self.is_unread
        self.flush()
        self._leave_out_names()

    def _leave_out_names(self) -> None:
        """Keep names that do not look like bins as remarks, for lots read so far and later."""
        self.groups = group_names(
            list(self.lots.found_names.values()),
            there=self.lots.there,
            is_color=ColorsByText().names_color,
            decided={
                name_key(name): said for name, said in self.sync.options.get("bins", {}).items()
            },
        )
        left = {one.name for group in self.groups if group.doubt for one in group.names}
        if not left:
            return
        self.lots.leave_out(left)
        self.keys = [
            key._replace(location="") if key.location in left else key for key in self.keys
        ]
        for chunk in self.sync.chunks.order_by("number"):
            entries, warnings = unpack(chunk.plan)
            planned = [Planned(*entry) for entry in entries]
            if any(one.location in left for one in planned):
                kept = [
                    tuple(one._replace(location="") if one.location in left else one)
                    for one in planned
                ]
                with self.run.chunk():
                    SyncChunk.objects.filter(pk=chunk.pk).update(plan=pack((kept, warnings)))

    def _stage(self, lots: Sequence[BsxLot], staged: IO[bytes]) -> None:
        rows: list[Read] = []
        of_any_site = kind_of(self.file) in TABLES
        for lot, found in self._found(lots):
            rows += self.lots.read(lot, found, given=self._given(lot))
            self.foreign_numbers += found.here is not None
            if of_any_site and lot.color_id is not None:
                self._note_color(lot, found)
        self.counts["lots"] += len(lots)
        if not self.has_stock:
            # Nothing to match with, so nothing to wait for.
            self._plan_piece(rows, [NOT_MATCHED] * len(rows))
            return
        self._keep(rows, staged)
        self.run.beat(done=self.file.bytes_read, message=f"Read {self.counts['lots']:,} lots")

    def _found(self, lots: Sequence[BsxLot]) -> list[tuple[BsxLot, Found]]:
        """Return the lots as their owner's words have them, each with the catalogue's answer."""
        lots = [self._numbered(self.words.applied(lot)) for lot in lots]
        identities = [identity_of(lot) for lot in lots]
        of_any_site = kind_of(self.file) in TABLES
        found = found_lots(set(identities), self.owner, of_any_site=of_any_site)
        return [(lot, found[one]) for lot, one in zip(lots, identities, strict=True)]

    def _numbered(self, lot: BsxLot) -> BsxLot:
        """Return a lot of a file with its number here."""
        number = self.numbers.get(lot.marketplace_lot_id or 0)
        return lot if number is None else replace(lot, marketplace_lot_id=number)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The number here of each lot that has another one in files."""
        return {theirs: ours for ours, theirs in remote_ids_in_files(self.owner).items()}

    def _note_color(self, lot: BsxLot, found: Found) -> None:
        self.colored += found.reason != "unknown_item"
        if found.pair or found.reason == "unknown_color":
            self.strange += 1
            self.strangest = self.strangest or lot

    def _given(self, lot: BsxLot) -> tuple[str, ...] | None:
        """Return the columns that the file fills of this lot, None for all."""
        file = self.file
        if isinstance(file, BsxFile):
            return given_by(lot.__dict__) if self.is_part else None
        # In a file of a whole store an empty cell clears the value; a missing column does not.
        says = None if self.is_part else file.says
        if says is None:
            return given_by(lot.__dict__) if self.is_part else None
        return given_by({*says, *lot.__dict__})

    def _opened(self, stream: IO[bytes]) -> AnyFile:
        """Open the file; a table as a person corrected it, or the last one with the same head."""
        said = dict(self.sync.options.get("table") or {})
        repair = bool(self.sync.options.get("repair"))
        if said:
            return open_file(stream, owner=self.owner, table=said, repair=repair)
        return open_as_last_time(stream, owner=self.owner, but=self.sync.pk, repair=repair)

    def _keep(self, rows: Sequence[Read], staged: IO[bytes]) -> None:
        """Write rows to disk until everything is matched."""
        # Not marshal.dump: it reads a file back object by object, ten times slower.
        piece = marshal.dumps([tuple(row) for row in rows])
        staged.write(len(piece).to_bytes(8, "big") + piece)
        self.keys += [file_key(row) for row in rows]
        self.quantities += [None if row.refusal else row.quantity for row in rows]
        if self.waiting:
            self.bases |= {
                row.values[LISTING]: quantity
                for row in rows
                if row.values[LISTING] and (quantity := base_quantity(row)) is not None
            }

    # -- matching and planning -------------------------------------------------------------

    def plan(self, staged: IO[bytes]) -> None:
        """Match everything, then plan piece by piece."""
        if not self.has_stock:
            return
        stock, in_stock = self._stock_keys(InventoryItem.objects.owned_by(self.owner))
        listed = {key.marketplace_lot_id for key in stock if key.id in in_stock} - {None}
        named = {key.marketplace_lot_id for key in self.keys} - {None}
        self.counts["listed_lots"] = len(listed)
        self.counts["listed_lots_there"] = len(listed & named)
        self.counts["lots_with_id"] = len(named)
        del listed, named
        if self.is_part:
            self._plan_part(staged, stock, in_stock)
            return
        matched = match_lots(self.keys, stock)
        # A lot without a number or a name may be any row.
        if any(
            pk == NOT_MATCHED and quantity is None and key.raw_identity[1] == NAMELESS
            for key, quantity, pk in zip(self.keys, self.quantities, matched, strict=True)
        ):
            self.is_unread = self.is_part = True
            self._plan_part(staged, stock, in_stock)
            return
        found = set(matched)
        gone = {key.id: (key.identity, key.condition) for key in stock if key.id not in found}
        del stock
        gone = {pk: lot for pk, lot in gone.items() if pk in in_stock}
        if gone and kind_of(self.file) not in TABLES:
            rows = InventoryItem.objects.owned_by(self.owner).filter(NEVER_WRITTEN)
            self.unwritten = [pk for pk in rows.values_list("pk", flat=True) if gone.pop(pk, None)]
        if gone and (channel := channel_beside_others(self.owner)) is not None:
            # A file of one store says nothing of what only another one has.
            listed_rows = InventoryItem.objects.owned_by(self.owner).filter(
                marketplace_lot_id__isnull=False
            )
            others = listed_rows.exclude(in_channel(channel)).values_list("pk", flat=True)
            self.unwritten += [pk for pk in others if gone.pop(pk, None)]
        self.counts["in_stock"] = len(in_stock)
        self._plan_matched(staged, matched, in_stock, gone)

    def _plan_part(
        self, staged: IO[bytes], stock: Sequence[StockKey], in_stock: Mapping[int, int]
    ) -> None:
        """Plan the lots of the file; the rest of the stock is unchanged."""
        self.counts["in_stock"] = len(in_stock)
        for name in ("listed_lots", "listed_lots_there", "lots_with_id"):
            self.counts[name] = 0
        if isinstance(self.file, BsxFile) or self.file.has_quantities:
            matched = match_lots(self.keys, stock)
            if isinstance(self.file, OtherFile) and "price" not in (self.file.says or {"price"}):
                self._find_moved(matched, stock)
            self._plan_matched(staged, matched, in_stock, {})
            return
        # A lot without a quantity, as in a list of prices, matches all rows of the lot.
        meant = EachMeant(stock)
        self.keys, self.quantities = [], []
        for rows in self._pieces(staged):
            pairs = [(row, pk) for row in rows for pk in meant.by(file_key(row), row.given or ())]
            self._plan_piece([row for row, _pk in pairs], [pk for _row, pk in pairs])

    def _find_moved(self, matched: list[int], stock: Sequence[StockKey]) -> None:
        """Match lots without prices that name the bin which just one row of theirs has left."""
        lots: dict[tuple[Any, ...], list[int]] = {}
        for index, key in enumerate(self.keys):
            if matched[index] == NOT_MATCHED and key.location:
                for identity in {key.identity, key.raw_identity}:
                    lot = (identity, key.condition, key.sub_condition)
                    lots.setdefault((*lot, key.location), []).append(index)
        wanted = {lot[:3] for lot in lots}
        taken = set(matched)
        rows = {
            row.id: lot
            for row in stock
            if row.id not in taken
            and (lot := (row.identity, row.condition, row.sub_condition)) in wanted
        }
        left: dict[tuple[Any, ...], set[int]] = {}
        ids = sorted(rows)
        for start in range(0, len(ids), CHUNK):
            moves = Movement.objects.filter(
                item__in=ids[start : start + CHUNK], from_location__isnull=False
            ).exclude(to_location=None)
            for pk, name in moves.values_list("item_id", "from_location__name"):
                left.setdefault((*rows[pk], name), set()).add(pk)
        for lot_in_bin, indexes in lots.items():
            found = left.get(lot_in_bin, set())
            if len(indexes) == len(found) == 1:
                (matched[indexes[0]],) = found

    def _plan_matched(
        self,
        staged: IO[bytes],
        matched: Sequence[int],
        in_stock: Mapping[int, int],
        gone: Mapping[int, SoldLot],
    ) -> None:
        """Plan what was staged; `matched` are its rows, `in_stock` what these and `gone` hold."""
        self._find_uploaded(matched, in_stock)
        self._keep_waiting(gone)
        changed = (
            ((key.identity, key.condition), quantity + self.not_there[pk] - in_stock.get(pk, 0))
            for key, quantity, pk in zip(self.keys, self.quantities, matched, strict=True)
            if quantity is not None
        )
        left = ((lot, self.not_there[pk] - in_stock[pk]) for pk, lot in gone.items())
        self.sold = self._sold(chain(changed, left))
        self.keys, self.quantities = [], []
        position = 0
        for rows in self._pieces(staged):
            ids = matched[position : position + len(rows)]
            position += len(rows)
            self._plan_piece(rows, ids)
        self._plan_zeroed(gone)

    def _find_uploaded(self, matched: Sequence[int], in_stock: Mapping[int, int]) -> None:
        """Find out which of the pieces that wait in matched rows the store has."""
        if self.is_part or not self.waiting:
            return
        lots = {
            key.marketplace_lot_id
            for key, pk in zip(self.keys, matched, strict=True)
            if pk in self.waiting and key.marketplace_lot_id is not None
        } - self.settled
        had = received_of(owner=self.owner, lot_ids=lots, channel_id=self.sync.channel_id)
        there: Counter[int] = Counter()
        rows: dict[int, set[int]] = {}
        for key, quantity, pk in zip(self.keys, self.quantities, matched, strict=True):
            lot_id = key.marketplace_lot_id
            if lot_id in lots and lot_id is not None and quantity is not None and pk != NOT_MATCHED:
                there[lot_id] += quantity
                rows.setdefault(lot_id, set()).add(pk)
        for lot_id, ids in rows.items():
            waiting = sorted(one for pk in ids for one in self.waiting.get(pk, ()))
            free = sum(in_stock.get(pk, 0) for pk in ids)
            if (base := self.bases.get(lot_id)) is not None:
                # The file says what is here, too.
                listed = free - sum(one.pieces for one in waiting)
                self.uploaded += adding_up_to(base - listed, waiting) or []
                continue
            before = had[lot_id]["quantity"] if lot_id in had else None
            found = uploaded(waiting, free=free, there=there[lot_id], had=before)
            self.uploaded += found
            for one in set(waiting) - set(found):
                self.not_there[one.row_id] += one.pieces
                self.lots_not_there[lot_id] += one.pieces

    def _keep_waiting(self, gone: Iterable[int]) -> None:
        """Keep in rows that are not in the store what waits there, unless it had that as well."""
        items = InventoryItem.objects.owned_by(self.owner)
        rows = items.filter(pk__in=[pk for pk in gone if pk in self.waiting]).order_by()
        lots = dict(rows.values_list("pk", "marketplace_lot_id"))
        had = received_of(
            owner=self.owner,
            lot_ids={*lots.values()} - {None},
            channel_id=self.sync.channel_id,
        )
        free: Counter[int] = Counter()
        of_lots = items.filter(marketplace_lot_id__in=list(had)).with_free()
        for lot_id, pieces in of_lots.values_list("marketplace_lot_id", "free"):
            free[lot_id] += pieces
        for pk, lot_id in lots.items():
            if lot_id in had and had[lot_id]["quantity"] == free[lot_id]:
                self.uploaded += self.waiting[pk]
            else:
                self.not_there[pk] += sum(one.pieces for one in self.waiting[pk])

    def _sold(self, changes: Iterable[tuple[SoldLot, int]]) -> Sold:
        return Sold(changes)

    def _stock_keys(self, items: ItemQuerySet) -> tuple[list[StockKey], dict[int, int]]:
        keys: list[StockKey] = []
        in_stock: dict[int, int] = {}
        by_now = identities_by_now(rows_to_renumber(self.owner).values("lot"), person=self.owner)
        rows = (
            items.with_free()
            .order_by("pk")
            .values_list(
                "pk",
                "marketplace_lot_id",
                "lot_id",
                "raw_item_type",
                "raw_item_number",
                "raw_item_name",
                "raw_color_id",
                "raw_color_name",
                "condition",
                "condition_text",
                "sub_condition",
                "location__name",
                "price",
                "free",
                "came_as",
            )
        )
        for (
            pk,
            listing,
            lot,
            kind,
            number,
            name,
            color,
            color_name,
            cond,
            cond_text,
            sub,
            place,
            price,
            quantity,
            came,
        ) in rows.iterator(chunk_size=CHUNK):
            identity = (
                by_now.get(lot, (lot,))
                if lot is not None
                else raw_identity(kind, number, name, color, color_name)
            )
            asked = price_in_a_file(plain(price))
            cond = condition_key(cond, cond_text)
            keys.append(
                StockKey(pk, listing, identity, cond, sub, place or "", asked, came_as(came))
            )
            if quantity:
                in_stock[pk] = quantity
        return keys, in_stock

    def _plan_piece(self, rows: Sequence[Read], ids: Sequence[int]) -> None:
        stock = self._stock_rows([pk for pk in ids if pk != NOT_MATCHED])
        is_matched = self.sync.target == SyncTarget.STOCK
        entries = []
        counts: Counter[str] = Counter()
        warnings = []
        for row, pk in zip(rows, ids, strict=True):
            planned = planned_for(row, pk, stock.get(pk), is_matched=is_matched)
            counts[counted_as(planned)] += 1
            if planned.kind != UNREADABLE:
                counts["pieces"] += row.quantity
                self.value += row.quantity * Decimal(planned.values[PRICE] or 0)
            if counted_as(planned) == UNKNOWN and planned.kind in OF_UNKNOWN:
                counts[OF_UNKNOWN[planned.kind]] += 1
            counts[UNKNOWN_CONDITIONS] += planned.reason == OF_CONDITION
            warnings += [
                (row.position, row.line, *warning) for warning in warnings_left(row, planned)
            ]
            if planned.kind == UNREADABLE:
                self.run.fail_item({"error": row.refusal, "context": context_of(planned)})
            else:
                self.places.add(planned.location)
            if planned.kind == CHANGED:
                key, fell = file_key(row), stock[pk].quantity - planned.quantity
                planned = planned._replace(sold=self.sold.take((key.identity, key.condition), fell))
            if planned.kind != UNCHANGED or row.reason:
                entries.append(tuple(planned))
        counts["warnings"] = len(warnings)
        self._write_chunk(entries, warnings, counts)

    def _stock_rows(self, ids: Sequence[int]) -> dict[int, StockRow]:
        if not ids:
            return {}
        rows = InventoryItem.objects.filter(pk__in=ids).values_list(
            "pk", "quantity", "promised", "lot_id", "location__name", "came_as", *FILE_COLUMNS
        )
        return {
            pk: StockRow(
                quantity,
                lot_id,
                place or "",
                [plain(value) for value in values],
                promised + self.not_there[pk],
                came_as(came),
            )
            for pk, quantity, promised, lot_id, place, came, *values in rows
        }

    def _plan_zeroed(self, lots: Mapping[int, SoldLot]) -> None:
        ids = list(lots)
        for start in range(0, len(ids), CHUNK):
            part = ids[start : start + CHUNK]
            stock = self._stock_rows(part)
            entries = [
                tuple(
                    Planned(
                        ZEROED,
                        -1,
                        0,
                        row.lot_id,
                        None,
                        "",
                        row.location,
                        row.not_there,
                        row.values,
                        None,
                        pk,
                        {"quantity": (row.quantity, row.not_there)},
                        self.sold.take(lots[pk], row.quantity - row.not_there),
                    )
                )
                for pk, row in sorted(stock.items())
                if row.quantity > row.not_there
            ]
            self._write_chunk(entries, [], Counter({ZEROED: len(entries)}))

    def _write_chunk(
        self, entries: Sequence[Any], warnings: Sequence[Any], counts: Counter[str]
    ) -> None:
        self.counts.update(counts)
        chunk = SyncChunk(
            sync=self.sync,
            number=self.chunks,
            counts=dict(counts),
            plan=pack((entries, warnings)),
        )
        self.chunks += 1
        self._unwritten.append(chunk)
        if len(self._unwritten) == CHUNKS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write the planned chunks, several in one transaction: each transaction has its price."""
        if not self._unwritten:
            return
        compared = sum(self.counts[kind] for kind in COMPARED)
        with self.run.chunk(done=self.file.bytes_read, message=f"Compared {compared:,} lots"):
            SyncChunk.objects.bulk_create(self._unwritten)
        self._unwritten.clear()

    def _pieces(self, staged: IO[bytes]) -> Iterator[list[Read]]:
        staged.seek(0)
        while size := staged.read(8):
            piece = staged.read(int.from_bytes(size, "big"))
            yield [self.lots.without_left_out(Read(*row)) for row in marshal.loads(piece)]

    # -- the end ---------------------------------------------------------------------------

    def finish(self, *, ends_job: bool = True) -> None:
        """Show the preview: counts, warnings and new locations appear in one update.

        If `ends_job` is false, the job has more work after the preview and is not ended here.
        """
        header, trailer = self.file.header, self.file.trailer
        is_bsx = isinstance(self.file, BsxFile)
        if isinstance(self.file, BsxFile):
            self.around = around_of(self.file, self.order)
        # By the definition of BSX a missing currency is dollars. In other files it is the store's.
        store = currency_of(self.owner)
        currency = header.currency or (DEFAULT_CURRENCY if is_bsx else store)
        if one_currency({currency, store}) == store:
            currency = store  # `$` of a store in dollars
        counts = {
            name: self.counts[name]
            for name in (
                "lots",
                "pieces",
                CREATED,
                CHANGED,
                ZEROED,
                UNCHANGED,
                UNREADABLE,
                UNKNOWN,
                *OF_UNKNOWN.values(),
                UNKNOWN_CONDITIONS,
                "warnings",
                "in_stock",
                "listed_lots",
                "listed_lots_there",
                "lots_with_id",
            )
        }
        counts["to_confirm"] = count_to_confirm(counts)
        if looks_like_another_store(counts):
            self.uploaded.clear()
        counts["uploaded"] = len(self.uploaded)
        counts |= {name: self.counts[name] for name in self.also_counted}
        for group in self.groups:
            if not group.doubt:
                group.names = [one for one in group.names if one.name in self.places]
        self.groups = [group for group in self.groups if group.names]
        new = [one.name for group in self.groups if not group.doubt for one in group.names]
        counts["new_locations"] = len(new)
        counts["left_out_names"] = sum(len(group.names) for group in self.groups if group.doubt)
        counts["matched_locations"] = len(self.lots.matched_locations)
        counts["ignored_remarks"] = self.lots.ignored_remarks
        figures = {**counts, "value": f"{self.value:.2f}"}
        result = {"sync_id": self.sync.pk, "counts": figures}
        with self.run.finish(result=result) if ends_job else self.run.chunk():
            InventorySync.objects.filter(pk=self.sync.pk).update(
                state=SyncState.PREVIEWED,
                previewed_at=self.now,
                currency=currency,
                reading=self._reading(),
                header={
                    "generator": str(self.file.generator),
                    "root": header.root,
                    "has_currency": header.currency is not None,
                    "is_truncated": trailer.is_truncated,
                    **self.around,
                },
                counts=figures,
                warnings=self._warnings(currency),
                new_locations=new,
                bin_groups=[_told_group(group) for group in self.groups],
                told=self._told(),
                stock_mark=self.mark,
                updated_at=self.now,
            )

    def _reading(self) -> dict[str, Any]:
        """Return the kind of file and how it was read, for a person to check and correct."""
        file = self.file
        form = file.table if isinstance(file, OtherFile) else None
        return {
            "kind": str(kind_of(file)),
            "covers": "part" if self.is_part else "whole",
            "table": None if form is None else {**form.as_dict(), "signature": form.signature},
            "sample": file.sample if isinstance(file, OtherFile) else [],
            "foreign_numbers": self.foreign_numbers,
        }

    def _told(self) -> dict[str, Any]:
        """Return the details of the reading that the sync stores beside its plan."""
        return {
            **self.sync.told,
            "remarks": self.lots.remarks_there,
            "unwritten": self.unwritten,
            "uploaded": self.uploaded,
            "not_there": self.lots_not_there,
        }

    def _warnings(self, currency: str) -> list[dict[str, Any]]:
        told = [{"code": str(w.code), "message": w.message} for w in self.file.warnings]
        store = currency_of(self.owner)
        # A file that names none counts as dollars, which is no reason to change anything.
        named = self.file.header.currency
        if named not in (None, store) and can_adopt_currency(user=self.owner, currency=currency):
            told.append(
                {
                    "code": "currency_adopted",
                    "message": f"Your account is empty: it will use {currency}, the file's "
                    f"currency, instead of {store}.",
                }
            )
        elif currency != store:
            told.append(
                {
                    "code": "currency_differs",
                    "message": f"The file is in {currency}, your store in {store}.",
                    "file_currency": currency,
                    "store_currency": store,
                }
            )
        file = self.file
        tells_none = named is None and isinstance(file, OtherFile) and file.has_amounts
        if tells_none and can_adopt_currency(user=self.owner, currency=currency):
            told.append(
                {
                    "code": "no_currency",
                    "message": f"The file names no currency: its amounts are taken in {currency}, "
                    "your account's. If they are not, choose the currency in Settings first.",
                }
            )
        if looks_like_another_store(self.counts):
            there, listed = self.counts["listed_lots_there"], self.counts["listed_lots"]
            told.append(
                {"code": "another_store", "message": self.suspicion.format(there=there, of=listed)}
            )
        if count := len(self.uploaded):
            message = (
                f"{counted(count, 'lot')} that {'waits' if count == 1 else 'wait'} in batches to be "
                f"listed {'is' if count == 1 else 'are'} in the store: the import marks "
                f"{'it' if count == 1 else 'them'} as listed."
            )
            told.append({"code": "uploaded", "message": message})
        question = self.lots.question
        if question.lots:
            told.append(
                {"code": "several_locations", "message": question.message(), **question.as_dict()}
            )
        doubts = self.strangest is not None and self.strange >= self.colored * DOUBTED
        if isinstance(file, OtherFile) and file.assumes_colors and doubts and self.strangest:
            number, color = self.strangest.item_number, self.strangest.color_id
            more = f" and {self.strange - 1:,} more lots in theirs" if self.strange > 1 else ""
            message = (
                f"The catalogue does not know {number} in colour {color}{more}: were these LEGO's "
                "or Rebrickable's numbers?"
            )
            told.append({"code": "whose_numbers", "message": message})
        if self.unwritten:
            is_one = len(self.unwritten) == 1
            message = (
                f"{counted(len(self.unwritten), 'lot')} of your stock "
                f"{'stays as it is' if is_one else 'stay as they are'}: no file of this kind can "
                f"hold {'it' if is_one else 'them'}, such as a lot in a condition that was not "
                "understood."
            )
            told.append({"code": "never_written", "message": message})
        if self.is_unread and self.has_stock:
            message = (
                "Not all of the file could be read, so lots of your stock that it does not name "
                "stay as they are; none is set to 0."
            )
            told.append({"code": "not_whole", "message": message})
        return told


def base_quantity(row: Read) -> int | None:
    """Return the pieces that the store has of a lot whose quantity its file changes."""
    extra = row.values[EXTRA]
    if '"base"' not in extra:
        return None
    base = [tuple(entry) for entry in orjson.loads(extra).get("base", ())]
    if not any(tag == "Qty" for tag, _text in base):
        return None
    return base_of(BsxLot.filled({"quantity": row.quantity, "base": tuple(base)})).quantity


COMPARED: Final = (CREATED, CHANGED, UNCHANGED, UNREADABLE, UNKNOWN)


def _told_group(group: NameGroup) -> dict[str, Any]:
    """Return a group as the sync stores it."""
    return {
        "doubt": group.doubt or "",
        "twin_of": group.twin_of,
        "pattern": group.pattern,
        "is_series": group.is_series,
        "lots": sum(one.lots for one in group.names),
        "pieces": sum(one.pieces for one in group.names),
        "names": [
            {"name": one.name, "lots": one.lots, "pieces": one.pieces} for one in group.names
        ],
    }
