"""Hashing a password takes 0.1 s, in which nobody's write may wait."""

import pytest
from django.contrib.auth.hashers import get_hasher
from django.db import connection

from apps.accounts.models import User
from apps.accounts.services.password_reset import reset_token

PASSWORD = "brick-tower-4711"
NEW = "another-tower-4712"


@pytest.fixture
def hashed(monkeypatch):
    """Whether a transaction was open, for each password that was hashed."""
    hasher = type(get_hasher("default"))
    encode, seen = hasher.encode, []

    def noted(self, *args, **kwargs):
        seen.append(connection.in_atomic_block)
        return encode(self, *args, **kwargs)

    monkeypatch.setattr(hasher, "encode", noted)
    return seen


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", ["register", "sign in", "change", "reset", "close"])
def test_is_done_outside_transactions(api, act, hashed):
    given = {"email_address": "dora@example.org", "password": PASSWORD}
    made = api().post("/api/users/register", {**given, "name": "Dora"})
    if act != "register":
        hashed.clear()
    dora = User.objects.get(email_address="dora@example.org")
    answer = {
        "register": lambda: made,
        "sign in": lambda: api().post("/api/users/login", given),
        "change": lambda: api(dora).post(
            "/api/users/change-password", {"current_password": PASSWORD, "new_password": NEW}
        ),
        "reset": lambda: api().post(
            "/api/users/reset-password", {"token": reset_token(dora), "new_password": NEW}
        ),
        "close": lambda: api(dora).post("/api/users/delete-account", given),
    }[act]()

    assert answer.status_code < 300, answer.json()
    assert hashed
    assert not any(hashed)
