"""The address that a marketplace calls when an order changes."""

import secrets

from django.conf import settings
from django.db import models

from apps.core.ownership import OwnedModel


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class OrderHook(OwnedModel):
    """A person's address for hints. A caller of it can only make the app read the store."""

    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    secret = models.CharField(max_length=43, unique=True, default=new_secret)
    heard_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "address for hints on orders"
        verbose_name_plural = "addresses for hints on orders"

    def __str__(self) -> str:
        return f"hook of {self.owner_id}"
