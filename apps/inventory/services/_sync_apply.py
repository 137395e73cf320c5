"""Applies an import, 500 lots in each transaction, and stores the rows as they were before."""

import datetime as dt
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, BinaryIO, Final, cast

from django.db.models import F, Q
from more_itertools import chunked

from apps.accounts.models import User
from apps.catalog.services import lots as catalogue_lots
from apps.core.bulk import allocate_ids, insert_rows, instant_text, plain, update_rows
from apps.core.jobs.run import JobRun
from apps.exchange.bsx_reader import read_bsx
from apps.inventory.models import (
    CauseKind,
    InventoryItem,
    InventorySync,
    ReadFrom,
    Reason,
    SyncChunk,
    SyncState,
)
from apps.inventory.rules.bsx_fields import refusal_of, stored
from apps.inventory.rules.file_columns import FILE_COLUMNS
from apps.inventory.rules.sync_plan import (
    CHANGED,
    CHUNK,
    CREATED,
    KINDS,
    OF_UNKNOWN,
    UNREADABLE,
    ZEROED,
    Image,
    Planned,
    pack,
    plan_of,
)
from apps.inventory.rules.sync_planning import LISTING, context_of, is_as_planned
from apps.inventory.rules.uploaded import Waits
from apps.inventory.services import received
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services._stock import ITEM_FIELDS, Loads, catalogue_weights, lock_rows
from apps.inventory.services._sync_state import read_at_of, resume
from apps.inventory.services.after_import import follow_import, prepare_import, uploads
from apps.inventory.services.channels import channel_beside_others, in_channel
from apps.inventory.services.conflicts import keep_conflicts
from apps.inventory.services.promises import reassign_promises
from apps.inventory.services.stock_figures import reckon
from apps.locations.models import Location
from apps.locations.services import rooms
from apps.locations.services.locations import locations_named

MOST_LISTED: Final = 500
READ_AT_ONCE: Final = 10
RECEIVED_AT_ONCE: Final = 250  # lots of a store in one transaction: less than 100 ms
CHANGED_SINCE: Final = "It was changed meanwhile: the next reading of the store sees it."
CHANGED_SINCE_PREVIEW: Final = "It was changed after the preview and stays as it is."
COUNTED: Final = (*KINDS, *OF_UNKNOWN.values())
CHANGED_FIELDS: Final = (
    "updated_at",
    "location_id",
    "piece_grams",
    "quantity",
    "lot_id",
    *FILE_COLUMNS,
)


def apply_sync(
    run: JobRun,
    *,
    sync_id: int,
    now: dt.datetime,
    ends_job: bool = True,
    importer: "type[Importer] | None" = None,
) -> None:
    """Apply a preview. Each chunk is one transaction; a killed job resumes after the last one.

    Cancelling stops between chunks: applied chunks stay applied and can be undone. If `ends_job`
    is false, the job has more work after the sync and is not ended here.
    """
    sync = resume(sync_id, run.job, SyncState.APPLYING)
    target = (importer or StockImporter)(sync, by=run.by, now=now)
    if ends_job:
        target.begin(run)
    total = sum(sync.counts.get(kind, 0) for kind in KINDS)
    _make_locations(run, sync, now, total)
    names = Location.objects.owned_by(sync.owner).values_list("name", "pk")
    target.locations = dict(names)
    applied = Counter(sync.applied_counts)
    for chunk in _waiting(sync):
        counts = chunk.counts
        size = sum(counts.get(kind, 0) for kind in KINDS)
        # Read before the transaction, so that others may write.
        planned = list(plan_of(chunk.plan))
        with run.chunk(done=run.done + size, total=total, message="Importing"):
            target.apply(run, chunk, planned)
            sofar = applied + Counter({name: counts.get(name, 0) for name in COUNTED})
            InventorySync.objects.filter(pk=sync.pk).update(applied_counts=dict(sofar))
        applied = sofar
    target.receive(run)
    if target.uploaded:
        applied["uploaded"] = target.uploaded
    result = {"sync_id": sync.pk, "counts": dict(applied)}
    with run.finish(result=result) if ends_job else run.chunk():
        InventorySync.objects.filter(pk=sync.pk).update(
            state=SyncState.APPLIED,
            applied_at=now,
            updated_at=now,
            applied_counts=dict(applied),
        )
        result |= target.end()


