"""Ten minutes of generated calls, valid and invalid by the schema, on every operation.

A contradiction is an answer that the schema does not describe, or a forbidden request that is
accepted. A fresh seed each time. Before that,
every parameter of every list gets every strange value once.

    python -m benchmarks.fuzz
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from benchmarks._report import Limit, report

SECONDS = int(os.environ.get("FUZZ_SECONDS", "600"))
EXAMPLES = 5


def main() -> int:
    """Call the API of a database of its own; print one JSON line."""
    with tempfile.TemporaryDirectory() as folder:
        url = os.environ.get("DATABASE_URL") or f"sqlite:///{folder}/bench.sqlite3"
        env = {**os.environ, "DATABASE_URL": url, "VAR_DIR": folder, "LOG_LEVEL": "CRITICAL"}
        command = [sys.executable, "-m", "benchmarks.fuzz", "measure"]
        done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True)
    figures = json.loads(done.stdout.splitlines()[-1])
    nothing = ("invalid_accepted", "contradictions", "broken_answers")
    limits = {name: Limit(0) for name in nothing}
    return report("fuzz", figures=figures, ratios={}, limits=limits)


def measure() -> dict[str, Any]:
    """Return how many calls contradicted the schema, and where."""
    from django.core.management import call_command
    from django.core.signals import request_finished, request_started
    from django.db import close_old_connections
    from hypothesis.errors import Unsatisfiable
    from rest_framework.test import APIClient
    from schemathesis import GenerationMode

    from apps.accounts.models import Preferences, User
    from apps.accounts.services.tokens import issue_tokens
    from apps.core.clock import now
    from tests.contract import Probe, openapi, operations, rows_of
    from tests.test_api_contract import broken_answers, strange_questions

    call_command("migrate", verbosity=0)
    user = User.objects.create_user("bench@example.org", "x", name="Bench")
    Preferences.objects.create(user=user, currency="EUR")
    rows = rows_of(user)
    headers = {"Authorization": f"Bearer {issue_tokens(user=user, now=now()).access}"}
    seed = random.SystemRandom().randrange(2**32)
    schema = openapi()
    found: Counter[str] = Counter()
    where: Counter[str] = Counter()
    client = APIClient()
    client.force_authenticate(user)
    calls, broken = broken_answers(client, strange_questions(schema, every=True), rows)
    print(*broken, sep="\n", file=sys.stderr)
    # The client connects them anew at each of its calls.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    until = time.monotonic() + SECONDS
    number = seed
    while time.monotonic() < until:
        number += 1
        for operation in operations(schema, constants=True):
            if time.monotonic() >= until:
                break
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                probe = Probe(
                    operation,
                    headers,
                    rows,
                    number,
                    EXAMPLES,
                    mode,
                )
                with suppress(Unsatisfiable):  # nothing can be wrong without parameters
                    probe.run()
                calls += probe.called
                for problem in probe.problems:
                    kind = type(problem).__name__
                    found[kind] += 1
                    where[f"{operation.label} {kind}"] += 1
    figures: dict[str, Any] = {
        "seed": seed,
        "seconds": SECONDS,
        "calls": calls,
        "broken_answers": len(broken),
        "invalid_accepted": found.pop("AcceptedNegativeData", 0),
    }
    figures["contradictions"] = found.total()
    return figures | {"most": ", ".join(f"{name} {n}" for name, n in where.most_common(10))}


if __name__ == "__main__":
    if sys.argv[1:] == ["measure"]:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
        import django

        django.setup()
        print(json.dumps(measure()))
    else:
        sys.exit(main())
