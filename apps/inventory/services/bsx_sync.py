"""Import of a file of lots into the stock or a batch: start, preview, apply and undo."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.accounts.services.currency import adopt_currency
from apps.core.concurrency import claim
from apps.core.errors import FileUnreadable, Invalid, UploadTooLarge
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun
from apps.exchange.refusals import FileRefused
from apps.inventory.models import InventorySync, SyncState, SyncTarget
from apps.inventory.rules.sync_plan import CHANGED, CREATED, OF_UNKNOWN, ZEROED
from apps.inventory.rules.wrong_store import count_to_confirm, looks_like_another_store
from apps.inventory.selectors.syncs import applied_chunks, brief_rows, changed_since, is_archived
from apps.inventory.services._previewing import preview_sync
from apps.inventory.services._sync_apply import Importer, apply_sync
from apps.inventory.services._sync_preview import Preview, read_rate
from apps.inventory.services._sync_state import (
    KINDS_OF,
    begin,
    currency_of,
    mark_for,
    refuse_while_running,
    settle,
    state_of,
)
from apps.inventory.services._sync_undo import Applied, UndoSync, remove_locations, undo_sync
from apps.inventory.services.errors import (
    ConfirmAnotherStore,
    ConfirmZeroed,
    CurrencyDiffers,
    NothingToImport,
    RowsChangedSince,
    StockChangedSince,
    SyncNotReady,
)
from apps.inventory.services.files import check_file
from apps.inventory.services.sync_questions import makes_items, why_no_items
from apps.locations.rules.several import SeveralLocations

__all__ = [
    "APPLY_KIND",
    "PREVIEW_KIND",
    "UNDO_KIND",
    "Applied",
    "Importer",
    "Preview",
    "SyncOptions",
    "UndoSync",
    "apply_sync",
    "apply_within",
    "currency_of",
    "preview_sync",
    "remove_locations",
    "start_apply",
    "start_preview",
    "start_sync",
    "start_undo",
    "undo_sync",
]

PREVIEW_KIND, APPLY_KIND, UNDO_KIND = KINDS_OF[SyncTarget.STOCK]
MIB: Final = 1024 * 1024
COVERS: Final = ("", "whole", "part")
CURRENCY_ACTIONS: Final = ("", "relabel", "convert", "stop")
#: A preview asks by itself, and changes nothing while it does.
SEVERAL_LOCATIONS: Final = tuple(
    choice.value for choice in SeveralLocations if choice is not SeveralLocations.ASK
)
MINE: Final = "mine"
THEIRS: Final = "theirs"
MOST_SHOWN: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncOptions:
    """The options of an import. `rate` is units of the store's currency for one of the file's.

    `several_locations` decides how Remarks that name several locations are read. '' uses this
    option and `split_quantities` of the last applied import; the first import ignores them.
    """

    create_locations: bool = True
    #: Whether Remarks may name a bin at all.
    reads_remarks: bool = True
    several_locations: str = ""
    split_quantities: bool = False
    #: Whether that was said for this file, and not taken from the last import.
    is_several_decided: bool = False
    #: By name, whether Remarks name a bin by it, as a person decided; others by their look.
    bins: dict[str, bool] = field(default_factory=dict)
    #: The position of a bin's name in Remarks, such as "in *".
    #: None: those of the last import.
    bin_patterns: list[str] | None = None
    currency_action: str = ""
    rate: str = ""
    repair: bool = False
    #: Of a store: whose value counts where both sides changed a field; '' is mine.
    conflicts: str = ""
    #: No person reads the preview: rows that need a person's decision are left unchanged.
    is_unattended: bool = False
    #: `whole` sets rows missing from the file to 0, `part` keeps them, '' depends on the file type.
    covers: str = ""
    #: A person's corrections of how a table is read, see `exchange/table_form.py`.
    table: dict[str, Any] = field(default_factory=dict)
    #: Of a batch: its name, which one the lots join, and how.
    batch: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "SyncOptions":
        """Return the options. Raises Invalid, field by field."""
        options = cls(**{name: values[name] for name in cls.__slots__ if name in values})
        if options.currency_action not in CURRENCY_ACTIONS:
            expected = ", ".join(action for action in CURRENCY_ACTIONS if action)
            raise Invalid(fields={"currency_action": [f"must be one of: {expected}"]})
        if options.several_locations not in ("", *SEVERAL_LOCATIONS):
            expected = ", ".join(SEVERAL_LOCATIONS)
            raise Invalid(fields={"several_locations": [f"must be one of: {expected}"]})
        if options.currency_action == "convert":
            read_rate(options.rate)
        return options


def start_sync(
    *,
    owner: User,
    file: File[Any],
    file_name: str,
    options: SyncOptions,
    by: User,
    target: SyncTarget = SyncTarget.STOCK,
) -> InventorySync:
    """Store the upload and start its preview. Nothing else changes.

    Raises UploadTooLarge, Invalid for a file without lots, SyncRunning.
    """
    _check_upload(file, owner)
    if target == SyncTarget.STOCK:
        refuse_while_running(owner)
    sync = InventorySync(
        owner=owner,
        target=target,
        file_name=file_name[-255:],
        file_size=file.size,
        options=asdict(options_as_last_time(owner, options, target)),
    )
    file.seek(0)
    sync.file.save(file_name, file, save=False)
    try:
        with transaction.atomic():
            sync.save(force_insert=True)
            sync.job = start_job(
                owner=by,
                kind=KINDS_OF[target].preview,
                payload={"sync_id": sync.pk, "is_first": True},
                total=file.size,
            )
            sync.save(update_fields=["job"])
    except IntegrityError:
        sync.file.delete(save=False)
        refuse_while_running(owner)
        raise
    except BaseException:
        sync.file.delete(save=False)
        raise
    return sync


def start_preview(
    *, sync: InventorySync, options: SyncOptions, by: User, sent: Collection[str] | None = None
) -> InventorySync:
    """Preview the kept file again, with other options or over changed stock.

    Options of a batch that are not among those `sent` stay as they are. Raises SyncRunning,
    SyncNotReady once some of it was applied or its file was deleted. `currency_action` stop ends
    the sync instead.
    """
    settle(sync.owner)
    sync.refresh_from_db()
    if sync.chunks.filter(applied_at__isnull=False).exists():
        raise SyncNotReady(state=state_of(sync), expected="only its undo is left")
    if sync.target == SyncTarget.BATCH and sent is not None:
        options = _as_before(sync, options, sent)
    options = replace(
        options_as_last_time(sync.owner, options, SyncTarget(sync.target)),
        conflicts=sync.options.get("conflicts", ""),
        batch=sync.options.get("batch", {}),
    )
    waiting = (SyncState.PREVIEWED, SyncState.FAILED, SyncState.CANCELLED)
    if options.currency_action == "stop":
        InventorySync.objects.filter(pk=sync.pk, state__in=waiting).update(
            state=SyncState.CANCELLED, options=asdict(options)
        )
        sync.refresh_from_db()
        return sync
    if not sync.file:
        raise SyncNotReady(state=state_of(sync), expected="its file is gone: upload it again")
    return begin(
        sync,
        from_states=waiting,
        to=SyncState.PREVIEWING,
        kind=KINDS_OF[SyncTarget(sync.target)].preview,
        payload={},
        total=sync.file_size,
        also={"options": asdict(options)},
        by=by,
    )


def _as_before(sync: InventorySync, options: SyncOptions, sent: Collection[str]) -> SyncOptions:
    """Return the options with those that were not sent as the sync has them."""
    kept = {name for name in SyncOptions.__slots__ if name in sync.options} - set(sent)
    if not sync.options.get("is_several_decided"):
        kept -= {"several_locations", "split_quantities"}  # still asked
    return replace(options, **{name: sync.options[name] for name in kept})


def start_apply(*, sync: InventorySync, confirm_zeroed: int | None, by: User) -> InventorySync:
    """Start to apply a preview, or resume a cancelled sync of the stock.

    Raises SyncNotReady, SyncRunning, CurrencyDiffers, StockChangedSince, NothingToImport, and
    ConfirmZeroed or ConfirmAnotherStore if `confirm_zeroed` is not the number that `count_to_confirm` requires.
    """
    settle(sync.owner)
    sync.refresh_from_db()
    # A batch is applied whole or not at all.
    half_way = (
        sync.target == SyncTarget.STOCK and sync.chunks.filter(applied_at__isnull=False).exists()
    )
    if sync.state == SyncState.PREVIEWED:
        # Before the account may take the file's currency.
        is_stale = mark_for(sync) != sync.stock_mark
        _check_currency(sync)
        if is_stale:
            raise StockChangedSince
        if sync.target == SyncTarget.BATCH and not makes_items(sync):
            raise NothingToImport(why=why_no_items(sync))
        _check_zeroed(sync, confirm_zeroed)
    elif not (half_way and sync.state in (SyncState.CANCELLED, SyncState.FAILED)):
        raise SyncNotReady(state=sync.state, expected="only a preview can be applied")
    elif sync.undone_at or sync.chunks.filter(undone_at__isnull=False).exists():
        raise SyncNotReady(state=sync.state, expected="what was undone is not applied again")
    return begin(
        sync,
        from_states=(SyncState.PREVIEWED, SyncState.CANCELLED, SyncState.FAILED),
        to=SyncState.APPLYING,
        kind=KINDS_OF[SyncTarget(sync.target)].apply,
        payload={},
        total=None,
        by=by,
    )


def apply_within(
    run: JobRun, sync: InventorySync, *, now: dt.datetime, is_confirmed: bool = False
) -> InventorySync:
    """Apply a preview, or resume applying it, as a part of a job that has more work after it.

    `is_confirmed`: a person has confirmed how many lots fall to 0. Rows that were changed after
    the preview are left to the next one. Raises SyncNotReady, CurrencyDiffers, and ConfirmZeroed
    or ConfirmAnotherStore if a person has to confirm first.
    """
    sync.refresh_from_db()
    if sync.state == SyncState.PREVIEWED:
        take_up(run, sync, is_confirmed=is_confirmed)
    apply_sync(run, sync_id=sync.pk, now=now, ends_job=False)
    sync.refresh_from_db()
    return sync


def take_up(run: JobRun, sync: InventorySync, *, is_confirmed: bool = False) -> None:
    """Let the job of a preview apply it.

    Raises SyncNotReady, CurrencyDiffers, ConfirmZeroed, ConfirmAnotherStore.
    """
    _check_currency(sync)
    if not is_confirmed:
        _check_zeroed(sync, None)
    rows = InventorySync.objects.filter(pk=sync.pk, job=run.job)
    if not claim(rows, where={"state": SyncState.PREVIEWED}, set={"state": SyncState.APPLYING}):
        raise SyncNotReady(state=sync.state, expected="only a preview can be applied")


def adopt_file(
    *, owner: User, file: str, file_name: str, options: SyncOptions, job: Job
) -> InventorySync:
    """Return the import into a batch of a stored file, which a job of 0.2.0 takes up."""
    sync: InventorySync = InventorySync.objects.create(
        owner=owner,
        target=SyncTarget.BATCH,
        file=file,
        file_name=file_name,
        file_size=default_storage.size(file),
        options=asdict(options),
        job=job,
    )
    return sync


def start_undo(
    *,
    sync: InventorySync,
    rows_changed_since: str = "",
    rows: Mapping[int, str] | None = None,
    by: User,
) -> InventorySync:
    """Start to put the stock back as it was before the import.

    Rows changed since stay as they are (`mine`) or are put back too (`theirs`); `rows`
    decides single ones. Raises RowsChangedSince while that is not decided, SyncNotReady,
    SyncRunning, Invalid.
    """
    decided = dict(rows or {})
    if any(
        choice not in (MINE, THEIRS) for choice in (*decided.values(), rows_changed_since or MINE)
    ):
        raise Invalid(fields={"rows_changed_since": [f"must be {MINE} or {THEIRS}"]})
    settle(sync.owner)
    sync.refresh_from_db()
    ended = (SyncState.APPLIED, SyncState.CANCELLED, SyncState.FAILED)
    is_applied = "marked" in sync.told or applied_chunks(sync=sync).exists()
    if sync.state not in ended or not is_applied:
        raise SyncNotReady(state=sync.state, expected="there is nothing of it to undo")
    if is_archived(sync=sync):
        raise SyncNotReady(state=sync.state, expected="its batch is archived: restore that first")
    if not rows_changed_since:
        undecided = [pk for pk in changed_since(sync=sync) if pk not in decided]
        if undecided:
            raise RowsChangedSince(
                count=len(undecided),
                data=brief_rows(sync=sync, item_ids=undecided[:MOST_SHOWN]),
            )
    return begin(
        sync,
        from_states=ended,
        to=SyncState.UNDOING,
        kind=KINDS_OF[SyncTarget(sync.target)].undo,
        payload={
            "otherwise": rows_changed_since or MINE,
            "rows": {str(pk): choice for pk, choice in decided.items()},
        },
        total=sum(
            counts.get(kind, 0)
            for counts in applied_chunks(sync=sync).values_list("counts", flat=True)
            for kind in (CREATED, CHANGED, ZEROED, *OF_UNKNOWN.values())
        ),
        by=by,
    )


def options_as_last_time(
    owner: User, options: SyncOptions, target: SyncTarget = SyncTarget.STOCK
) -> SyncOptions:
    """Fill in missing options from the last import: a store's files rarely change their format."""
    applied = InventorySync.objects.owned_by(owner).filter(state=SyncState.APPLIED, target=target)
    last = applied.order_by("-pk").values_list("options", flat=True).first() or {}
    options = replace(
        options,
        bins={**last.get("bins", {}), **options.bins},
        bin_patterns=(
            last.get("bin_patterns") or [] if options.bin_patterns is None else options.bin_patterns
        ),
    )
    if options.several_locations:
        return replace(options, is_several_decided=True)
    return replace(
        options,
        several_locations=last.get("several_locations", SeveralLocations.IGNORE.value),
        split_quantities=last.get("split_quantities", False),
    )