def _waiting(sync: InventorySync) -> Iterator[SyncChunk]:
    """Yield the chunks that are not applied in their order, a few in memory."""
    waiting = sync.chunks.filter(applied_at=None).order_by("number")
    for some in chunked(list(waiting.values_list("pk", flat=True)), READ_AT_ONCE):
        yield from sync.chunks.filter(pk__in=some).order_by("number")


def _receive(run: JobRun, sync: InventorySync, now: dt.datetime) -> None:
    """Store the lots of the file as last received by the marketplace, 1,000 rows a transaction.

    Skips lots that could not be read, rows missing from the file, and rows changed after the
    preview: of these the store has what it was last known to have.
    """
    left_out, unread = set[int](), set[int]()
    odd = sync.chunks.order_by("number").values_list("number", "counts", "applied_at")
    for number, counts, _at in odd:
        if counts.get(ZEROED) or counts.get(UNREADABLE):
            for one in plan_of(sync.chunks.get(number=number).plan):
                if one.item_id is not None and one.kind in (ZEROED, UNREADABLE):
                    left_out.add(one.item_id)
                listing = one.values[LISTING]
                if one.kind == UNREADABLE and listing is not None:
                    unread.add(listing)
    in_store = received.in_store(sync.owner)
    channel = channel_beside_others(sync.owner)
    channel_id = None if channel is None else channel.pk
    if channel is not None:
        in_store = in_store.filter(in_channel(channel))
    ours = {at for _number, _counts, at in odd if at}
    others = [*run.state.get("left_rows", []), *sync.told.get("unwritten", [])]
    as_in_file = Q(updated_at__lte=sync.previewed_at) | Q(updated_at__in=ours)
    changed = in_store.filter(~as_in_file | Q(pk__in=others))
    unread |= set(changed.values_list("marketplace_lot_id", flat=True))
    rows = in_store.exclude(marketplace_lot_id__in=unread) if unread else in_store
    shared = received.shared_lot_ids(rows)
    ids = [pk for pk in received.ids_in_store(sync.owner) if pk not in left_out]
    for start in range(0, len(ids), received.AT_ONCE):
        # A range reads neighbouring pages; a list of ids looks each of them up.
        part = ids[start : start + received.AT_ONCE]
        some = rows.filter(pk__range=(part[0], part[-1])).exclude(pk__in=left_out)
        with run.chunk(message="Keeping what the store has"):
            received.receive_rows(
                owner=sync.owner,
                rows=some,
                shared=shared,
                now=now,
                sync_id=sync.pk,
                channel_id=channel_id,
            )
    with run.chunk():
        if shared:
            listed = rows.filter(pk__in=ids) if len(ids) < received.AT_ONCE else rows
            received.receive_shared(
                owner=sync.owner,
                rows=listed.exclude(pk__in=left_out) if left_out else listed,
                shared=shared,
                now=now,
                sync_id=sync.pk,
                channel_id=channel_id,
            )
        received.forget_others(
            owner=sync.owner, channel_id=channel_id, sync_id=sync.pk, keep=unread
        )
    not_there = sync.told.get("not_there", {})
    for lot_ids in chunked(not_there, received.AT_ONCE):
        with run.chunk():
            received.receive_less(
                owner=sync.owner,
                pieces={int(lot_id): not_there[lot_id] for lot_id in lot_ids},
                now=now,
                sync_id=sync.pk,
            )
    remarks = sync.told.get("remarks", {})
    for lot_ids in chunked(remarks, received.AT_ONCE):
        with run.chunk():
            received.receive_remarks(
                owner=sync.owner,
                remarks={int(lot_id): remarks[lot_id] for lot_id in lot_ids},
                now=now,
                sync_id=sync.pk,
            )


