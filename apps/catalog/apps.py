"""The catalogue app: what exists, in which colours, made of what, at what price."""

from django.apps import AppConfig


class CatalogConfig(AppConfig):
    name = "apps.catalog"
    label = "catalog"
    verbose_name = "Catalogue"
