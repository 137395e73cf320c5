from rest_framework.routers import SimpleRouter

from apps.sources.api.views import SourceViewSet

router = SimpleRouter(trailing_slash=False)
router.register("sources", SourceViewSet, basename="source")

urlpatterns = router.urls
