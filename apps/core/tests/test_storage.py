"""What is told when there is no room, or the file storage refuses or is away."""

import errno
import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import OperationalError
from storages.backends.s3 import S3Storage

from apps.core.api.failures import describe
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import JobState
from apps.core.jobs.runner import run_job
from apps.core.storage import storage_problem

pytestmark = pytest.mark.django_db
FULL = Path("/dev/full")


class FullDisk(FileSystemStorage):
    """The kernel's own full disk."""

    def _save(self, name, content):
        with FULL.open("wb", buffering=0) as out:
            out.write(content.read())
        return name


def refused(status: int, code: str) -> ClientError:
    return ClientError(
        {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}, "PutObject"
    )


def database_full():
    """What SQLite raises when its file may not grow, as Django hands it on."""
    with sqlite3.connect(":memory:") as database:
        database.execute("PRAGMA max_page_count = 2")
        try:
            database.execute("CREATE TABLE few AS SELECT zeroblob(100000)")
        except sqlite3.OperationalError as cause:
            problem = OperationalError(*cause.args)
            problem.__cause__ = cause
            return problem
    raise AssertionError("it grew")


@pytest.fixture
def full_disk(settings):
    if not FULL.exists():
        pytest.skip("this system has no /dev/full")
    backend = f"{__name__}.{FullDisk.__name__}"
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend}}


def keep_on_s3(settings, port):
    options = {
        "bucket_name": "files",
        "endpoint_url": f"http://127.0.0.1:{port}",
        "region_name": "us-east-1",
        "access_key": "k",
        "secret_key": "s",
        "client_config": Config(retries={"total_max_attempts": 1}, connect_timeout=1),
    }
    backend = f"{S3Storage.__module__}.{S3Storage.__name__}"
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": backend, "OPTIONS": options},
    }


@pytest.fixture
def s3_nowhere(settings):
    """An S3 whose server is not there."""
    keep_on_s3(settings, 1)


class Refusing(BaseHTTPRequestHandler):
    """An S3 whose keys may not write, as S3 says it over HTTP."""

    def refuse(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
        self.send_response(403)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_PUT = do_POST = refuse

    def log_message(self, *_):
        pass


@pytest.fixture
def s3_refuses(settings):
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        keep_on_s3(settings, server.server_port)
        yield
        server.shutdown()
        thread.join()


@pytest.fixture
def keeping(ann, job_kind):
    """A job that keeps a file."""

    def keep(run, **_):
        default_storage.save("kept.txt", ContentFile(b"x"))
        with run.finish(result={"kept": True}):
            pass

    return start_job(owner=ann, kind=job_kind(keep), payload={})


class TestStorageProblem:
    @pytest.mark.parametrize(
        ("problem", "status", "text"),
        [
            (OSError(errno.ENOSPC, "No space left on device"), 503, "The server's disk is full"),
            (OSError(errno.EDQUOT, "Quota exceeded"), 503, "The server's disk is full"),
            (database_full(), 503, "The server's disk is full"),
            (FileNotFoundError("x"), 404, "The file is no longer in the file storage."),
            (refused(403, "AccessDenied"), 503, "The file storage refused this (AccessDenied)."),
            (refused(404, "NoSuchBucket"), 503, "The file storage refused this (NoSuchBucket)."),
            (refused(503, "SlowDown"), 503, "The file storage does not answer."),
        ],
    )
    def test_is_told_in_a_sentence(self, problem, status, text):
        envelope, _headers = describe(problem)

        assert envelope["meta"]["http_status_code"] == status
        assert envelope["message"].startswith(text)

    def test_is_nothing_where_files_have_no_part_in_it(self):
        assert storage_problem(ValueError("x")) is None
        assert storage_problem(OSError(errno.EPERM, "no")) is None
        assert storage_problem(OperationalError("database is locked")) is None


class TestJob:
    def test_without_room_fails_and_says_so(self, full_disk, keeping):
        run_job(keeping.pk)

        keeping.refresh_from_db()
        assert (keeping.state, keeping.result) == (JobState.FAILED, {})
        assert keeping.message == (
            "The server's disk is full, so nothing was kept. Please tell its operator."
        )

    def test_whose_database_has_no_room_is_tried_again_and_then_says_so(self, ann, job_kind):
        def grow(run, **_):
            raise database_full()

        job = start_job(owner=ann, kind=job_kind(grow), payload={})

        run_job(job.pk)
        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.QUEUED, 1)
        type(job).objects.update(attempts=4, not_before=None)
        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.message) == (
            JobState.FAILED,
            "The server's disk is full (5 attempts).",
        )

    def test_that_s3_refuses_fails_with_its_answer(self, s3_refuses, keeping):
        run_job(keeping.pk)

        keeping.refresh_from_db()
        assert (keeping.state, keeping.result) == (JobState.FAILED, {})
        assert keeping.message == (
            "The file storage refused this (AccessDenied). Please tell the operator of the server."
        )

    def test_is_tried_again_while_the_storage_is_away(self, s3_nowhere, keeping):
        run_job(keeping.pk)

        keeping.refresh_from_db()
        assert (keeping.state, keeping.attempts) == (JobState.QUEUED, 1)
        assert keeping.not_before is not None

    def test_says_after_the_last_attempt_that_the_storage_is_away(self, s3_nowhere, keeping):
        type(keeping).objects.filter(pk=keeping.pk).update(attempts=4)

        run_job(keeping.pk)

        keeping.refresh_from_db()
        assert keeping.state == JobState.FAILED
        assert keeping.message.startswith("The file storage does not answer.")
