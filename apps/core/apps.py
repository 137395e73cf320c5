import gc

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class CoreConfig(AppConfig):
    name = "apps.core"
    label = "core"

    def ready(self) -> None:
        from apps.core import checks, lookups  # noqa: F401  (checks registers the system checks)
        from apps.core.operating import register_the_rest
        from apps.core.startup import THRESHOLDS

        lookups.register()
        # The handlers of jobs and the lines of what waits register themselves.
        autodiscover_modules("tasks", "services.waiting")
        # The admin, first of the installed apps, has read every app's admin.py by now.
        register_the_rest()
        gc.set_threshold(*THRESHOLDS)
