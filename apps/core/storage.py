"""Errors of the file storage, with messages that say what the person can do."""

import errno
import sqlite3
from typing import Final

from django.db import OperationalError

from apps.core.errors import DomainError, ErrorCode

FULL: Final = {errno.ENOSPC, errno.EDQUOT}
# The second: what SQLite's processes share beside the file could not be made larger.
SQLITE_FULL: Final = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
POSTGRES_FULL: Final = "53100"


class DiskFull(DomainError):
    code = ErrorCode.SERVICE_UNAVAILABLE
    message = "The server's disk is full, so nothing was kept. Please tell its operator."


class StorageRefused(DomainError):
    code = ErrorCode.SERVICE_UNAVAILABLE
    message = "The file storage refused this ({answer}). Please tell the operator of the server."


class StorageAway(DomainError):
    """The file storage does not answer. Callers may retry."""

    code = ErrorCode.SERVICE_UNAVAILABLE
    message = "The file storage does not answer. Please try again."


class FileGone(DomainError):
    code = ErrorCode.NOT_FOUND
    message = "The file is no longer in the file storage."


def storage_problem(problem: BaseException) -> DomainError | None:
    """Return what `problem` means where files are kept, None where it has nothing to do with it."""
    # Without S3 its packages are never loaded; nothing of theirs can have been raised then.
    if type(problem).__module__.partition(".")[0] in {"boto3", "botocore", "s3transfer"}:
        return _s3_problem(problem)
    if isinstance(problem, FileNotFoundError):
        return FileGone()
    if isinstance(problem, OSError) and problem.errno in FULL:
        return DiskFull()
    if isinstance(problem, OperationalError) and _is_full(problem.__cause__):
        return DiskFull()
    return None


def _is_full(cause: BaseException | None) -> bool:
    """Return whether the database driver reports a full disk."""
    return (
        getattr(cause, "sqlite_errorcode", None) in SQLITE_FULL
        or getattr(cause, "sqlstate", None) == POSTGRES_FULL
    )


def _s3_problem(problem: BaseException) -> DomainError:
    from botocore.exceptions import ClientError, ConnectionError, HTTPClientError

    if isinstance(problem, ClientError):
        status = problem.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        answer = str(problem.response.get("Error", {}).get("Code") or status)
        return StorageAway() if status >= 500 else StorageRefused(answer=answer)
    if isinstance(problem, HTTPClientError | ConnectionError):
        return StorageAway()
    return StorageRefused(answer=type(problem).__name__)
