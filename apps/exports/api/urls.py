"""Routes of the exports."""

from rest_framework.routers import SimpleRouter

from apps.exports.api.views import ExportViewSet

router = SimpleRouter(trailing_slash=False)
router.register("exports", ExportViewSet, basename="export")

urlpatterns = router.urls
