"""Routes of the backups."""

from rest_framework.routers import SimpleRouter

from apps.backups.api.views import BackupViewSet

router = SimpleRouter(trailing_slash=False)
router.register("backups", BackupViewSet, basename="backup")

urlpatterns = router.urls
