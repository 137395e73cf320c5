from django.apps import AppConfig


class LocationsConfig(AppConfig):
    name = "apps.locations"
    label = "locations"
