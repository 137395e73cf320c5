"""Which site Django's admin is: loaded before any model, so it imports none."""

from django.contrib.admin.apps import AdminConfig


class OperatorsConfig(AdminConfig):
    default_site = "apps.core.operating.Site"
