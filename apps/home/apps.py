from django.apps import AppConfig


class HomeConfig(AppConfig):
    name = "apps.home"
    label = "home"
