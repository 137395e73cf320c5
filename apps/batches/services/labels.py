"""Labels of batches: for the bag or box that waits to be sorted."""

from collections.abc import Sequence

from apps.accounts.models import User
from apps.batches.models import Batch
from apps.locations.services.labels import LabelPlan, Print, plan_cards, print_cards

# The scanned text: it opens the batch, and chooses it at the station.
PREFIX = "BAT:"


def plan_batch_labels(*, owner: User, batch_ids: Sequence[int], how: Print) -> LabelPlan:
    """Return the plan of `print_batch_labels`. Raises Invalid."""
    return plan_cards(cards=_cards(owner, batch_ids), how=how)


def print_batch_labels(*, owner: User, batch_ids: Sequence[int], how: Print) -> bytes:
    """Return the PDF of the labels of these batches of `owner`, as asked. Raises Invalid."""
    return print_cards(cards=_cards(owner, batch_ids), how=how)


def _cards(owner: User, batch_ids: Sequence[int]) -> list[tuple[str, str]]:
    names = dict(
        Batch.objects.ready().owned_by(owner).filter(pk__in=batch_ids).values_list("pk", "name")
    )
    return [(names[pk], f"{PREFIX}{pk}") for pk in dict.fromkeys(batch_ids) if pk in names]
