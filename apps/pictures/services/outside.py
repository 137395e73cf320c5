"""Pictures of other sites, where the operator allows them: fetched once, checked, kept."""

import datetime as dt
from typing import Final

from django.conf import settings
from django.core.cache import cache

from apps.catalog.models import Color, Item
from apps.catalog.rules.images import outside_image
from apps.core.isolated import Isolated, Limits, NoRoom, OutOfLimits, Raised
from apps.pictures.providers.outside import NoPicture, fetch
from apps.pictures.services.cache import keep, kept
from apps.pictures.services.coloring import UnknownPicture, count_new

# A site that has none is not asked again for so long.
_FORGET_SECONDS: Final = 24 * 3600
_BUSY_SECONDS: Final = 30

_small = Isolated(
    "apps.pictures.rules.outside:small_webp", Limits(cpu_seconds=2, memory_bytes=400_000_000)
)


def outside_picture(
    *, item_type: str, number: str, color_id: int, limits: dict[str, int], now: dt.datetime
) -> bytes:
    """Return another site's picture of an item of the catalogue, as WebP.

    Raises UnknownPicture where there is none or it is not allowed, TooMany beyond `limits`.
    """
    if not settings.OUTSIDE_PICTURES:
        raise UnknownPicture
    key = f"outside-{item_type}-{color_id}-{number}"
    picture = kept(key)
    if picture is not None:
        return picture
    address = _address(item_type, number, color_id)
    count_new(limits, now=now)
    # One request fetches; others get the picture the next time.
    if not cache.add(f"pictures:{key}", 1, _BUSY_SECONDS):
        raise UnknownPicture
    try:
        picture = _small(fetch(address))
    except (NoPicture, Raised, OutOfLimits) as problem:
        cache.set(f"pictures:{key}", 1, _FORGET_SECONDS)
        raise UnknownPicture from problem
    except NoRoom as problem:
        cache.delete(f"pictures:{key}")
        raise UnknownPicture from problem
    keep(key, picture)
    cache.delete(f"pictures:{key}")
    return picture


def _address(item_type: str, number: str, color_id: int) -> str:
    item = Item.objects.filter(item_type=item_type, number=number).first()
    if item is None or not Color.objects.filter(pk=color_id).exists():
        raise UnknownPicture
    address = outside_image(item.item_type, item.number, item.image_url, item.origin, color_id)
    if not address:
        raise UnknownPicture
    return address
