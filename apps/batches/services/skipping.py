"""Skips a piece: stores its photo, so that a person can identify it later."""

import datetime as dt
from base64 import b64encode
from typing import Final

from django.db import transaction

from apps.batches.models import Batch, KeptPhoto
from apps.batches.services.bulk import add_item
from apps.catalog.rules.kinds import ItemType
from apps.recognition.services.identify import readable_jpeg

# Enough to recognise a part by eye, and about 15 kB.
LONG_SIDE: Final = 400
NAME: Final = "Skipped piece"


def kept_photo(picture: bytes, *, owner: int) -> bytes:
    """Return a picture as the small JPEG that is kept. Takes up to seconds: call it outside
    transactions.

    Raises PictureUnusable, PictureTooLarge, RecognitionBusy.
    """
    return readable_jpeg(picture, whose=owner, long_side=LONG_SIDE)


def skip_piece(*, batch: Batch, jpeg: bytes, condition: str, now: dt.datetime) -> int:
    """Keep a piece with its photo as an unsorted lot of the batch; return the item's id.

    Raises BatchIsArchived, nothing kept.
    """
    with transaction.atomic():
        added = add_item(
            owner=batch.owner,
            draft={
                "batch_id": batch.pk,
                "item_type": ItemType.UNSORTED_LOT.value,
                "item_name": NAME,
                "condition": condition,
            },
            now=now,
        )
        KeptPhoto.objects.create(
            owner_id=batch.owner_id, item_id=added.item_id, jpeg=b64encode(jpeg).decode()
        )
    return added.item_id
