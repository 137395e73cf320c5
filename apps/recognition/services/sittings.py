"""Keep the stopwatch of a sitting."""

from collections.abc import Mapping
from typing import Any

from apps.accounts.models import User
from apps.core.ownership import acting_person
from apps.recognition.models import StationSitting


def record_sitting(*, owner: User, key: str, figures: Mapping[str, Any]) -> StationSitting:
    """Store the sums of a sitting so far; a later call of the same person replaces them."""
    sitting, _ = StationSitting.objects.update_or_create(
        owner=owner, by_id=acting_person(), key=key, defaults=figures
    )
    return sitting
