"""What the catalogue of a channel answered, kept in the database."""

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db.models.functions import Now

from apps.inventory.models import Channel
from apps.marketplace.models import CatalogueAnswer
from apps.marketplace.providers.base import Answers

#: Then it is asked again: a catalogue grows, and its items are merged.
KEPT_FOR: Final = dt.timedelta(days=30)
LONGEST: Final = 100


class KeptAnswers(Answers):
    """Keeps what is there; what is not may be there tomorrow."""

    def __init__(self, channel: Channel) -> None:
        super().__init__()
        self._channel = channel

    def of(self, keys: Collection[str]) -> dict[str, Any]:
        found = super().of(keys)
        if missing := [key for key in keys if key not in found]:
            rows = CatalogueAnswer.objects.filter(channel=self._channel, key__in=missing)
            young = rows.filter(updated_at__gt=Now() - KEPT_FOR)
            self.note(dict(young.values_list("key", "answer")))
        return super().of(keys)

    def keep(self, found: Mapping[str, Any]) -> None:
        self.note(found)
        rows = [
            CatalogueAnswer(
                owner_id=self._channel.owner_id, channel=self._channel, key=key, answer=answer
            )
            for key, answer in found.items()
            if answer and len(key) <= LONGEST
        ]
        CatalogueAnswer.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["channel", "key"],
            update_fields=["answer", "updated_at"],
        )
