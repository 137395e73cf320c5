"""A migrated database for each test, and a worker on it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.worker import Worker


@pytest.fixture
def worker(tmp_path: Path, migrated_copy: Path, django_db_blocker) -> Iterator[Worker]:
    made = Worker(tmp_path, django_db_blocker.unblock)
    shutil.copyfile(migrated_copy, made.database)
    yield made
    for name in list(made.app.processes):
        made.app.kill(name)
