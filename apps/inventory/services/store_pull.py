"""Read the connected store and preview its differences, as for a BSX file."""

import datetime as dt
import tempfile
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import IO, Any, Final, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import F
from more_itertools import chunked

from apps.accounts.models import User
from apps.catalog.rules.kinds import LETTER_OF_TYPE
from apps.core.concurrency import after_commit
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.kept_file import forget_left_file, kept_file, now_named
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobFailed, JobRun
from apps.exchange.bsx_lot import BsxLot
from apps.exchange.bsx_writer import write_bsx
from apps.inventory.models import (
    SYNC_FILES,
    Channel,
    InventoryItem,
    InventorySync,
    ReadFrom,
    SyncState,
)
from apps.inventory.rules.bsx_fields import stored
from apps.inventory.services._previewing import run_preview
from apps.inventory.services._sync_state import refuse_while_running, resume
from apps.inventory.services.bsx_sync import SyncOptions, options_as_last_time
from apps.inventory.services.channels import in_channel
from apps.inventory.services.received import received_of, values_of

AT_ONCE: Final = 2_000
#: Lots that a file cannot hold of which the reason is told.
MOST_REFUSED: Final = 10
CLOSED: Final = (
    "The store reads as empty, as a closed one does (vacation): nothing is compared with that. "
    "Open the store, then pull again."
)


class Unread(NamedTuple):
    """Why lots of the store could not be read, and the items of those that no row here has.

    An item is type, number and colour; None may be any.
    """

    why: str = ""
    items: Sequence[tuple[str, str, int] | None] = ()


def start_pull(
    *, owner: User, name: str, kind: str, options: SyncOptions, by: User, channel: Channel
) -> InventorySync:
    """Start the job of this kind, which is to read the store. Raises SyncRunning."""
    refuse_while_running(owner)
    try:
        with transaction.atomic():
            sync = begin_pull(owner=owner, name=name, options=options, job=None, channel=channel)
            sync.job = start_job(owner=by, kind=kind, payload={"sync_id": sync.pk})
            sync.save(update_fields=["job"])
    except IntegrityError:
        refuse_while_running(owner)
        raise
    return sync


def begin_pull(
    *, owner: User, name: str, options: SyncOptions, job: Job | None, channel: Channel
) -> InventorySync:
    """Write the import that a job is to read the store into. Raises IntegrityError of a second."""
    sync: InventorySync = InventorySync.objects.create(
        owner=owner,
        channel=channel,
        read_from=ReadFrom.STORE,
        file_name=name,
        options=asdict(options_as_last_time(owner, options)),
        job=job,
    )
    return sync


def drop_pull(sync: InventorySync) -> None:
    """Delete an import that has changed nothing, with its file."""
    if sync.file:
        name = str(sync.file.name)
        after_commit(sync.file.storage.delete, name)
    InventorySync.objects.filter(pk=sync.pk).delete()


def run_pull(
    run: JobRun,
    *,
    sync_id: int,
    read: Callable[[], Iterable[BsxLot]],
    currency: Callable[[], str],
    now: dt.datetime,
    busy: Callable[[Sequence[BsxLot]], Container[int]] = lambda lots: (),
    ends_job: bool = True,
    channel: Channel,
    recheck: Callable[[], None] = lambda: None,
    unread: Callable[[], Unread] = Unread,
    may_be_empty: bool = False,
) -> InventorySync:
    """Read the store once and preview the differences. Raises JobFailed for a closed store.

    `read` yields its lots and `currency` returns their currency. `busy` returns which of some
    lots are being changed on the marketplace, or could not be read; they are skipped. `unread`
    returns what could not be read, once all is. `now` is a time before the first
    request. `recheck` is called where something differs: it stores what orders did up to the
    reading, and lots that it changes are left to the next one. Lots that only other channels
    than `channel` have are not missing in this one. `may_be_empty` takes an empty store for
    an empty one where no lot of it is known.
    A job that was killed after reading resumes with the stored lots.
    """
    sync = resume(sync_id, run.job, SyncState.PREVIEWING)
    if sync.channel_id is None:
        sync.channel = channel
        InventorySync.objects.filter(pk=sync.pk).update(channel=channel)
    if not (sync.file and run.state.get("is_read")):
        forget_left_file(run)
        with tempfile.TemporaryFile() as out:
            money = currency()
            told = _Reading(sync, read, busy, now, channel).write(out, money)
            is_new = may_be_empty and not (told["gone"] or told["sold_out"])
            if not told["lots"] and not is_new:
                raise JobFailed(reason=CLOSED)
            why, told["hidden_items"] = unread()
            told["unread"] = " ".join(filter(None, (why, *told.pop("refused"))))
            _keep(run, sync, out, told)
    if sync.told["same"] < sync.told["lots"] or sync.told["gone"]:
        recheck()
    run_preview(run, sync, now=now, ends_job=ends_job)
    sync.refresh_from_db()
    return sync


