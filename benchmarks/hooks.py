"""Deliver 1,000 events to receivers that are good, slow, dead, lying and moving.

Each receiver is another person's, over real HTTP; two workers run the app's own jobs, and the clock
is put on whenever nothing is due. HOOKS_EVENTS sets how many events there are.

    python -m benchmarks.hooks
"""

import datetime as dt
import json
import os
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report

BEHAVIOURS = ("slow", "dead", "lying", "moving", "good")
OBJECTS = 20
WORKERS = 2
#: A worker's turn with one webhook, and one call.
LONGEST_WAIT = 30


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {}
    limits: dict[str, Limit] = {}
    for name, told in on_each_database("hooks", "measure"):
        figures |= {f"{name}_{key}": value for key, value in told.items()}
        for key in ("lost", "out_of_order", "wrong_signatures", "two_calls_at_once", "followed"):
            limits[f"{name}_{key}"] = Limit(0)
        limits[f"{name}_seconds_of_the_good_one"] = Limit(LONGEST_WAIT)
    return report("hooks", figures=figures, ratios={}, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    """Deliver in the database of the environment; return the figures."""
    return deliver_all(events=int(os.environ.get("HOOKS_EVENTS", "1000")), workers=WORKERS)


def deliver_all(*, events: int, workers: int) -> dict[str, Any]:
    """Write so many events, work until all are delivered, and return what the receivers saw."""
    from django.conf import settings

    from apps.core.clock import now
    from apps.webhooks import tasks
    from apps.webhooks.models import Delivery
    from apps.webhooks.services.sending import start_all_due
    from simulators.hooks.server import make_server

    settings.WEBHOOKS_TO_PRIVATE = True
    server = make_server(port=0)
    assert server is not None
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    passed = dt.timedelta()
    try:
        with patch.object(tasks, "now", lambda: now() + passed):
            secrets = {one: _person(one, server.url) for one in BEHAVIOURS}
            _write(events)
            began = time.perf_counter()
            good = _work(workers, until="good", began=began)
            _work(workers)
            first_calls = server.calls["dead"]
            for hours in range(60):
                if hours == 3:
                    server.heal()
                passed += dt.timedelta(minutes=20)
                start_all_due(now=now() + passed)
                _work(workers)
                if not Delivery.objects.filter(delivered_at=None).exists():
                    break
        return {
            "events": events,
            **_seen(server, secrets),
            "lost": Delivery.objects.filter(delivered_at=None).count(),
            "two_calls_at_once": server.most_at_once - 1,
            "calls_of_the_dead_one_at_first": first_calls,
            "seconds_of_the_good_one": round(good or time.perf_counter() - began, 1),
            "seconds": round(time.perf_counter() - began, 1),
        }
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _person(behaviour: str, url: str) -> str:
    """Make a person with a webhook; return its secret."""
    from apps.accounts.models import User
    from apps.webhooks.services.webhooks import make_webhook

    owner = User.objects.create_user(f"{behaviour}@example.org", name=behaviour)
    address = f"{url}/{behaviour}/{behaviour}"
    return make_webhook(owner=owner, address=address, events=["order.changed"])[1]


def _write(events: int) -> None:
    from django.db import transaction

    from apps.accounts.models import User
    from apps.webhooks.services.events import emit

    owners = {one.name: one.pk for one in User.objects.filter(name__in=BEHAVIOURS)}
    for number in range(events):
        pk = owners[BEHAVIOURS[number % len(BEHAVIOURS)]]
        about = f"order {number // len(BEHAVIOURS) % OBJECTS}"
        with transaction.atomic():
            emit(owner_id=pk, event="order.changed", told={about: {"number": number}})


def _work(workers: int, *, until: str = "", began: float = 0) -> float | None:
    """Run the jobs that wait; with `until` return after so long that receiver had everything."""
    from django.db import connection

    from apps.core.jobs.models import Job
    from apps.core.jobs.runner import run_job
    from apps.webhooks.models import Delivery

    ended: list[float] = []

    def work(*, closes: bool) -> None:
        waiting = Job.objects.filter(kind="webhooks.deliver").unfinished().order_by("created_at")
        left = Delivery.objects.filter(owner__name=until, delivered_at=None)
        while job := waiting.filter(state="queued").first():
            run_job(job.pk)
            if until and not ended and not left.exists():
                ended.append(time.perf_counter() - began)
        if closes:
            connection.close()

    threads = [threading.Thread(target=work, kwargs={"closes": True}) for _ in range(workers - 1)]
    for one in threads:
        one.start()
    work(closes=False)
    for one in threads:
        one.join()
    return ended[0] if ended else None


def _seen(server: Any, secrets: dict[str, str]) -> dict[str, int]:
    """Return what was wrong with what the receivers got."""
    from standardwebhooks import Webhook as Signer

    from apps.webhooks.models import Delivery

    about = {str(one.event_id): (one.pk, one.about) for one in Delivery.objects.all()}
    wrong = disordered = twice = 0
    for behaviour, secret in secrets.items():
        first: dict[str, None] = {}
        for headers, body in server.received[behaviour]:
            sent_at = dt.datetime.fromtimestamp(int(headers["Webhook-Timestamp"]), dt.UTC)
            signed = Signer(secret).sign(headers["Webhook-Id"], sent_at, body.decode())
            wrong += signed != headers["Webhook-Signature"] or not json.loads(body)["data"]
            twice += headers["Webhook-Id"] in first
            first.setdefault(headers["Webhook-Id"])
        of_object = defaultdict(list)
        for event_id in first:
            pk, name = about[event_id]
            of_object[name].append(pk)
        disordered += sum(pks != sorted(pks) for pks in of_object.values())
    return {
        "wrong_signatures": wrong,
        "out_of_order": disordered,
        "sent_twice": twice,
        "followed": len(server.received["moving-moved"]),
    }


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
    else:
        sys.exit(main())
