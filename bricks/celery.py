"""The Celery app: it runs job rows; the rows are the truth (apps/core/jobs)."""

import os
from typing import Any

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")

app = Celery("bricks")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["apps.core.jobs"], related_name="celery_task")
app.autodiscover_tasks(["apps.core.jobs"], related_name="reaper")
app.autodiscover_tasks(["apps.core.jobs"], related_name="takeover")


@signals.worker_init.connect
def _collect_garbage_less(**kwargs: Any) -> None:
    from apps.core.startup import collect_garbage_less

    collect_garbage_less()
