"""Job kinds that exist for one test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.core.jobs import registry


@pytest.fixture
def job_kind() -> Iterator[Callable[..., str]]:
    """`job_kind(handler)` registers the handler for this test; it returns the kind."""
    before = dict(registry._kinds)

    def register(handler: Callable[..., Any], kind: str = "core.of_this_test", **also: Any) -> str:
        registry.job_handler(kind, **also)(handler)
        return kind

    yield register
    registry._kinds.clear()
    registry._kinds.update(before)
