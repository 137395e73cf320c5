"""The API of the core: jobs, configuration, client log, schema, docs."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.urls import path
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.routers import SimpleRouter

from apps.core.api.config import ConfigView
from apps.core.api.logs import LogView
from apps.core.jobs.api import JobViewSet


class SchemaView(SpectacularAPIView):
    """The OpenAPI 3.1 schema; the one answer that is not in the envelope."""

    permission_classes = [AllowAny]


# Swagger UI sets styles by itself; its script is a file of ours.
@method_decorator(
    csp_replace({"style-src": [SELF, UNSAFE_INLINE], "img-src": [SELF, "data:"]}), name="dispatch"
)
class DocsView(SpectacularSwaggerSplitView):
    permission_classes = [AllowAny]
    renderer_classes = [*SpectacularSwaggerSplitView.renderer_classes, JSONRenderer]


router = SimpleRouter(trailing_slash=False)
router.register("jobs", JobViewSet, basename="job")

urlpatterns = [
    *router.urls,
    path("config", ConfigView.as_view(), name="config"),
    path("logs", LogView.as_view(), name="logs"),
    path("schema", SchemaView.as_view(), name="schema"),
    path("docs", DocsView.as_view(url_name="schema"), name="docs"),
]
