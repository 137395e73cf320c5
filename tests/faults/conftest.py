"""A migrated database for each test, and a worker on it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.worker import Worker


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Worker(tmp_path_factory.mktemp("migrated"))
    made.app.manage("migrate", "--noinput", "--verbosity", "0")
    return made.database


@pytest.fixture
def worker(tmp_path: Path, migrated: Path) -> Iterator[Worker]:
    shutil.copy(migrated, tmp_path)
    made = Worker(tmp_path)
    yield made
    for name in list(made.app.processes):
        made.app.kill(name)
