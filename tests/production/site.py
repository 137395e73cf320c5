"""Brickstow as the Procfile starts it in production, on a database and a bucket of its own."""

import copy
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import boto3
import psycopg
import redis
from cryptography.fernet import Fernet

from tests.e2e.app import RunningApp, free_port

HOST = "shop.example.org"
BUCKET = "brickstow-files"
WORKERS = ("worker-1", "worker-2")
# Of the sixteen that a Redis has, one that the other tests leave alone.
REDIS_DATABASE = 7
STOP_SECONDS = 90


class Answer:
    """What the web server answered: status, headers, body."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def data(self) -> list[Any]:
        """The envelope's data; an answer that is no success fails here."""
        envelope = json.loads(self.body)
        assert envelope["success"], envelope
        return envelope["data"]


class ProductionSite(RunningApp):
    """gunicorn, two Celery workers and beat, and the S3 server that they keep files on."""

    def __init__(
        self,
        folder: Path,
        *,
        database_url: str,
        redis_url: str,
        s3_port: int | None = None,
        **also: str,
    ) -> None:
        self._admin_url = database_url
        self._database = f"production_{uuid.uuid4().hex[:12]}"
        self._s3_port = s3_port or free_port()
        self.storage_url = f"http://127.0.0.1:{self._s3_port}"
        self.redis_url = _with_path(redis_url, str(REDIS_DATABASE))
        super().__init__(
            folder,
            PRODUCTION="1",
            SECRET_KEY=f"{uuid.uuid4().hex}{uuid.uuid4().hex}",
            ALLOWED_HOSTS=f"{HOST},127.0.0.1",
            DATABASE_URL=_with_path(database_url, self._database),
            REDIS_URL=self.redis_url,
            STORAGE_BUCKET=BUCKET,
            STORAGE_URL=self.storage_url,
            AWS_ACCESS_KEY_ID="brickstow",
            AWS_SECRET_ACCESS_KEY="not-a-secret",
            AWS_REGION="us-east-1",
            CREDENTIALS_KEY=Fernet.generate_key().decode(),
            EMAIL_URL="memorymail://",
            TRUSTED_PROXIES="1",
            JOB_POLL_SECONDS="0.5",
            JOB_LEASE_SECONDS="10",
            LOG_LEVEL="INFO",
            **also,
        )

    # -- Its life ----------------------------------------------------------------------

    def prepare(self, template: str | None = None) -> None:
        """Do what the Procfile's `release` does, on a database without rows and an empty bucket.

        `template` is a migrated database to begin with, which saves 8 seconds of CPU.
        """
        with psycopg.connect(self._admin_url, autocommit=True) as connection:
            connection.execute(
                f"CREATE DATABASE {self._database} TEMPLATE {template or 'template1'}"
            )
        redis.Redis.from_url(self.redis_url).flushdb()
        self.start_process("s3", [sys.executable, "-m", "moto.server", "-p", str(self._s3_port)])
        self.wait_for(self._s3_answers, "the S3 server")
        self.s3().create_bucket(Bucket=BUCKET)
        self.manage("migrate", "--noinput", "--verbosity", "0")
        self.manage("collectstatic", "--noinput", "--verbosity", "0")
        self.manage("load_starter_catalog", "--small")
        self.manage("load_starter_pictures", "--small")

    def start(self) -> None:
        self.start_web()
        for name in WORKERS:
            self.start_worker(name)
        self.start_beat()
        self.wait_until_ready()

    def start_web(self) -> None:
        self.start_process("web", ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"])

    def start_worker(self, name: str = WORKERS[0]) -> None:
        self.start_process(name, [sys.executable, "manage.py", "work"])

    def start_beat(self) -> None:
        schedule = str(self.folder / "celerybeat-schedule")
        self.start_process(
            "beat",
            ["celery", "-A", "bricks", "beat", "--loglevel", "warning", "--schedule", schedule],
        )

    def terminate(self, name: str, *, group: bool = False) -> int:
        """Ask a process to stop, as docker does (or, `group`, as systemd); return its exit code."""
        process = self.processes.pop(name)
        send = os.killpg if group else os.kill
        send(process.pid, signal.SIGTERM)
        try:
            return process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise AssertionError(f"{name} did not stop:\n{self.log(name)}") from None

    def beside(self, folder: Path, **environment: str) -> "ProductionSite":
        """Return more processes of the same site, with their own port, logs and `environment`."""
        made = copy.copy(self)
        made.folder, made.port = folder, free_port()
        made.url = f"http://127.0.0.1:{made.port}"
        made.environment = {**self.environment, "PORT": str(made.port), **environment}
        made.processes, made.sessions = {}, {}
        return made

    def close(self) -> None:
        for name in list(self.processes):
            self.kill(name)
        with psycopg.connect(self._admin_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {self._database} WITH (FORCE)")

    # -- Looking at it -----------------------------------------------------------------

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def wait_for(self, condition: Callable[[], bool], what: str, seconds: float = 180) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition():
                return
            time.sleep(0.05)
        logs = "\n".join(f"{path.name}: {path.read_text()[-2000:]}" for path in self._logs())
        raise AssertionError(f"waited {seconds} s for {what}\n{logs}")

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            return connection.execute(sql, values).fetchall()

    def s3(self) -> Any:
        return boto3.client(
            "s3",
            endpoint_url=self.storage_url,
            region_name="us-east-1",
            aws_access_key_id="brickstow",
            aws_secret_access_key="not-a-secret",
        )

    @contextmanager
    def without_s3(self) -> Iterator[None]:
        """Stop the S3 server in the middle of its life; it comes back empty."""
        self.kill("s3")
        try:
            yield
        finally:
            command = [sys.executable, "-m", "moto.server", "-p", str(self._s3_port)]
            self.start_process("s3", command)
            self.wait_for(self._s3_answers, "the S3 server")
            self.s3().create_bucket(Bucket=BUCKET)

    def answers(self, path: str) -> bool:
        try:
            return self.ask("GET", path).status == 200
        except OSError:
            return False

    def _s3_answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.storage_url}/moto-api/", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def _logs(self) -> list[Path]:
        return sorted(self.folder.glob("*.log"))

    # -- Talking to it -----------------------------------------------------------------

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str = "",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send a request as the proxy in front would: with the host and over TLS."""
        sent = {
            "Host": HOST,
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "203.0.113.7",
            **({"Authorization": f"Bearer {token}"} if token else {}),
            **(headers or {}),
        }
        payload: bytes | None = body if isinstance(body, bytes) else None
        if body is not None and payload is None:
            payload = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(
            f"{self.url}{path}", data=payload, headers=sent, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                return Answer(refusal.code, refusal.headers, refusal.read())

    def upload(self, path: str, file: Path, *, token: str) -> Answer:
        """Send a file as a browser's form does."""
        boundary = uuid.uuid4().hex
        head = (
            f"--{boundary}\r\nContent-Disposition: form-data; "
            f'name="file"; filename="{file.name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        body = head.encode() + file.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self.ask("POST", path, body, token=token, headers=kind)

    def new_token(self) -> str:
        """Return the access token of an account of its own."""
        printed = self.manage("issue_tokens", f"{uuid.uuid4().hex}@example.org", "--create", "Ann")
        return str(json.loads(printed)["accessToken"])

    def job(self, job_id: str, *, token: str) -> Any:
        (job,) = self.ask("GET", f"/api/jobs/{job_id}", token=token).data
        return job

    def wait_for_job(self, job_id: str, *, token: str, seconds: float = 60) -> Any:
        """Return the job once it has ended."""
        ended = {"succeeded", "failed", "cancelled"}
        self.wait_for(
            lambda: self.job(job_id, token=token)["state"] in ended, f"job {job_id}", seconds
        )
        return self.job(job_id, token=token)


def _with_path(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