def _receive_store(run: JobRun, sync: InventorySync, now: dt.datetime) -> None:
    """Store the lots that differed in the store as received, 250 a transaction; delete missing ones.

    Skips lots with values newer than the reading, lots that were changed here after the preview,
    lots that cannot be taken, lots that are another item in the store, and lots left out.
    """
    read_at = read_at_of(sync)
    only = None if "only" not in sync.told else set(sync.told["only"])
    left = set(run.state.get("left", [])) | set(sync.told.get("others", []))
    channel: dict[str, Any] = {"owner": sync.owner, "channel_id": sync.channel_id}
    ties = _ties_of(sync)
    remote_ids = {number: remote_id for remote_id, number in ties.items()}
    with sync.file.open("rb") as stream:
        for lots in chunked(read_bsx(cast("BinaryIO", stream)), RECEIVED_AT_ONCE):
            # Before the transaction, so that others may write.
            there = {
                ties.get(lot.marketplace_lot_id, lot.marketplace_lot_id): received.values_of(
                    stored(lot)
                )
                for lot in lots
                if lot.marketplace_lot_id
                and lot.marketplace_lot_id not in left
                and (only is None or lot.marketplace_lot_id in {*only, *ties})
                and not refusal_of(lot)
            }
            with run.chunk(message="Keeping what the store has"):
                newer = received.hold_read(**channel, lot_ids=there, read_at=read_at)
                fresh = {pk: values for pk, values in there.items() if pk not in newer}
                received.receive(
                    **channel,
                    lots=fresh,
                    remote_ids=remote_ids,
                    now=read_at,
                    sync_id=sync.pk,
                    is_reading=True,
                )
    for some in chunked(sync.told.get("gone", []), received.AT_ONCE):
        with run.chunk():
            newer = received.hold_read(**channel, lot_ids=some, read_at=read_at)
            received.forget(**channel, lot_ids=set(some) - newer - left)
    with run.chunk():
        keep_conflicts(sync=sync, left=left, now=now)


def _ties_of(sync: InventorySync) -> dict[int, int]:
    """Return by the store's id the number of each lot that is tied, where rows still have it."""
    ties = {remote_id: number for remote_id, number in sync.told.get("ties", [])}
    rows = InventoryItem.objects.owned_by(sync.owner)
    there = rows.filter(marketplace_lot_id__in=list(ties.values())).order_by()
    numbers = set(there.values_list("marketplace_lot_id", flat=True))
    return {remote_id: number for remote_id, number in ties.items() if number in numbers}


def _make_locations(run: JobRun, sync: InventorySync, now: dt.datetime, total: int) -> None:
    names = sync.new_locations
    made_before = set(sync.made_location_ids)
    for start in range(0, len(names), CHUNK):
        part = names[start : start + CHUNK]
        with run.chunk(total=total, message="Making bins"):
            there = locations_named(owner=sync.owner, names=part, create=False, now=now)
            found = locations_named(owner=sync.owner, names=part, create=True, now=now)
            made_before |= {pk for name, pk in found.items() if name not in there}
            InventorySync.objects.filter(pk=sync.pk).update(made_location_ids=sorted(made_before))


class Importer(ABC):
    """Writes the chunks of one sync into what it is for."""

    def __init__(self, sync: InventorySync, *, by: User, now: dt.datetime) -> None:
        self.sync = sync
        #: By name.
        self.locations: dict[str, int] = {}
        self.by = by
        self.now = now
        self.instant = instant_text(now)
        #: The batch items that it marked as listed.
        self.uploaded = 0

    @abstractmethod
    def begin(self, run: JobRun) -> None:
        """Prepare what the import goes into."""

    @abstractmethod
    def apply(self, run: JobRun, chunk: SyncChunk, planned: Sequence[Planned]) -> None:
        """Write one chunk and keep what its undo needs, in the caller's transaction."""

    @abstractmethod
    def receive(self, run: JobRun) -> None:
        """Store what the file or the store says that the marketplace has."""

    @abstractmethod
    def end(self) -> dict[str, Any]:
        """Show what was written, in the last transaction; return what the job's result tells."""

    def _refuse(self, run: JobRun, planned: Sequence[Planned]) -> None:
        for one in planned:
            if one.kind == UNREADABLE:
                run.fail_item({"error": one.reason, "context": context_of(one)})

    def _lots(self, planned: Sequence[Planned]) -> dict[int, int]:
        """Create the catalogue lots that do not exist yet. Return index in the file -> lot id."""
        pairs = {one.position: (one.pair[0], one.pair[1]) for one in planned if one.pair}
        if not pairs:
            return {}
        made = catalogue_lots.ensure_lots(pairs=pairs.values(), now=self.now, by=self.sync.owner)
        return {index: made[pair] for index, pair in pairs.items() if pair in made}

    def _written(self, chunk: SyncChunk, created: Sequence[int], images: Sequence[Image]) -> None:
        SyncChunk.objects.filter(pk=chunk.pk).update(
            before=pack((created, [tuple(image) for image in images])), applied_at=self.now
        )


