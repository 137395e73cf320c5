"""Who owns a row, decided in one place.

A row that is not the caller's does not exist for the caller: 404, never 403.
"""

from typing import Any, Self

from django.conf import settings
from django.db import models


class OwnedQuerySet(models.QuerySet[Any]):
    def owned_by(self, user: Any) -> Self:
        """Return the rows of `user` only."""
        return self.filter(owner=user)


class OwnedModel(models.Model):
    """A row that belongs to one user, with the instants of its making and last change."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        abstract = True


class IndexedByOwner(OwnedModel):
    """An owned row with an index or unique constraint that begins with the owner."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )

    class Meta:
        abstract = True
