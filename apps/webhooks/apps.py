from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "apps.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from apps.core.jobs.run import job_ended
        from apps.webhooks.services.events import tell_job

        job_ended.provide(tell_job)
