"""The Django project of Brickstow."""

import gc

# Nearly nothing is garbage until the apps are loaded (`CoreConfig.ready`); looks for it took a fifth
# of each start.
gc.set_threshold(200_000, 20, 20)

from bricks.celery import app as celery_app  # noqa: E402

__all__ = ["__version__", "celery_app"]

# The one place: pyproject.toml, the pages and /healthz read it; CHANGELOG.md says what is in it.
__version__ = "0.3.0"
