"""The database server ends a connection in the middle of a request."""

import psycopg
import pytest
from django.db import connection
from rest_framework.test import APIClient

from apps.accounts.services.tokens import issue_tokens
from apps.core.clock import now
from apps.inventory.tests.factories import make_stock

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
MOST_QUERIES = 60


def end_connection():
    told = connection.connection.info
    with psycopg.connect(
        host=told.host, port=told.port, user=told.user, password=told.password, dbname=told.dbname
    ) as other:
        other.execute("SELECT pg_terminate_backend(%s, 10000)", [told.backend_pid])


def status_when_it_ends(owner, *, at: int) -> tuple[int, bool]:
    """Return the status of a started export, and whether it made fewer than `at` queries."""
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {issue_tokens(user=owner, now=now()).access}")
    asked = 0

    def end(execute, sql, params, many, context):
        nonlocal asked
        asked += 1
        if asked == at:
            end_connection()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(end):
        answer = client.post(
            "/api/exports",
            {"scope": "inventory", "format": "bsx"},
            format="json",
            headers={"Idempotency-Key": f"export-at-{at:06}"},
        )
    connection.close()
    return answer.status_code, asked < at


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server")
def test_a_request_is_never_an_unexpected_error(make_user, settings):
    settings.REDIS_URL = settings.REDIS_URL or "redis://127.0.0.1:9/0"
    owner = make_user("ann")
    make_stock(owner)

    answers = []
    for at in range(1, MOST_QUERIES):
        status, is_whole = status_when_it_ends(owner, at=at)
        if is_whole:
            break
        answers.append(status)

    assert is_whole
    assert set(answers) == {503, 202}