def _keep(run: JobRun, sync: InventorySync, out: IO[bytes], told: dict[str, Any]) -> None:
    size = out.tell()
    read = run.chunk(total=told["lots"], message=f"Read {told['lots']:,} lots")
    # One job may read several stores.
    with kept_file(run, out, folder=SYNC_FILES, suffix=f"{sync.pk}.bsx") as name, read:
        sync.file.name, sync.told, sync.file_size = name, told, size
        sync.save(update_fields=["file", "told", "file_size", "updated_at"])
        run.state["is_read"] = True
        now_named(run)


class _Reading:
    """Reads a store once: counts the lots equal to the last received ones, writes the others."""

    def __init__(
        self,
        sync: InventorySync,
        read: Callable[[], Iterable[BsxLot]],
        busy: Callable[[Sequence[BsxLot]], Container[int]],
        now: dt.datetime,
        channel: Channel,
    ) -> None:
        self.sync = sync
        self.owner = sync.owner
        self.read = read
        self.busy = busy
        self.now = now
        self.lots = 0
        self.same = 0
        # A lot promised to buyers to the last piece is no longer in the store.
        listed = InventoryItem.objects.owned_by(self.owner).filter(
            in_channel(channel), quantity__gt=F("promised")
        )
        received = channel.lots.filter(remote_lot_id__range=channel.lot_ids)
        # Orders took all of it. Its rows here wait for what becomes of them.
        rows = InventoryItem.objects.owned_by(self.owner).filter(marketplace_lot_id__isnull=False)
        sold_out = received.filter(
            quantity=0, marketplace_lot_id__in=rows.values("marketplace_lot_id")
        )
        self.sold_out = set(sold_out.values_list("marketplace_lot_id", flat=True))
        # Read before the store, so that lots listed in between do not count as missing there.
        self.listed = set(listed.order_by().values_list("marketplace_lot_id", flat=True))
        self.listed -= self.sold_out
        self.known = self.listed | set(received.values_list("marketplace_lot_id", flat=True))
        self.known -= self.sold_out
        self.listed_there = 0
        #: Lots that no row has: a row that lost its number may be one, as it was last received.
        untied = received.exclude(marketplace_lot_id__in=rows.values("marketplace_lot_id"))
        self.untied = set(untied.values_list("marketplace_lot_id", flat=True))
        self.as_known: list[int] = []

    def write(self, out: IO[bytes], currency: str) -> dict[str, Any]:
        """Write the lots that differ as BSX. Return the details that the sync stores."""
        differing = self._differing()
        written = write_bsx(differing, out, currency=currency, keeps_words=True)  # type: ignore[arg-type]
        return {
            "refused": [one.message for one in written.refused[:MOST_REFUSED]],
            "lots": self.lots,
            "same": self.same,
            "listed_lots": len(self.listed),
            "listed_lots_there": self.listed_there,
            "gone": sorted(self.known),
            "sold_out": sorted(self.sold_out),
            "as_known": self.as_known,
            "read_at": self.now.isoformat(),
        }

    def _differing(self) -> Iterator[BsxLot]:
        for some in chunked(self.read(), AT_ONCE):
            self.lots += len(some)
            yield from self._unlike_known(some)

    def _unlike_known(self, lots: Sequence[BsxLot]) -> Iterator[BsxLot]:
        ids = {lot.marketplace_lot_id for lot in lots if lot.marketplace_lot_id is not None}
        self.listed_there += len(ids & self.listed)
        bases = received_of(
            owner=self.owner,
            lot_ids=ids & (self.known | self.sold_out),
            channel_id=self.sync.channel_id,
        )
        items = self._items(ids & self.listed)
        self.known -= ids
        self.sold_out -= ids
        busy = self.busy(lots)
        for lot in lots:
            lot_id = lot.marketplace_lot_id or 0
            if lot_id in busy:
                self.same += 1
                continue
            base, item = bases.get(lot_id), (lot.item_type, lot.item_number, lot.color_id)
            is_known = (
                base is not None
                and not base["given_up"]
                and values_of(stored(lot)).items() <= base.items()
            )
            if is_known and item in items.get(lot_id, (item,)) and lot_id not in self.untied:
                self.same += 1
                continue
            if is_known and lot_id in self.untied:
                self.as_known.append(lot_id)
            yield lot

    def _items(self, lot_ids: Iterable[int]) -> dict[int, list[tuple[Any, ...]]]:
        """Return by lot id its item and colour here, as the catalogue and as its file name them."""
        rows = InventoryItem.objects.owned_by(self.owner).filter(marketplace_lot_id__in=lot_ids)
        found = {}
        for lot_id, kind, number, color, *raw in rows.values_list(
            "marketplace_lot_id",
            "lot__item__item_type",
            "lot__item__number",
            "lot__color_id",
            "raw_item_type",
            "raw_item_number",
            "raw_color_id",
        ):
            found[lot_id] = [(LETTER_OF_TYPE.get(kind), number, color), tuple(raw)]
        return found
