import json

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db


class TestIssueTokens:
    def test_prints_a_session(self, ann, capsys):
        call_command("issue_tokens", "Ann@example.org")

        row = json.loads(capsys.readouterr().out)
        assert set(row) == {"user", "accessToken", "refreshToken"}
        assert row["user"]["id"] == ann.pk
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {row['accessToken']}")
        (me,) = client.get("/api/users/me").json()["data"]
        assert me == row["user"] | {"store": me["store"], "stores": me["stores"]}

    def test_prints_one_session_for_each_address(self, ann, capsys):
        call_command("issue_tokens", "ann@example.org", "new@example.org", create="Bo")

        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [row["user"]["name"] for row in rows] == ["Ann", "Bo"]

    def test_says_that_there_is_no_such_account(self, ann):
        with pytest.raises(CommandError, match=r"no account nobody@example\.org") as stopped:
            call_command("issue_tokens", "nobody@example.org")

        assert stopped.value.returncode == 2
