"""Job kinds that exist for one test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.core.jobs import registry


@pytest.fixture
def job_kind() -> Iterator[Callable[..., str]]:
    """`job_kind(handler)` registers the handler for this test; it returns the kind."""
    tables = (registry._handlers, registry._periods, registry._folders)
    before = [dict(table) for table in tables]

    def register(handler: Callable[..., Any], kind: str = "core.of_this_test", **also: Any) -> str:
        registry.job_handler(kind, **also)(handler)
        return kind

    yield register
    for table, rows in zip(tables, before, strict=True):
        table.clear()
        table.update(rows)
