"""The Celery app: it runs job rows; the rows are the truth (apps/core/jobs)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")

app = Celery("bricks")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["apps.core.jobs"], related_name="celery_task")
app.autodiscover_tasks(["apps.core.jobs"], related_name="reaper")
app.autodiscover_tasks(["apps.core.jobs"], related_name="takeover")
