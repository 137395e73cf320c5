"""What the API has before any domain: jobs, configuration, client log, schema, docs."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.routers import SimpleRouter

from apps.core.api.config import ConfigView
from apps.core.api.logs import LogView
from apps.core.jobs.api import JobViewSet


class SchemaView(SpectacularAPIView):
    """The OpenAPI 3.1 schema; the one answer that is not in the envelope."""

    permission_classes = [AllowAny]


class DocsView(SpectacularSwaggerView):
    permission_classes = [AllowAny]
    renderer_classes = [*SpectacularSwaggerView.renderer_classes, JSONRenderer]


router = SimpleRouter(trailing_slash=False)
router.register("jobs", JobViewSet, basename="job")

urlpatterns = [
    *router.urls,
    path("config", ConfigView.as_view(), name="config"),
    path("logs", LogView.as_view(), name="logs"),
    path("schema", SchemaView.as_view(), name="schema"),
    path("docs", DocsView.as_view(url_name="schema"), name="docs"),
]
