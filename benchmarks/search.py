"""Search as you type over the whole catalogue: 1,000 keystrokes through the endpoint.

Server time of `GET /api/catalogItems?search=…`, from request to rendered answer, in this
process. The baseline asks the database for the same words with `icontains`.

    python -m benchmarks.search
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks._catalogue import catalogue
from benchmarks._report import Limit, report, temporary_postgres

KEYSTROKES = 1_000
BASELINE_KEYSTROKES = 200


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {}
    ratios: dict[str, float] = {}
    limits: dict[str, Limit] = {}
    with tempfile.TemporaryDirectory() as folder, temporary_postgres() as postgres:
        paths, _update, kind = catalogue(Path(folder))
        figures["catalogue"] = kind
        urls = {"sqlite": f"sqlite:///{folder}/bench.sqlite3"}
        if postgres is not None:
            urls["postgres"] = postgres
        for name, url in urls.items():
            env = {**os.environ, "DATABASE_URL": url, "VAR_DIR": folder, "LOG_LEVEL": "ERROR"}
            command = [sys.executable, "-m", "benchmarks.search", *map(str, paths)]
            done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
            told = json.loads(done.stdout.splitlines()[-1])
            for key, value in told.items():
                figures[f"{name}_{key}"] = value
            ratios[f"{name}_faster_than_icontains"] = round(
                told["icontains_p50_ms"] / told["p50_ms"], 1
            )
            limits[f"{name}_p99_ms"] = Limit(10)
            limits[f"{name}_faster_than_icontains"] = Limit(3, at_least=True)
    return report("search", figures=figures, ratios=ratios, limits=limits)


def measure(paths: list[Path]) -> dict[str, Any]:
    from django.core.management import call_command
    from django.db.models import Q
    from rest_framework.test import APIClient

    from apps.accounts.models import Preferences, User
    from apps.catalog.models import Item
    from apps.catalog.services.imports import ImportOptions, import_catalog
    from apps.core.clock import now

    call_command("migrate", verbosity=0)
    import_catalog(paths=paths, options=ImportOptions(), clock=now)
    user = User.objects.create_user("bench@example.org", "x", name="Bench")
    Preferences.objects.create(user=user, currency="EUR")
    client = APIClient()
    client.force_authenticate(user)

    def endpoint(text: str) -> int:
        answer = client.get("/api/catalogItems", {"search": text, "page_size": "20"})
        if answer.status_code != 200:
            raise SystemExit(f"{text!r}: {answer.status_code} {answer.content[:200]!r}")
        return len(answer.json()["data"])

    def icontains(text: str) -> int:
        found = Item.objects.all()
        for word in text.split():
            found = found.filter(Q(name__icontains=word) | Q(number__icontains=word))
        return len(list(found.order_by("number").values("pk", "number", "name")[:20]))

    queries = keystrokes(KEYSTROKES)
    for warm in queries[:20]:
        endpoint(warm)
    times, hits = _timed(endpoint, queries)
    baseline, _ = _timed(icontains, queries[:: KEYSTROKES // BASELINE_KEYSTROKES])
    return {
        "items": Item.objects.count(),
        **_percentiles("", times),
        "without_a_hit": sum(1 for count in hits if not count),
        **_percentiles("icontains_", baseline),
    }


def keystrokes(count: int) -> list[str]:
    """Return what people type: names and numbers letter by letter, words in any order, slips."""
    from apps.catalog.models import Item

    chance = random.Random(5)
    ids = list(Item.objects.exclude(name="").order_by("pk").values_list("pk", flat=True))
    rows = list(
        Item.objects.filter(pk__in=chance.sample(ids, 400))
        .order_by("pk")
        .values_list("number", "name")
    )
    chance.shuffle(rows)
    typed: list[str] = []
    for place, (number, name) in enumerate(rows):
        words = name.split()
        if place % 4 == 0:
            whole = number
        elif place % 4 == 1:
            whole = " ".join(chance.sample(words, min(len(words), chance.randint(2, 4))))
        elif place % 8 == 2:
            whole = _slip(" ".join(words[:2]), chance)
        else:
            whole = " ".join(words[: chance.randint(1, 5)])
        ends = range(2, len(whole) + 1)
        typed.extend(whole[:end] for end in sorted(chance.sample(ends, min(len(ends), 3))))
    return typed[:count]


def _slip(text: str, chance: random.Random) -> str:
    """Swap two letters."""
    if len(text) < 4:
        return text
    at = chance.randrange(1, len(text) - 2)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _timed(ask: Callable[[str], int], queries: list[str]) -> tuple[list[float], list[int]]:
    times, hits = [], []
    for text in queries:
        began = time.perf_counter()
        hits.append(ask(text))
        times.append((time.perf_counter() - began) * 1000)
    return times, hits


def _percentiles(prefix: str, times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=100)
    return {
        f"{prefix}p50_ms": round(cuts[49], 2),
        f"{prefix}p95_ms": round(cuts[94], 2),
        f"{prefix}p99_ms": round(cuts[98], 2),
    }


if __name__ == "__main__":
    if len(sys.argv) > 1:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
        import django

        django.setup()
        print(json.dumps(measure([Path(path) for path in sys.argv[1:]])))
    else:
        sys.exit(main())
