"""The Django project of Brickstow."""

from bricks.celery import app as celery_app

__all__ = ["celery_app"]