class StockImporter(Importer):
    """Puts a file, or what was read from the store, over the stock."""

    def __init__(self, sync: InventorySync, *, by: User, now: dt.datetime) -> None:
        super().__init__(sync, by=by, now=now)
        #: When the store was read. None for a file.
        self.read_at = read_at_of(sync) if sync.read_from == ReadFrom.STORE else None
        self.why = Why(by, now, Reason.IMPORT, CauseKind.SYNC)
        self.sold = Why(by, now, Reason.SALE, CauseKind.SYNC)

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the locations, by id."""
        return {pk: name for name, pk in self.locations.items()}

    def begin(self, run: JobRun) -> None:
        if self.read_at is not None:
            prepare_import(run)

    def receive(self, run: JobRun) -> None:
        if self.read_at is not None:
            _receive_store(run, self.sync, self.now)
        elif self.sync.reading.get("covers") != "part":
            # A partial file does not describe the store, so its lots are not stored as received.
            _receive(run, self.sync, self.now)
        self._mark_uploaded(run)
        # While this job has time: home must not find a whole store to reckon.
        reckon(owner=self.sync.owner)

    def _mark_uploaded(self, run: JobRun) -> None:
        """Mark as listed what waited in batches and is in the store."""
        told = [Waits(*one) for one in self.sync.told.get("uploaded", ())]
        rows = InventoryItem.objects.filter(pk__in={one.row_id for one in told})
        lots = dict(rows.values_list("pk", "marketplace_lot_id"))
        left = {*run.state.get("left_rows", ())}
        left_lots = {None, *run.state.get("left", ())}
        found = [
            one for one in told if one.row_id not in left and lots.get(one.row_id) not in left_lots
        ]
        for some in chunked(found, CHUNK):
            with run.chunk(message="Marking lots as listed"):
                rows_of = {one.item_id: one.row_id for one in some}
                marked = uploads().mark(
                    owner=self.sync.owner,
                    items={one.item_id: one.pieces for one in some},
                    by=self.by,
                    now=self.now,
                )
                # For its undo.
                self.sync.told["marked"] = [
                    *self.sync.told.get("marked", ()),
                    *([pk, lot_id, rows_of[pk], self.now.isoformat()] for pk, lot_id in marked),
                ]
                InventorySync.objects.filter(pk=self.sync.pk).update(told=self.sync.told)
        self.uploaded = len(self.sync.told.get("marked", ()))

    def end(self) -> dict[str, Any]:
        owner = self.sync.owner
        InventorySync.objects.filter(pk=self.sync.pk).update(over_limits=_over_limits(owner))
        follow_import(owner=owner, now=self.now)
        return {}

    def apply(self, run: JobRun, chunk: SyncChunk, planned: Sequence[Planned]) -> None:
        """Write one chunk: rows, ledger, counters and before-images together.

        Rows that were changed after the preview stay as they are. For a store, values newer than
        the reading are kept too, and the received quantities are written in the same transaction,
        so that a concurrent order is booked once.
        """
        self._refuse(run, planned)
        lot_ids = self._lots(planned)
        to_create = [one for one in planned if one.kind == CREATED]
        to_change = [one for one in planned if one.kind in (CHANGED, ZEROED)]
        rows = self._locked(to_create, to_change)
        if self.read_at is not None:
            to_change = self._untouched(run, to_change, rows)
        else:
            to_change = self._as_previewed(run, to_change, rows)
        weights = catalogue_weights(lot_ids.values())
        loads, entries, sales = Loads(), list[Entry](), list[Entry]()
        images = self._change(run, to_change, rows, lot_ids, weights, loads, entries, sales)
        created = self._create(to_create, lot_ids, weights, loads, entries)
        record({self.sold: sales, self.why: entries})
        rooms.change_rooms(loads=loads.by_location)
        if self.read_at is not None:
            self._know_pieces(to_change, rows)
        self._mend_promises(to_change, rows)
        self._written(chunk, created, images)

    def _as_previewed(
        self, run: JobRun, planned: Sequence[Planned], rows: dict[int, InventoryItem]
    ) -> list[Planned]:
        """Leave out and report the rows that were changed after the preview."""
        left = {
            row.pk
            for one in planned
            if (row := rows.get(one.item_id or 0)) and not self._is_as_planned(one, row)
        }
        for one in planned:
            if one.item_id in left:
                run.fail_item({"error": CHANGED_SINCE_PREVIEW, "context": context_of(one)})
        run.state["left_rows"] = [*run.state.get("left_rows", []), *left]
        return [one for one in planned if one.item_id not in left]

    def _is_as_planned(self, planned: Planned, row: InventoryItem) -> bool:
        return is_as_planned(
            planned,
            quantity=row.quantity,
            lot_id=row.lot_id,
            location=self.names.get(row.location_id or 0, ""),
            values=[plain(getattr(row, name)) for name in FILE_COLUMNS],
        )

    def _untouched(
        self, run: JobRun, planned: Sequence[Planned], rows: dict[int, InventoryItem]
    ) -> list[Planned]:
        """Leave out the lots that were changed here, or there, since the store was read."""
        assert self.read_at is not None
        lot_ids = {one.values[LISTING] for one in planned} - {None}
        channel: dict[str, Any] = {"owner": self.sync.owner, "channel_id": self.sync.channel_id}
        left = received.hold_read(**channel, lot_ids=lot_ids, read_at=self.read_at)
        known = received.received_of(**channel, lot_ids=lot_ids)
        for one in planned:
            row = rows.get(one.item_id or 0)
            if row is None:
                continue
            # An order that came since changes the received values, where there are any.
            is_newer = row.updated_at > self.read_at and row.marketplace_lot_id not in known
            if is_newer or not self._is_as_planned(one, row):
                left |= {one.values[LISTING], row.marketplace_lot_id} - {None}
        kept = [one for one in planned if one.values[LISTING] not in left]
        for one in planned:
            if one.values[LISTING] in left:
                run.fail_item({"error": CHANGED_SINCE, "context": context_of(one)})
        run.state["left"] = sorted({*run.state.get("left", []), *left})
        return kept

    def _know_pieces(self, planned: Sequence[Planned], rows: dict[int, InventoryItem]) -> None:
        assert self.read_at is not None
        pieces: dict[int, int] = {}
        for one in planned:
            row = rows.get(one.item_id or 0)
            if row is not None and row.marketplace_lot_id is not None:
                there = pieces.get(row.marketplace_lot_id, 0)
                pieces[row.marketplace_lot_id] = there + one.quantity - row.quantity
        pieces = {lot_id: change for lot_id, change in pieces.items() if change}
        if pieces:
            received.move_read(
                owner=self.sync.owner,
                channel_id=self.sync.channel_id,
                pieces=pieces,
                read_at=self.read_at,
            )

    def _mend_promises(self, planned: Sequence[Planned], rows: dict[int, InventoryItem]) -> None:
        """Move promises made since the preview away from rows that hold fewer pieces now.

        `rows` are as they were: what a buyer was promised stays of its lot and condition.
        """
        written = []
        for one in planned:
            if (row := rows.get(one.item_id or 0)) is not None:
                row.quantity = one.quantity
                written.append(row)
        reassign_promises(owner=self.sync.owner, items=written, now=self.now)

    def _locked(
        self, to_create: Sequence[Planned], to_change: Sequence[Planned]
    ) -> dict[int, InventoryItem]:
        """Lock locations, then rows: the order of all writers."""
        places = {
            self.locations[one.location]
            for one in (*to_create, *to_change)
            if one.location in self.locations
        }
        rows, _ = lock_rows(
            owner=self.sync.owner,
            item_ids=[one.item_id for one in to_change if one.item_id],
            hold=lambda where: rooms.hold(location_ids=where | places),
        )
        return rows

    def _create(
        self,
        planned: Sequence[Planned],
        lot_ids: dict[int, int],
        weights: dict[int, Decimal],
        loads: Loads,
        entries: list[Entry],
    ) -> list[int]:
        ids = allocate_ids(InventoryItem, len(planned))
        owner_id, instant, now_here = self.sync.owner_id, self.instant, self.locations
        rows = []
        for pk, one in zip(ids, planned, strict=True):
            lot_id = lot_ids.get(one.position, one.lot_id)
            place = now_here.get(one.location) if one.location else None
            grams = _grams(one, lot_ids, weights)
            rows.append(
                (
                    pk,
                    owner_id,
                    instant,
                    instant,
                    place,
                    None if grams is None else str(grams),
                    one.quantity,
                    lot_id,
                    *one.values,
                )
            )
            if one.quantity:
                entries.append(Entry(pk, one.quantity, None, place, self.sync.pk))
                loads.add(place, one.quantity, grams)
        insert_rows(InventoryItem, ITEM_FIELDS, rows)
        return ids

    def _change(
        self,
        run: JobRun,
        planned: Sequence[Planned],
        rows: dict[int, InventoryItem],
        lot_ids: dict[int, int],
        weights: dict[int, Decimal],
        loads: Loads,
        entries: list[Entry],
        sales: list[Entry],
    ) -> list[Image]:
        images: list[Image] = []
        writes: list[tuple[Any, ...]] = []
        for one in planned:
            row = rows.get(one.item_id or 0)
            if row is None:
                run.fail_item(
                    {"error": "This row was deleted meanwhile.", "context": context_of(one)}
                )
                continue
            image = image_of(row)
            images.append(image)
            if one.kind == ZEROED:
                place, grams, lot_id, values = (
                    row.location_id,
                    row.piece_grams,
                    row.lot_id,
                    image.values,
                )
            else:
                lot_id = lot_ids.get(one.position, one.lot_id)
                place = self.locations.get(one.location) if one.location else row.location_id
                grams, values = _grams(one, lot_ids, weights), one.values
            writes.append(
                (
                    row.pk,
                    self.instant,
                    place,
                    None if grams is None else str(grams),
                    one.quantity,
                    lot_id,
                    *values,
                )
            )
            loads.add(row.location_id, -row.quantity, row.piece_grams)
            loads.add(place, one.quantity, grams)
            sold = max(0, min(one.sold, row.quantity - one.quantity))
            if sold:
                sales.append(Entry(row.pk, -sold, row.location_id, None, self.sync.pk))
            entries += booked(row, place, one.quantity, self.sync.pk, sold=sold)
        update_rows(InventoryItem, CHANGED_FIELDS, writes)
        return images


def image_of(row: InventoryItem) -> Image:
    """Return the row as it is, to be put back by an undo."""
    grams = row.piece_grams
    return Image(
        row.pk,
        row.quantity,
        row.lot_id,
        row.location_id,
        None if grams is None else str(grams),
        [plain(getattr(row, name)) for name in FILE_COLUMNS],
    )


def booked(
    row: InventoryItem, place: int | None, quantity: int, cause_id: int, *, sold: int
) -> list[Entry]:
    """Return the movements that bring a row to `quantity` in `place`, beside those `sold`."""
    was, had = row.location_id, row.quantity - sold
    if place != was:
        moved = [Entry(row.pk, -had, was, place, cause_id)] if had else []
        return moved + ([Entry(row.pk, quantity, was, place, cause_id)] if quantity else [])
    delta = quantity - had
    if delta == 0:
        return []
    from_id, to_id = (None, was) if delta > 0 else (was, None)
    return [Entry(row.pk, delta, from_id, to_id, cause_id)]


def _grams(one: Planned, lot_ids: dict[int, int], weights: dict[int, Decimal]) -> Decimal | None:
    """Return the weight of one piece. Lots created by this sync are looked up."""
    if one.grams is not None:
        return Decimal(one.grams)
    return weights.get(lot_ids.get(one.position, 0))


def _over_limits(owner: User) -> list[dict[str, Any]]:
    """Return the locations over their limits. An import reports them instead of refusing rows."""
    over = (
        Location.objects.owned_by(owner)
        .filter(Q(item_count__gt=F("max_item_count")) | Q(stored_weight__gt=F("max_total_weight")))
        .order_by("sort_key")
        .values("id", "name", "item_count", "max_item_count", "stored_weight", "max_total_weight")
    )
    return [
        {
            **row,
            **{
                key: str(row[key])
                for key in ("stored_weight", "max_total_weight")
                if row[key] is not None
            },
        }
        for row in over[:MOST_LISTED]
    ]
