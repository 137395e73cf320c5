"""Closing an account erases all that is its person's, and nothing else."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.sessions.models import Session
from django.db import connection, models
from django.test import Client

from apps.accounts.models import User
from apps.accounts.services.closing import ERASE_ACCOUNT
from apps.accounts.services.proofs import make_proof
from apps.accounts.services.tokens import issue_tokens
from apps.accounts.tests.factories import PASSWORD
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventorySync, Movement
from tests.test_ownership import OWNED

ADDRESS = "/api/users/delete-account"
CLOSING = {"email_address": "ann@example.org", "password": PASSWORD}


def rows_of(user_id: int) -> dict[str, int]:
    """How many rows name this person as theirs, by model."""
    found = {}
    for model in apps.get_models():
        for field in model._meta.fields:
            if isinstance(field, models.ForeignKey) and field.related_model is User:
                count = model._base_manager.filter(**{field.attname: user_id}).count()
                if count:
                    found[f"{model._meta.label}.{field.name}"] = count
    return found


def tables_with(text: str) -> set[str]:
    """The tables, of whichever model, of which a row holds `text` in any column."""
    with connection.cursor() as cursor:
        found = set()
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            if any(text in str(value) for row in cursor.fetchall() for value in row):
                found.add(table)
    return found - {"sqlite_sequence"}


@pytest.fixture
def full(ann: Any, bo: Any) -> Any:
    """Ann and Bo with a row of everything each."""
    for user in (ann, bo):
        for make in OWNED.values():
            make(user)
    return ann


@pytest.mark.django_db
class TestClosingAnAccount:
    def test_erases_its_rows_and_nobody_elses(self, api, full, bo):
        of_bo = rows_of(bo.pk)

        response = api(full).post(
            ADDRESS, {"email_address": " ANN@example.org ", "password": PASSWORD}
        )
        run_jobs()

        assert response.status_code == 202
        assert Job.objects.get(kind=ERASE_ACCOUNT).state == "succeeded"
        assert not User.objects.filter(pk=full.pk).exists()
        assert rows_of(full.pk) == {}
        assert not Movement.objects.filter(item__owner=full).exists()
        assert rows_of(bo.pk) == of_bo

    def test_leaves_its_id_and_address_in_no_table(self, api, bo, settings):
        settings.MAIL_IS_SENT = True
        gone = User.objects.create_user(
            "eve@example.org", PASSWORD, pk=987_654_321, name="Eve", is_staff=True
        )
        for make in OWNED.values():
            make(gone)
        User.objects.filter(pk=gone.pk).update(email_confirmed_at=now())
        gone.refresh_from_db()
        api().post("/api/users/forgot-password", {"email_address": gone.email_address})
        api().post("/api/users/login", {"email_address": gone.email_address, "password": PASSWORD})
        admin = Client()
        admin.force_login(gone, "django.contrib.auth.backends.ModelBackend")
        LogEntry.objects.log_actions(bo.pk, User.objects.filter(pk=gone.pk), CHANGE, "renamed")
        assert tables_with(str(gone.pk)) > {"accounts_user", "core_job", "django_admin_log"}

        api(gone).post(ADDRESS, {"email_address": gone.email_address, "password": PASSWORD})
        run_jobs()

        assert tables_with("eve@example.org") == set()
        assert tables_with(str(gone.pk)) == set()
        assert not Session.objects.exists()

    def test_deletes_its_files(self, api, full):
        sync = InventorySync.objects.filter(owner=full).get()
        storage, name = sync.file.storage, sync.file.name
        assert storage.exists(name)

        api(full).post(ADDRESS, CLOSING)
        run_jobs()

        assert not storage.exists(name)

    def test_lets_nobody_in_from_that_moment_and_frees_the_address(self, api, full):
        mine = api()
        pair = issue_tokens(user=full, now=now())
        proof = make_proof(user=full, family=pair.family)
        mine.credentials(HTTP_AUTHORIZATION=f"Bearer {pair.access}", HTTP_X_PROOF=proof)
        assert mine.get("/api/users/me").status_code == 200

        mine.post(ADDRESS, CLOSING)

        assert mine.get("/api/users/me").status_code == 401
        again = {"email_address": "ann@example.org", "password": "quite a new one 7", "name": "A"}
        assert api().post("/api/users/register", again).status_code == 201

    @pytest.mark.parametrize(
        ("typed", "fields"),
        [
            (
                {"email_address": "bo@example.org"},
                {"email_address": ["is not the address of this account"]},
            ),
            ({"password": "a wrong one"}, {"password": ["is not your password"]}),
            ({"password": ""}, {"password": ["This field may not be blank."]}),
        ],
    )
    def test_asks_for_address_and_password(self, api, full, typed, fields):
        before = rows_of(full.pk)

        response = api(full).post(ADDRESS, {**CLOSING, **typed})

        assert response.status_code == 400
        assert response.json()["meta"]["error"]["fields"] == fields
        full.refresh_from_db()
        assert full.is_active
        assert rows_of(full.pk) == before

    def test_leaves_the_demo_account(self, api, full):
        full.is_demo = True
        full.save()

        response = api(full).post(ADDRESS, CLOSING)

        assert response.status_code == 403
        assert User.objects.get(pk=full.pk).is_active
