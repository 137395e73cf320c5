"""One production site for all tests here, made where PostgreSQL and Redis are given."""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.production.site import ProductionSite

NEEDED = ("DATABASE_URL", "REDIS_URL")


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory, migrated_template: str | None
) -> Iterator[ProductionSite]:
    if missing := [name for name in NEEDED if not os.environ.get(name)]:
        pytest.skip(f"production needs {' and '.join(missing)}; .ci/run starts both and sets them")
    made = ProductionSite(
        tmp_path_factory.mktemp("production"),
        database_url=os.environ["DATABASE_URL"],
        redis_url=os.environ["REDIS_URL"],
    )
    # Its processes outlive this one, unless it ends them.
    signal.signal(signal.SIGTERM, lambda *_: pytest.exit("stopped"))
    try:
        made.prepare(migrated_template)
        made.start()
        yield made
    finally:
        made.close()
