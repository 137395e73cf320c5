from django.apps import AppConfig


class BatchesConfig(AppConfig):
    name = "apps.batches"
    label = "batches"

    def ready(self) -> None:
        from apps.batches.services.uploaded import UploadedItems
        from apps.inventory.services.after_import import register_uploads

        register_uploads(UploadedItems())
