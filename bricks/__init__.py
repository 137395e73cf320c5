"""The Django project of Brickstow."""

from bricks.celery import app as celery_app

__all__ = ["__version__", "celery_app"]

# The one place: pyproject.toml, the pages and /healthz read it; CHANGELOG.md says what is in it.
__version__ = "0.3.0"
