"""Keep what a person says a picture shows."""

from typing import Any, Final

from django.core import signing

from apps.catalog.models import Item
from apps.core.errors import UnknownReference, ValueRefused
from apps.recognition.models import Capture
from apps.recognition.services.eyes import MOST_CAPTURES, SALT

_SECONDS: Final = 24 * 3600


def keep_capture(*, owner: Any, capture: str, item_id: int, seen_number: str) -> Capture:
    """Keep what was seen with what it is. Raises ValueRefused, UnknownReference.

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
    kept = Capture.objects.create(
        owner=owner, item=item, seen_number=seen_number, was_right=seen_number == item.number,
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
