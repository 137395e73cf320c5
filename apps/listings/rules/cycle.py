"""Rules of the sync: when it is due, the order of sending, when it must stop or asks. Pure."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Final

#: A look comes late or early by this much.
SLACK: Final = dt.timedelta(seconds=30)
#: So few lots may always be taken off the market.
FEW: Final = 5
#: How a lot differs: what is taken over from the store, then what is sent to it.
OURS: Final = ("sold", "gone", "taken", "linked", "created")
THEIRS: Final = ("lowered", "raised", "removed", "put_up", "changed")
#: At several channels: what could be sold twice on all first, then rises, then the rest.
SENT_IN_TURN: Final = (("lowered", "removed"), ("raised",), ("put_up",), ("changed",))
#: What a person may leave out of a plan for good: nothing is sold twice by that.
MAY_BE_WITHHELD: Final = ("raised", "put_up", "changed")
#: Lots that vanish, here or there.
REMOVALS: Final = frozenset({"gone", "removed"})


def suspicion(counts: Mapping[str, int]) -> str:
    """Return why this may be another store, or ''. With a reason, no row is preselected."""
    known, gone = counts.get("known", 0), counts.get("gone", 0)
    if gone * 10 <= known:
        return ""
    return (
        f"{gone:,} of the {known:,} lots that you have for sale are not in this store. It may be "
        "another store, or yours after it was listed anew."
    )


def is_due(minutes: int, *, last: dt.datetime | None, now: dt.datetime) -> bool:
    """Whether it is time again. A clock that was set back makes no store wait."""
    if not minutes:
        return False
    if last is None or last > now:
        return True
    return now - last >= dt.timedelta(minutes=minutes) - SLACK


def too_many_removals(removed: int, known: int) -> bool:
    """Whether so many lots would leave the store that a person types their number first."""
    return removed > FEW and removed * 10 > known


def too_many_to_put_up(lacking: int, known: int) -> bool:
    """Whether a channel lacks so many lots that a person sees their number first."""
    return lacking > FEW and lacking * 10 > known


def urgency(delta: int, *, is_removed: bool, fields: Sequence[str]) -> int:
    """Return the order of sending: changes that prevent selling twice first, texts last."""
    if delta < 0:
        return 0
    if is_removed:
        return 1
    if delta:
        return 2
    return 3 if set(fields) & {"price", "sale", "bulk", "tiers"} else 4


def is_same_sending(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two calls are equal, so that a refused one would be refused again."""
    return bool(one) and one == other
