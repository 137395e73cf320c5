"""The lots app: the common parts of stock rows and batch rows, and the acts on them."""

from django.apps import AppConfig


class LotsConfig(AppConfig):
    name = "apps.lots"
    label = "lots"
