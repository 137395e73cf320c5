"""Every answer under /api is the envelope, whoever refuses."""

import json
import re

import pytest
from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.urls("apps.core.tests.urls")]

JSON = "application/json"
DEEP = b"[" * 10_000
SERVER = "Something went wrong on the server. It has been recorded."


@pytest.fixture
def client():
    """A client that takes 500s as answers, like a browser."""
    return Client(raise_request_exception=False)


def refused(response, status, code):
    """Assert the envelope of a refusal and return its message."""
    assert response.headers["Content-Type"] == JSON
    assert response.headers["Cache-Control"] == "no-store"
    body = json.loads(response.content)
    assert response.status_code == status, body
    assert set(body) == {"success", "data", "message", "error", "meta"}
    assert (body["success"], body["data"]) == (False, [])
    assert body["meta"]["http_status_code"] == status
    assert body["error"]["code"] == body["meta"]["error"]["code"] == code
    assert body["error"]["message"] == body["meta"]["error"]["message"] == body["message"]
    return body["message"]


class TestAnswersWithoutAView:
    @pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/api/jobs/", "/api/a/b/c"])
    def test_are_404s_in_the_envelope(self, client, path):
        message = refused(client.get(path), 404, "NOT_FOUND")

        assert message == "There is nothing at this address."

    def test_say_when_the_host_is_not_ours(self, client):
        response = client.get("/api/config", HTTP_HOST="evil.example")

        assert refused(response, 400, "VALIDATION_ERROR") == "The request could not be read."

    def test_leave_pages_that_are_not_the_apis_alone(self, client):
        response = client.get("/static/nothing.js")

        assert response.status_code == 404
        assert response.headers["Content-Type"].startswith("text/html")


class TestAnswersToBrokenViews:
    @pytest.mark.parametrize("path", ["broken", "plain-broken", "unrenderable"])
    def test_are_500s_that_tell_nothing(self, client, path):
        response = client.get(f"/api/test/{path}")

        assert refused(response, 500, "API_ERROR") == SERVER
        assert b"secret" not in response.content

    @pytest.mark.parametrize(
        ("path", "level", "has_trace"), [("broken", "ERROR", True), ("away", "WARNING", False)]
    )
    def test_are_logged_with_a_trace_where_the_fault_is_ours(
        self, client, caplog, path, level, has_trace
    ):
        with caplog.at_level("WARNING", logger="apps.core.api.failures"):
            client.get(f"/api/test/{path}")

        (record,) = (one for one in caplog.records if one.name == "apps.core.api.failures")
        assert (record.levelname, record.exc_info is not None) == (level, has_trace)
        assert f"/api/test/{path}" in record.getMessage()

    def test_say_when_to_try_again(self, client):
        response = client.get("/api/test/plain-busy")

        refused(response, 503, "SERVICE_UNAVAILABLE")
        assert response.headers["Retry-After"] == "5"


class TestAnswersOfViews:
    def test_hold_one_row_in_an_array(self, client):
        response = client.get("/api/config")

        body = response.json()
        assert response.headers["Cache-Control"] == "no-store"
        assert set(body) == {"success", "data", "meta"}
        assert body["success"] is True
        assert body["meta"] == {"http_status_code": 200}
        assert body["data"][0]["product_name"] == "Brickstow"
        assert body["data"][0]["demo_mode"] is True
        assert "EUR" in body["data"][0]["currencies"]

    def test_hold_the_pages_numbers_on_lists(self, api, ann):
        body = api(ann).get("/api/jobs").json()

        assert body == {
            "success": True,
            "data": [],
            "meta": {
                "http_status_code": 200,
                "pagination": {"page": 1, "page_size": 25, "total_items": 0, "total_pages": 1},
            },
        }

    @pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
    def test_refuse_other_methods(self, client, method):
        response = getattr(client, method)("/api/config")

        refused(response, 405, "METHOD_NOT_ALLOWED")
        assert response.headers["Allow"] == "GET, HEAD"

    def test_are_json_whatever_a_browser_prefers(self, client):
        refused(client.get("/api/config", HTTP_ACCEPT="text/html"), 406, "NOT_ACCEPTABLE")
        refused(client.get("/api/config?format=xml"), 404, "NOT_FOUND")

    def test_ask_for_a_sign_in(self, client):
        response = client.get("/api/jobs")

        refused(response, 401, "NOT_AUTHENTICATED")
        assert response.headers["WWW-Authenticate"] == 'Bearer realm="api"'

    def test_say_how_long_a_throttle_lasts(self, client, one_window):
        answers = [client.get("/api/test/busy") for _ in range(4)]

        last = answers[-1]
        message = refused(last, 429, "RATE_LIMITED")
        assert 1 <= int(last.headers["Retry-After"]) <= 60
        assert message.startswith("Too many requests. Please try again in ")


