"""The addresses of pictures. Not of the API: a page's <img> asks them, without a token."""

from django.urls import re_path

from apps.pictures.api.serving import face, outside

urlpatterns = [
    re_path(
        r"^1/(?P<digest>[0-9a-f]{12})/(?P<color>none|[0-9A-F]{6}-[0-9]{1,9})/"
        r"(?P<size>64|128|256)\.webp$",
        face,
        name="face",
    ),
    re_path(
        r"^1/outside/(?P<item_type>[A-Z_]{1,12})/(?P<color>[0-9]{1,9})/(?P<number>[^/]{1,64})\.webp$",
        outside,
        name="outside",
    ),
]
