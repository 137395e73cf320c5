"""Store the pictures that a person confirmed, and export them."""

import base64
import csv
import io
import zipfile
from collections.abc import Iterator
from typing import Any, Final

from django.core import signing

from apps.accounts.models import User
from apps.catalog.models import Color, Item
from apps.core.errors import UnknownReference, ValueRefused
from apps.exchange.csv_cells import defused
from apps.recognition.models import Capture
from apps.recognition.services.eyes import MOST_CAPTURES, SALT

_SECONDS: Final = 24 * 3600
# Pictures of an export in memory at once: 2 MB.
_AT_ONCE: Final = 100
TABLE: Final = "captures.csv"
COLUMNS: Final = (
    "file", "part", "color_id", "color", "seen_as", "was_right", "model", "confirmed_at",
)  # fmt: skip


def keep_capture(
    *, owner: User, capture: str, item_id: int, color_id: int | None, seen_number: str
) -> Capture:
    """Store a picture with its confirmed item. Raises ValueRefused, UnknownReference.

    The oldest go when there are more than the recogniser compares with.
    """
    try:
        seen = signing.loads(capture, salt=SALT, max_age=_SECONDS)
    except signing.BadSignature as problem:
        raise ValueRefused(
            fields={"capture": ["is older than a day, or not of this server"]}
        ) from problem
    item = Item.objects.filter(pk=item_id).first()
    if item is None:
        raise UnknownReference(fields={"item_id": ["is not in the catalogue"]})
    if color_id is not None and not Color.objects.filter(pk=color_id).exists():
        raise UnknownReference(fields={"color_id": ["is not in the catalogue"]})
    kept = Capture.objects.create(
        owner=owner, item=item, color_id=color_id, seen_number=seen_number,
        was_right=seen_number == item.number,
        model=seen["m"], vector=seen["v"], crop=seen["c"],
    )  # fmt: skip
    oldest = (
        Capture.objects.owned_by(owner).order_by("-pk").values_list("pk", flat=True)[MOST_CAPTURES:]
    )
    Capture.objects.filter(pk__in=list(oldest[:100])).delete()
    return kept


def forget_capture(*, capture: Capture) -> None:
    """Delete one."""
    capture.delete()


class _Unsent(io.RawIOBase):
    """The written and unread part of a zip; cannot seek."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def export_captures(*, owner: User) -> Iterator[bytes]:
    """Yield a zip of the owner's captures, newest first: JPEGs, and a table of their items.

    At most as many as the recogniser compares with; a hundred are in memory at once.
    """
    unsent = _Unsent()
    table = io.StringIO()
    rows = csv.writer(table)
    rows.writerow(COLUMNS)
    colors = dict(Color.objects.values_list("pk", "name"))
    mine = Capture.objects.owned_by(owner).select_related("item").defer("vector").order_by("-pk")
    with zipfile.ZipFile(unsent, "w", zipfile.ZIP_STORED) as archive:
        before: int | None = None
        for _ in range(MOST_CAPTURES // _AT_ONCE):
            some = list((mine if before is None else mine.filter(pk__lt=before))[:_AT_ONCE])
            for row in some:
                name = f"pictures/{row.pk}.jpg"
                archive.writestr(
                    zipfile.ZipInfo(name, row.created_at.timetuple()[:6]),
                    base64.b64decode(row.crop),
                )
                color = "" if row.color_id is None else colors.get(row.color_id, "")
                cells = (
                    name, row.item.number, row.color_id, color, row.seen_number, row.was_right,
                    row.model, row.created_at,
                )  # fmt: skip
                rows.writerow([defused(cell) for cell in cells])
            yield unsent.taken()
            if len(some) < _AT_ONCE:
                break
            before = some[-1].pk
        archive.writestr(TABLE, table.getvalue())
    yield unsent.taken()
