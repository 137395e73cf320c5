"""Keyed hashes of buyers whose data was erased on request, so that nothing brings it back."""

from django.db import models


class ForgottenBuyer(models.Model):
    """A buyer of one seller, or an order of one: `mark` is a keyed hash, and names neither.

    It has no owner, so that it outlives an account whose backup may be restored later.
    """

    mark = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = "forgotten buyer"

    def __str__(self) -> str:
        return self.mark[:8]