def _check_upload(file: File[Any], owner: User) -> None:
    if file.size > settings.MAX_UPLOAD_BYTES:
        raise UploadTooLarge(limit_mib=settings.MAX_UPLOAD_BYTES // MIB)
    file.seek(0)
    try:
        # The first bytes are enough to refuse a zip, a web page, an XML bomb or other XML.
        check_file(file.file, owner=owner)
    except FileRefused as refused:
        raise FileUnreadable(
            fields={"file": [refused.message]}, data=[{"refused_as": refused.code}]
        ) from refused


def _check_currency(sync: InventorySync) -> None:
    """Set the file's currency for an account without amounts. Raises CurrencyDiffers."""
    store = currency_of(sync.owner)
    if sync.currency == store or sync.options.get("currency_action"):
        return
    has_one = sync.header.get("has_currency", False)
    if not (has_one and adopt_currency(user=sync.owner, currency=sync.currency)):
        raise CurrencyDiffers(
            file_currency=sync.currency,
            store_currency=store,
            data=[{"file_currency": sync.currency, "store_currency": store}],
        )


def _check_zeroed(sync: InventorySync, confirmed: int | None) -> None:
    wanted = count_to_confirm(sync.counts)
    if not wanted or confirmed == wanted:
        return
    zeroed, total = sync.counts.get("zeroed", 0), sync.counts.get("in_stock", 0)
    if looks_like_another_store(sync.counts):
        there, listed = sync.counts["listed_lots_there"], sync.counts["listed_lots"]
        raise ConfirmAnotherStore(
            there=there,
            listed=listed,
            wanted=wanted,
            data=[{"zeroed": zeroed, "in_stock": total, "to_confirm": wanted}],
        )
    if zeroed:
        raise ConfirmZeroed(
            zeroed=zeroed, total=total, data=[{"zeroed": zeroed, "in_stock": total}]
        )
