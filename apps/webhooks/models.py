"""Addresses of programs that are told of events, and what was or will be sent to each."""

import uuid

from django.db import models
from django.db.models import Q

from apps.core.ownership import OwnedModel


class Webhook(OwnedModel):
    """An address that is told of events. One call is made to it at a time."""

    address = models.URLField(max_length=500)
    events = models.JSONField(default=list, help_text="such as order.received")
    sealed = models.TextField(help_text="the secret that calls are signed with, encrypted")
    busy_until = models.DateTimeField(null=True, blank=True, help_text="a worker calls it")
    failures = models.PositiveIntegerField(default=0, help_text="in a row")
    failing_since = models.DateTimeField(null=True, blank=True)
    not_before = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.address


class Delivery(OwnedModel):
    """One event for one webhook: the bytes to send, and how sending went."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event_id = models.UUIDField(default=uuid.uuid4)
    event = models.CharField(max_length=30)
    about = models.CharField(max_length=60, help_text="its object: sent in order of these")
    body = models.TextField()
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True, help_text="empty: sent or given up")
    give_up_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True, blank=True)
    told = models.CharField(max_length=200, blank=True, default="", help_text="the last answer")

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = (
            # What is to be sent, in order.
            models.Index(
                fields=["webhook", "id"],
                name="delivery_to_send",
                condition=Q(due_at__isnull=False),
            ),
            # What is forgotten after a month.
            models.Index(fields=["created_at"], name="delivery_by_age"),
        )

    def __str__(self) -> str:
        return f"{self.event} {self.event_id}"