class TestUnreadableBodies:
    @pytest.mark.parametrize(
        "body",
        [
            b"{",
            b"nonsense",
            b'"text"',
            b"7",
            b"null",
            b"\xff\xfe{",
            b'\xef\xbb\xbf{"email_address": "a"}',
            b'{"email_address": NaN}',
            b'{"email_address": 1e400}',
            b'{"email_address": ' + b"9" * 5_000 + b"}",
            b'{"email_address": "\\ud800"}',
            b'{"email_address": "a",}',
            DEEP,
            DEEP + b"]" * 10_000,
            b'{"a":' * 101 + b"1" + b"}" * 101,
        ],
        ids=lambda body: repr(body[:24]),
    )
    def test_are_400s(self, client, body):
        refused(
            client.generic("POST", "/api/users/login", body, content_type=JSON),
            400,
            "VALIDATION_ERROR",
        )

    @pytest.mark.parametrize(
        "value",
        [None, 7, 18446744073709551616, True, [], {}, "", " ", "\x00", "a\x00@example.org", "🧱"],
        ids=repr,
    )
    def test_with_the_wrong_values_are_refused_too(self, client, value):
        response = client.post(
            "/api/users/login", {"email_address": value, "password": value}, content_type=JSON
        )

        assert response.status_code in {400, 401}
        assert response.json()["success"] is False

    def test_of_a_hundred_levels_are_read(self, client):
        body = b'{"a":' * 100 + b"1" + b"}" * 100

        message = refused(
            client.generic("POST", "/api/users/login", body, content_type=JSON),
            400,
            "VALIDATION_ERROR",
        )

        assert message == "email_address: This field is required."

    @pytest.mark.parametrize(
        "kind", ["text/csv", "application/xml", "multipart/form-data", "nonsense"]
    )
    def test_of_another_kind_are_415s(self, client, kind):
        response = client.generic("POST", "/api/users/login", b"a,b", content_type=kind)

        refused(response, 415, "UNSUPPORTED_MEDIA_TYPE")

    def test_beyond_the_limit_are_413s(self, client, settings):
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1024

        response = client.generic("POST", "/api/users/login", b" " * 1025, content_type=JSON)

        said = refused(response, 413, "PAYLOAD_TOO_LARGE")
        assert said == "The request is larger than 0.000976562 MiB."

    def test_beyond_the_upload_limit_are_413s_before_anybody_reads_them(self, api, ann, settings):
        settings.MAX_UPLOAD_BYTES = 2_000_000

        response = api(ann).generic(
            "POST", "/api/test/effect", b"x" * 4_000_000, content_type="multipart/form-data"
        )

        assert refused(response, 413, "PAYLOAD_TOO_LARGE") == "The request is larger than 1 MiB."

    @pytest.mark.parametrize(
        ("boundary", "status", "code"),
        [
            ("", 400, "VALIDATION_ERROR"),
            ("; boundary=", 400, "VALIDATION_ERROR"),
            ("; boundary=" + "x" * 300, 415, "UNSUPPORTED_MEDIA_TYPE"),
            ("; boundary=x" * 30, 415, "UNSUPPORTED_MEDIA_TYPE"),
        ],
    )
    def test_of_a_broken_form_are_refused(self, api, ann, boundary, status, code):
        response = api(ann).generic(
            "POST",
            "/api/test/refusing",
            b"--x\r\nnonsense",
            content_type=f"multipart/form-data{boundary}",
        )

        refused(response, status, code)

    def test_of_too_many_fields_are_413s(self, api, ann, settings):
        settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 3

        response = api(ann).post(
            "/api/test/refusing", dict.fromkeys("abcdef", "1"), format="multipart"
        )

        refused(response, 413, "PAYLOAD_TOO_LARGE")

    def test_cut_off_by_the_browser_are_400s(self, client):
        response = client.generic(
            "POST", "/api/users/login", b'{"email_address": "a@exam', content_type=JSON
        )

        refused(response, 400, "VALIDATION_ERROR")


class TestHeaders:
    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("get", "/api/config"),
            ("get", "/api/nothing"),
            ("get", "/api/jobs"),
            ("put", "/api/config"),
            ("get", "/api/test/broken"),
            ("get", "/api/test/plain-broken"),
            ("post", "/api/users/login"),
        ],
    )
    def test_are_as_strict_on_every_answer(self, client, settings, method, path):
        settings.MAX_UPLOAD_BYTES = 0
        settings.CORS_ALLOWED_ORIGINS = ["https://shop.example.org"]
        body = {"data": b"x" * 2_000_000, "content_type": JSON} if method == "post" else {}

        response = getattr(client, method)(
            path, **body, headers={"Origin": "https://shop.example.org"}
        )

        assert response.status_code == 413 or method != "post"
        assert response.headers["Content-Type"] == JSON
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert response.headers["Access-Control-Allow-Origin"] == "https://shop.example.org"


class TestSchemaAndDocs:
    def test_are_served_to_anybody(self, client):
        schema = client.get("/api/schema", HTTP_ACCEPT="application/vnd.oai.openapi+json")
        docs = client.get("/api/docs", HTTP_ACCEPT="text/html")

        policy = docs.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in f"{policy};"
        assert not re.search(r"<script(?![^>]* src=)", docs.content.decode())

        assert json.loads(schema.content)["openapi"] == "3.1.0"
        assert docs.status_code == 200
        assert b"swagger" in docs.content
