"""Close an account: signing in is refused at once, and a job erases its data.

Nothing that names the person stays, in whichever table: `tests/test_closing.py` reads them all.
"""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from graphlib import TopologicalSorter
from typing import Any, Final

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import check_password
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models, transaction

from apps.accounts.models import Erasure, User, normal_address
from apps.accounts.services.tokens import revoke_all
from apps.accounts.services.users import DemoIsShared
from apps.core.errors import ValueRefused
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job
from apps.core.jobs.run import JobRun

ERASE_ACCOUNT: Final = "accounts.erase_account"
AT_ONCE: Final = 500


def close_account(*, user: User, email_address: str, password: str, now: dt.datetime) -> Job:
    """Close `user`'s account and start erasing it. Raises DemoIsShared, Invalid.

    Address and password are typed as a confirmation. The address is free for a new account
    right away.
    """
    if user.is_demo:
        raise DemoIsShared
    if normal_address(email_address) != user.email_address:
        raise ValueRefused(fields={"email_address": ["is not the address of this account"]})
    if not check_password(password, user.password):
        raise ValueRefused(fields={"password": ["is not your password"]})
    with transaction.atomic():
        revoke_all(user=user, now=now)
        # Jobs that were asked for by the address, before it is forgotten.
        _jobs_of_nobody().filter(payload__email_address=user.email_address).delete()
        user.email_address = f"closed-{user.pk}@account.invalid"
        user.name = ""
        user.is_active = False
        user.set_unusable_password()
        user.save(update_fields=["email_address", "name", "is_active", "password", "updated_at"])
        return start_job(owner=None, kind=ERASE_ACCOUNT, payload={"user_id": user.pk})


def erase_account(run: JobRun, *, user_id: int) -> None:
    """Delete every row and file of a closed account, some hundred rows in each transaction."""
    user = User.objects.filter(pk=user_id, is_active=False).first()
    if user is not None:
        for model, field in _models_of_persons():
            _erase_rows(run, model, {field: user}, user)
    with run.finish():
        if user is not None:
            user.delete()
        _erase_what_names(user_id)
        Job.objects.filter(pk=run.job.pk).update(payload={})


@contextmanager
def erasing(user: User) -> Iterator[None]:
    """Allow this transaction to delete the protected rows of `user`, such as the ledger."""
    erasure = Erasure.objects.create(holder_id=user.pk)
    yield
    erasure.delete()


def _erase_rows(run: JobRun, model: type[models.Model], mine: dict[str, Any], user: User) -> None:
    files = [field.name for field in model._meta.fields if isinstance(field, models.FileField)]
    # The plain manager: the ledger's own refuses to delete, and is deleted with its rows here.
    rows = model._base_manager.filter(**mine).order_by("pk")
    while found := list(rows[:AT_ONCE]):
        # Files first: a row is found again after a kill, a file without its row is not.
        for row in found:
            for name in files:
                getattr(row, name).delete(save=False)
        with run.chunk(done=run.done + len(found)), erasing(user):
            model._base_manager.filter(pk__in=[row.pk for row in found]).delete()


def _erase_what_names(user_id: int) -> None:
    """Delete the rows that name the account by a plain id."""
    for model in apps.get_models():
        if any(field.name == "holder_id" for field in model._meta.fields):
            model._base_manager.filter(holder_id=user_id).delete()
    _jobs_of_nobody().filter(payload__user_id=user_id).exclude(kind=ERASE_ACCOUNT).delete()
    people = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=people, object_id=str(user_id)).delete()
    for session in Session.objects.iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user_id):
            session.delete()


def _jobs_of_nobody() -> models.QuerySet[Job]:
    """Return the jobs of the accounts themselves: those with an owner go with it."""
    return Job.objects.filter(owner=None, kind__startswith="accounts.")


def _models_of_persons() -> Iterator[tuple[type[models.Model], str]]:
    """Yield each model whose rows belong to a person, and by which field, children first."""
    owned: dict[type[models.Model], str] = {}
    for model in apps.get_models():
        for field in model._meta.fields:
            is_person = isinstance(field, models.ForeignKey) and field.related_model is User
            if is_person and _on_delete(field) is models.CASCADE:
                owned[model] = field.name
    held = {models.CASCADE, models.PROTECT, models.RESTRICT}
    parents: dict[type[models.Model], set[Any]] = {model: set() for model in owned}
    for model in owned:
        for field in model._meta.fields:
            other = field.related_model
            holds = isinstance(field, models.ForeignKey) and _on_delete(field) in held
            if holds and other in owned and other is not model:
                parents[other].add(model)
    for model in TopologicalSorter(parents).static_order():
        yield model, owned[model]


def _on_delete(field: models.Field[Any, Any]) -> Any:
    return getattr(field.remote_field, "on_delete", None)
