"""The lots app: the common parts of stock rows and batch rows. It has no tables."""

from django.apps import AppConfig


class LotsConfig(AppConfig):
    name = "apps.lots"
    label = "lots"
