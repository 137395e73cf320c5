"""Confirm that a mass update was uploaded: its values are those that BrickLink has from then on."""

import datetime as dt
from typing import Final

from django.db import transaction

from apps.accounts.models import User
from apps.batches.services.uploaded import mark_uploaded
from apps.core.concurrency import claim
from apps.core.errors import StateConflict
from apps.exports.models import Export, ExportKind
from apps.exports.services._update import unpacked
from apps.inventory.models import InventoryItem
from apps.inventory.services.channels import channel_of_files
from apps.inventory.services.received import forget, receive, received_of

_AT_ONCE: Final = 5_000


class NotToConfirm(StateConflict):
    message = "There is nothing to confirm: {reason}"


@transaction.atomic
def confirm_upload(*, export: Export, by: User, now: dt.datetime) -> int:
    """Store the values of a mass update as those that BrickLink last received.

    Lots that were read since stay as they are, and pieces sold since stay sold. Rows at 0 whose
    lots the file deletes are no longer for sale; items of its batch whose pieces it sends are.
    Returns how many lots. Raises NotToConfirm.
    """
    if export.kind != ExportKind.MASS_UPDATE or export.written_at is None:
        raise NotToConfirm(reason="only the file of a mass update is.")
    rows = Export.objects.filter(pk=export.pk)
    if not claim(rows, where={"uploaded_at": None}, set={"uploaded_at": now}):
        raise NotToConfirm(reason="this file was confirmed already.")
    written_at = export.written_at
    sent = unpacked(export.sent)
    channel_id = channel_of_files(export.owner).pk
    known = received_of(
        owner=export.owner, lot_ids=[one.lot_id for one in sent], channel_id=channel_id
    )
    fresh = [
        one
        for one in sent
        if one.lot_id not in known or known[one.lot_id]["received_at"] <= written_at
    ]
    kept = {one.lot_id: one.onto(known.get(one.lot_id)) for one in fresh if one.values is not None}
    deleted = [one.lot_id for one in fresh if one.values is None]
    receive(owner=export.owner, lots=kept, now=now, channel_id=channel_id)
    forget(owner=export.owner, channel_id=channel_id, lot_ids=deleted)
    if export.batch is not None and not export.options.get("update_fields"):
        lot_ids = [one.lot_id for one in fresh if one.has_quantity]
        mark_uploaded(batch=export.batch, lot_ids=lot_ids, until=written_at, by=by, now=now)
    mine = InventoryItem.objects.owned_by(export.owner).filter(quantity=0)
    for start in range(0, len(deleted), _AT_ONCE):
        some = deleted[start : start + _AT_ONCE]
        mine.filter(marketplace_lot_id__in=some).update(marketplace_lot_id=None, updated_at=now)
    return len(fresh)
