"""The client's log, and what no log may hold."""

import io
import json
import logging

import pytest

from apps.core.redaction import redacted

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"


def entry(**also):
    return {"level": "error", "message": "It broke.", **also}


@pytest.mark.django_db
class TestLogView:
    def test_takes_entries_of_anybody(self, api, caplog):
        with caplog.at_level(logging.DEBUG, logger="brickstow.client"):
            response = api().post(
                "/api/logs",
                {
                    "entries": [
                        entry(count=3, page="/app/home"),
                        entry(level="warn", message="Odd."),
                    ]
                },
            )

        assert (response.status_code, response.json()["data"]) == (202, [])
        records = [record for record in caplog.records if record.name == "brickstow.client"]
        assert [(record.levelname, record.getMessage()) for record in records] == [
            ("ERROR", "It broke."),
            ("WARNING", "Odd."),
        ]
        assert (records[0].count, records[0].page, records[0].user) == (3, "/app/home", None)

    def test_tells_whose_browser_it_was(self, api, ann, caplog):
        with caplog.at_level(logging.DEBUG, logger="brickstow.client"):
            api(ann).post("/api/logs", {"entries": [entry()]})

        assert caplog.records[-1].user == ann.pk

    @pytest.mark.parametrize(
        "body",
        [
            {},
            [],
            {"entries": []},
            {"entries": "text"},
            {"entries": [entry()] * 51},
            {"entries": [entry(message="x" * 1_001)]},
            {"entries": [entry(level="fatal")]},
            {"entries": [entry(count=0)]},
            {"entries": [entry(count=10**12)]},
            {"entries": [entry(message="a\x00b")]},
            {"entries": [7]},
        ],
        ids=lambda body: str(body)[:40],
    )
    def test_refuses_what_is_none(self, api, body, caplog):
        response = api().post("/api/logs", body)

        assert response.status_code == 400
        assert [record for record in caplog.records if record.name == "brickstow.client"] == []

    @pytest.mark.parametrize(
        ("entries", "status"),
        [
            ([{}] * 60_000, 400),
            ([entry(message="x" * 300_000)], 413),
            ([entry(message="\u20ac" * 1_000)] * 50, 202),
        ],
        ids=["many", "long", "as much as is taken"],
    )
    def test_reads_no_more_than_it_takes(self, api, entries, status):
        response = api().post("/api/logs", {"entries": entries})

        assert response.status_code == status
        if status == 400:  # nothing was said of each
            assert response.json()["meta"]["error"]["fields"] == {
                "entries": ["Ensure this field has no more than 50 elements."]
            }

    def test_takes_thirty_batches_a_minute(self, api, one_window):
        statuses = [
            api().post("/api/logs", {"entries": [entry(level="debug")]}).status_code
            for _ in range(31)
        ]

        assert statuses == [202] * 30 + [429]


class TestRedacted:
    @pytest.mark.parametrize(
        ("text", "hidden"),
        [
            (f"token {JWT} here", "token [hidden] here"),
            (f"Authorization: Bearer {JWT}", "Authorization: Bearer [hidden]"),
            ("Authorization: Bearer opaque", "Authorization: Bearer [hidden]"),
            ('{"password": "hunter2", "a": 1}', '{"password": [hidden], "a": 1}'),
            ("{'new_password': 'hunter2'}", "{'new_password': [hidden]}"),
            ("/signin?reset=abc.def&x=1", "/signin?reset=[hidden]&x=1"),
            ("refreshToken=abc done", "refreshToken=[hidden] done"),
            ("token" * 190 + "=abc", "token" * 190 + "=[hidden]"),
            ("my_token_name : abc", "my_token_name : [hidden]"),
            (" SECRET_KEY=abc", " SECRET_KEY=[hidden]"),
            ("postgres://brickstow:hunter2@db:5432/x", "postgres://brickstow:[hidden]@db:5432/x"),
            ("redis://:hunter2@cache:6379/0", "redis://:[hidden]@cache:6379/0"),
            ("http://localhost:8000/app/home", "http://localhost:8000/app/home"),
            ("Passwords are hashed; 3 tokens left", "Passwords are hashed; 3 tokens left"),
        ],
    )
    def test_hides_what_looks_like_a_secret(self, text, hidden):
        assert redacted(text) == hidden


@pytest.fixture
def written():
    """`written(act)` is the line that `act(logger)` leaves in the real log, parsed."""
    handler = next(h for h in logging.getLogger().handlers if type(h) is logging.StreamHandler)
    logger = logging.getLogger("apps.of_this_test")
    logger.setLevel(logging.DEBUG)

    def capture(act):
        stream, handler.stream = handler.stream, io.StringIO()
        try:
            act(logger)
            return json.loads(handler.stream.getvalue())
        finally:
            handler.stream = stream

    yield capture
    logger.setLevel(logging.NOTSET)


class TestTheLog:
    def test_is_json_with_what_was_added(self, written):
        line = written(lambda log: log.info("done %s", 3, extra={"page": "/x", "user": 7}))

        assert line.pop("timestamp").endswith("Z")
        assert line == {
            "event": "done 3",
            "level": "info",
            "logger": "apps.of_this_test",
            "page": "/x",
            "user": 7,
        }

    def test_holds_the_traceback_of_an_exception(self, written):
        def stumble(log):
            try:
                raise ZeroDivisionError("divided")
            except ZeroDivisionError:
                log.exception("it broke")

        line = written(stumble)

        assert line["event"] == "it broke"
        assert line["exception"].endswith("ZeroDivisionError: divided")
        assert "test_logs.py" in line["exception"]

    def test_holds_no_secret(self, written):
        def leak(log):
            try:
                raise ValueError(f"bad token {JWT}")
            except ValueError:
                log.exception("with %s", JWT, extra={"page": "/signin?reset=abc.def"})

        line = json.dumps(written(leak))

        assert "c2lnbmF0dXJl" not in line
        assert "abc.def" not in line

    def test_keeps_a_message_to_its_line(self, written):
        line = written(lambda log: log.error("%s", '\n{"event": "forged"}'))

        assert line["event"] == '\n{"event": "forged"}'
