"""The stored answer to a request that carried an `Idempotency-Key`."""

from django.conf import settings
from django.db import models


class StoredAnswer(models.Model):
    """The answer to a user's request with this key, stored in the transaction of its effect."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    # A member's begins with his id, so that nobody is answered what another one was.
    key = models.CharField(max_length=221)
    fingerprint = models.CharField(max_length=64)
    status_code = models.PositiveSmallIntegerField(default=0)
    body = models.BinaryField(default=b"")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["owner", "key"], name="stored_answer_once_per_key"),
        )
        # Read by the sweeper that forgets answers after a few days.
        indexes = (models.Index(fields=["created_at"], name="stored_answer_by_age"),)

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.key}"
