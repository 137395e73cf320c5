"""Who owns a row, and who acts: decided in one place.

`request.user` is the store: the account that owns the rows which the request reads and writes.
`person_of(request)` is who acts in it, the owner or a member. A row that is not the store's does
not exist for the caller: 404, never 403.
"""

from contextvars import ContextVar
from typing import Any, Self

from django.conf import settings
from django.core.signals import request_finished, request_started
from django.db import models

#: The id of the person who acts in this request or job; None outside of both.
_acting: ContextVar[int | None] = ContextVar("acting", default=None)
#: The name of the token by which a program acts in this request; empty where none does.
_program: ContextVar[str] = ContextVar("program", default="")


def note_acting(person_id: int | None, *, program: str = "") -> None:
    """Keep who acts, for the rows that name it: set once a request or a job knows."""
    _acting.set(person_id)
    _program.set(program)


def acting_person() -> int | None:
    """Return the id of who acts, as the default of a column."""
    return _acting.get()


def acting_program() -> str:
    """Return the name of the token that is acted by, as the default of a column."""
    return _program.get()


def acting_field() -> "models.ForeignKey[Any, Any]":
    """Return the column of who acted: null where nobody did, or who left since."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        default=acting_person,
        related_name="+",
        db_index=False,  # rows are never filtered by person alone
    )


def program_field(*, has_database_default: bool = False) -> "models.CharField[str, str]":
    """Return the column beside it: by which token, blank where a person acted by himself."""
    return models.CharField(
        max_length=60,
        blank=True,
        default=acting_program,
        db_default="" if has_database_default else models.NOT_PROVIDED,
        help_text="the name of the token that it was done by",
    )


def _forget(**_: Any) -> None:
    note_acting(None)


for signal in (request_started, request_finished):
    signal.connect(_forget, dispatch_uid="core.forget_acting")


def person_of(request: Any) -> Any:
    """Return who acts in a request."""
    return getattr(getattr(request, "auth", None), "person", None) or request.user


class OwnedQuerySet(models.QuerySet[Any]):
    def owned_by(self, user: object) -> Self:
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
