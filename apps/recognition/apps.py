from django.apps import AppConfig


class RecognitionConfig(AppConfig):
    name = "apps.recognition"
    label = "recognition"
