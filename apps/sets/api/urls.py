from rest_framework.routers import SimpleRouter

from apps.sets.api.views import UserSetViewSet

router = SimpleRouter(trailing_slash=False)
router.register("userSets", UserSetViewSet, basename="user-set")

urlpatterns = router.urls
