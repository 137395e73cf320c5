"""The capacity of locations, learnt from what locations like them hold."""

from collections import defaultdict
from collections.abc import Collection
from typing import Final

from django.db.models import Q

from apps.accounts.models import User
from apps.core.prepared import WHOLE, Prepared
from apps.locations.models import Location
from apps.locations.rules.capacity import learnt_limit


def pieces_in_like_ones(*, owner: User, ids: Collection[int]) -> list[int]:
    """Return the pieces in each filled location of these and of their container types."""
    mine = Location.objects.owned_by(owner).order_by()
    types = mine.filter(pk__among=ids).exclude(container_type=None).values("container_type")
    like = mine.filter(Q(pk__among=ids) | Q(container_type__in=types), item_count__gt=0)
    return list(like.values_list("item_count", flat=True))


_PIECES: Final = Prepared(
    lambda owner: (
        Location.objects.owned_by(owner).order_by().values_list("container_type_id", "item_count")
    ),
    owner=WHOLE,
)


def learnt_limits(*, owner: User) -> dict[int | None, int]:
    """Return container type id -> the pieces that its locations stay within; None: without a type.

    Types that teach nothing yet are left out.
    """
    pieces: defaultdict[int | None, list[int]] = defaultdict(list)
    for type_id, count in _PIECES.rows(owner=owner.pk):
        pieces[type_id].append(count)
    limits = {type_id: learnt_limit(counts) for type_id, counts in pieces.items()}
    return {type_id: limit for type_id, limit in limits.items() if limit is not None}
