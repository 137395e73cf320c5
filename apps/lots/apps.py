"""The lots app: what a row of stock and a row of a batch have in common. It has no tables."""

from django.apps import AppConfig


class LotsConfig(AppConfig):
    name = "apps.lots"
    label = "lots"
