"""The real settings, with the job kinds of these tests beside the real ones."""

from bricks.settings import *  # noqa: F403
from bricks.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.counting"]
