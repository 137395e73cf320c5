"""An answer to HEAD has the headers of GET and no body, whatever the web server does."""

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import RequestFactory

from apps.accounts.services.tokens import issue_tokens
from apps.backups.tests.factories import backup_of
from apps.core.clock import now

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def kept_connection():
    """The connection of the test outlives its requests."""
    signals = request_started, request_finished
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def answered(method, path, user):
    """The status, the headers and the body that the application gives a web server."""
    token = issue_tokens(user=user, now=now()).access
    request = RequestFactory().generic(method, path, headers={"authorization": f"Bearer {token}"})
    told = {}

    def start(status, headers, exc_info=None):
        told["status"], told["headers"] = status, dict(headers)

    body = get_wsgi_application()(request.environ, start)
    content = b"".join(body)
    body.close()
    return told["status"], told["headers"], content


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/api/users/me", "/api/jobs", "/api/nowhere", "/nowhere.html", "file"]
)
def test_has_no_body(ann, path):
    if path == "file":
        path = f"/api/backups/{backup_of(ann).pk}/file"

    status, headers, content = answered("HEAD", path, ann)
    of_get = answered("GET", path, ann)

    assert content == b""
    assert of_get[2]
    assert status == of_get[0]
    assert headers["Content-Type"] == of_get[1]["Content-Type"]
    length = of_get[1].get("Content-Length", str(len(of_get[2])))
    assert headers["Content-Length"] == length
