"""Apply a request once: the answer is stored in the transaction of its effect.

A second request with the same key waits for the first (PostgreSQL on the unique
index, SQLite on the write lock), then gets the first answer again. A refused
request stores nothing: its transaction is rolled back with the key.
"""

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import orjson
from django.db import IntegrityError, transaction
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.rendering import FIRST_ERROR_STATUS, Envelope, success, to_json
from apps.core.errors import DomainError, ErrorCode, Invalid
from apps.core.idempotency.models import StoredAnswer
from apps.core.ownership import person_of

MAX_KEY_LENGTH = 200
CHUNK = 1024 * 1024
KEPT_FOR = dt.timedelta(days=3)
GONE = "This was done before. Its answer held data that was erased since."


class KeyReused(DomainError):
    code = ErrorCode.IDEMPOTENCY_KEY_REUSED
    message = "This Idempotency-Key was used for a different request."


def apply_once(
    request: Request,
    *args: Any,
    handler: Callable[..., Response],
    key: str,
    prepare: Callable[..., None] | None = None,
    **kwargs: Any,
) -> Response:
    """Return the handler's answer, or the stored one if `key` was applied before.

    `prepare` is called before the transaction of the handler begins.
    """
    if len(key) > MAX_KEY_LENGTH or not (key.isascii() and key.isprintable()):
        raise Invalid(
            fields={"Idempotency-Key": [f"at most {MAX_KEY_LENGTH} printable ASCII characters"]}
        )
    person = person_of(request).pk
    if person != _caller(request):
        key = f"{person} {key}"
    fingerprint = fingerprint_of(request)
    if prepare is not None:
        if (stored := _stored(request, key)) is not None:
            return _replay(stored, fingerprint)
        prepare(request, *args, **kwargs)
    try:
        answer = _apply(request, args, kwargs, handler, key, fingerprint)
    except KeyTaken:
        stored = _stored(request, key)
        if stored is None:
            raise
        return _replay(stored, fingerprint)
    if isinstance(answer, DomainError):
        raise answer
    return answer


class RecordedRefusal(Response):
    """A refusal that keeps its own record. The key can be used again.

    The view has rolled back its other changes.
    """


class KeyTaken(Exception):
    """A request with this key was applied before."""


def _apply(
    request: Request,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    handler: Callable[..., Response],
    key: str,
    fingerprint: str,
) -> Response | DomainError:
    """Return the answer, or the recorded refusal that is raised after the commit."""
    with transaction.atomic():
        try:
            row = StoredAnswer.objects.create(
                owner_id=_caller(request), key=key, fingerprint=fingerprint
            )
        except IntegrityError as taken:
            # No savepoint around it: this leaves the whole transaction, which did nothing else.
            raise KeyTaken from taken
        try:
            response = handler(request, *args, **kwargs)
        except DomainError as refused:
            if not refused.is_recorded:
                raise
            row.delete()
            return refused
        if isinstance(response, RecordedRefusal):
            row.delete()
            return response
        if response.status_code >= FIRST_ERROR_STATUS:
            # Refused without an exception: the key must stay free for the corrected try.
            transaction.set_rollback(True)
            return response
        data = response.data
        envelope = (
            data if isinstance(data, Envelope) else success(data, status=response.status_code)
        )
        StoredAnswer.objects.filter(pk=row.pk).update(
            status_code=response.status_code, body=to_json(envelope)
        )
    return response


def _stored(request: Request, key: str) -> StoredAnswer | None:
    return StoredAnswer.objects.filter(owner_id=_caller(request), key=key).first()


def _caller(request: Request) -> int:
    if request.user.pk is None:
        raise NotAuthenticated
    return request.user.pk


def _replay(stored: StoredAnswer, fingerprint: str) -> Response:
    if stored.fingerprint != fingerprint:
        raise KeyReused
    body = bytes(stored.body)
    return Response(
        Envelope(orjson.loads(body)) if body else success(None, message=GONE),
        status=stored.status_code,
        headers={"Idempotent-Replay": "true"},
    )


def fingerprint_of(request: Request) -> str:
    """Return the hash of method, path, parsed fields and file contents."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    files = request.FILES
    data = request.data
    # A multipart body's boundary differs from try to try; its fields do not.
    fields = {key: data.getlist(key) for key in data} if hasattr(data, "getlist") else data
    if isinstance(fields, dict):
        fields = {key: value for key, value in fields.items() if key not in files}
    digest.update(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS, default=str))
    for name in sorted(files):
        for file in files.getlist(name):
            digest.update(f"\n{name} {file.name}\n".encode())
            for part in file.chunks(CHUNK):
                digest.update(part)
            file.seek(0)
    return digest.hexdigest()


def forget_old_answers(*, now: dt.datetime) -> int:
    """Delete the stored answers that have expired. Return how many."""
    return StoredAnswer.objects.filter(created_at__lt=now - KEPT_FOR).delete()[0]


def empty_answers(*, owner: Any, texts: Iterable[str]) -> None:
    """Erase the stored answers that hold one of these texts, or a line of one.

    The keys stay: who repeats such a request has no second effect.
    """
    lines = {line.strip() for text in texts for line in text.splitlines()} - {""}
    parts = [to_json(line)[1:-1] for line in lines]
    answers = StoredAnswer.objects.filter(owner=owner).order_by("pk")
    for answer in answers.iterator(100):
        if any(part in bytes(answer.body) for part in parts):
            answers.filter(pk=answer.pk).update(body=b"")
