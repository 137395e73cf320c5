from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "apps.core"
    label = "core"

    def ready(self) -> None:
        from apps.core import checks, lookups  # noqa: F401  (checks registers the system checks)
        from apps.core.jobs.registry import load_handlers
        from apps.core.operating import register_the_rest
        from apps.core.waiting import load_readers

        lookups.register()
        load_handlers()
        load_readers()
        # The admin, first of the installed apps, has read every app's admin.py by now.
        register_the_rest()
