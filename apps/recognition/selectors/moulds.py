"""How often the recogniser was right, by mould."""

from collections import Counter, defaultdict
from typing import Any

from django.db.models import Count

from apps.accounts.models import User
from apps.recognition.models import Capture


def mould_figures(*, owner: User) -> list[dict[str, Any]]:
    """Return right and wrong answers for each part that was confirmed, most wrong first."""
    rows = (
        Capture.objects.owned_by(owner)
        .values_list("item__number", "item__name", "seen_number", "was_right")
        .annotate(times=Count("pk"))
    )
    names: dict[str, str] = {}
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    taken_for: dict[str, Counter[str]] = defaultdict(Counter)
    for number, name, seen, was_right, times in rows:
        names[number] = name
        if was_right:
            right[number] += times
        else:
            wrong[number] += times
            if seen:
                taken_for[number][seen] += times
    return [
        {
            "item_number": number,
            "item_name": name,
            "right": right[number],
            "wrong": wrong[number],
            "taken_for": [seen for seen, _ in taken_for[number].most_common(3)],
        }
        for number, name in sorted(names.items(), key=lambda pair: (-wrong[pair[0]], pair[0]))
    ]
