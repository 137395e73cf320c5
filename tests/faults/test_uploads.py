"""A body beyond the limit is refused by the real web server, and kept nowhere."""

import http.client
import json
from pathlib import Path

import pytest

from tests.faults.worker import Worker

pytestmark = pytest.mark.faults

MIB = 1024 * 1024
SENT = 100 * MIB


def memory_of(group: int) -> int:
    """Resident bytes of a process and its children."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            status = (stat.parent / "status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[2]) == group:
            resident = [line for line in status.splitlines() if line.startswith("VmRSS")]
            total += int(resident[0].split()[1]) * 1024 if resident else 0
    return total


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="memory is read from /proc")
class TestUploads:
    def test_of_100_mib_are_answered_413_and_kept_nowhere(self, worker: Worker, tmp_path: Path):
        kept = tmp_path / "kept"
        kept.mkdir()
        app = worker.app
        app.environment["TMPDIR"] = str(kept)
        worker.start_web()
        session = json.loads(app.manage("issue_tokens", "ann@example.org", "--create", "Ann"))
        before = memory_of(app.processes["web"].pid)

        connection = http.client.HTTPConnection("127.0.0.1", app.port, timeout=60)
        connection.putrequest("POST", "/api/inventoryItems/sync")
        connection.putheader("Authorization", f"Bearer {session['accessToken']}")
        connection.putheader("Content-Type", "multipart/form-data; boundary=x")
        connection.putheader("Content-Length", str(SENT))
        connection.endheaders()
        for _ in range(SENT // MIB):
            connection.send(bytes(MIB))
        response = connection.getresponse()
        body = json.loads(response.read())
        connection.close()

        assert (response.status, body["error"]["code"]) == (413, "PAYLOAD_TOO_LARGE")
        assert body["message"] == "The request is larger than 64 MiB."
        assert memory_of(app.processes["web"].pid) - before < 50 * MIB
        assert [path for path in kept.rglob("*") if path.is_file()] == []


class TestRefusals:
    def test_reach_a_caller_who_sends_a_lot(self, worker: Worker):
        """Closed while the other side still sends, a connection breaks and its answer is lost."""
        app = worker.app
        worker.start_web()

        answers = [
            asked(app.port, "/api/inventoryItems/sync", body=30 * MIB),
            asked(app.port, "/api/inventoryItems/sync", body=30 * MIB, is_chunked=True),
            asked(app.port, f"/api/catalogItems?search={'x' * 100_000}"),
            asked(app.port, "/api/batches", headers={"X-Long": "x" * 100_000}),
        ]

        assert [(status, body["error"]["code"]) for status, body in answers] == [
            (401, "NOT_AUTHENTICATED"),
            (401, "NOT_AUTHENTICATED"),
            (414, "VALIDATION_ERROR"),
            (431, "VALIDATION_ERROR"),
        ]
        assert answers[2][1]["message"] == "The address of this request is too long."


def asked(port, path, *, body=0, is_chunked=False, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    pieces = (bytes(MIB) for _ in range(body // MIB))
    length = {} if is_chunked or not body else {"Content-Length": str(body)}
    connection.request(
        "POST" if body else "GET",
        path,
        body=pieces if body else None,
        headers={**length, **(headers or {})},
        encode_chunked=is_chunked,
    )
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    return response.status, answer
