"""The Celery app: it runs job rows; the rows are the truth (apps/core/jobs)."""

import os
from typing import Any

from celery import Celery, signals
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
for scheme in ("redis", "rediss"):
    TRANSPORT_ALIASES[scheme] = "apps.core.jobs.broker:Transport"

app = Celery("bricks")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["apps.core.jobs"], related_name="celery_task")
app.autodiscover_tasks(["apps.core.jobs"], related_name="reaper")
app.autodiscover_tasks(["apps.core.jobs"], related_name="takeover")


@signals.worker_init.connect
def _collect_garbage_less(**kwargs: Any) -> None:
    from apps.core.startup import collect_garbage_less

    collect_garbage_less()
