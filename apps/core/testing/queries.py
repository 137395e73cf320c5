"""The query ledger: how many queries each read costs, kept beside the tests.

`UPDATE_QUERY_COUNTS=1 pytest …` rewrites the ledger; the change is a line in the diff.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext


def count_queries(act: Callable[[], Any]) -> tuple[int, Any]:
    """Return how many queries `act` made, and its result."""
    with CaptureQueriesContext(connection) as captured:
        result = act()
    return len(captured), result


def assert_query_budget(ledger: Path, name: str, act: Callable[[], Any]) -> Any:
    """Fail if the number of queries of `act` differs from the ledger's for `name`."""
    with CaptureQueriesContext(connection) as captured:
        result = act()
    counts: dict[str, int] = json.loads(ledger.read_text()) if ledger.exists() else {}
    if os.environ.get("UPDATE_QUERY_COUNTS"):
        counts[name] = len(captured)
        ledger.write_text(json.dumps(dict(sorted(counts.items())), indent=2) + "\n")
        return result
    listing = "\n".join(query["sql"][:300] for query in captured.captured_queries)
    assert counts.get(name) == len(captured), (
        f"{name}: {len(captured)} queries, the ledger says {counts.get(name)}:\n{listing}"
    )
    return result
