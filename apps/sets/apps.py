from django.apps import AppConfig


class SetsConfig(AppConfig):
    name = "apps.sets"
    label = "sets"
