from rest_framework.routers import SimpleRouter

from apps.sets.api.build_views import BuildableSetViewSet, BuildSearchViewSet
from apps.sets.api.part_views import SetPartViewSet
from apps.sets.api.views import UserSetViewSet

router = SimpleRouter(trailing_slash=False)
router.register("userSets", UserSetViewSet, basename="user-set")
router.register("userSetParts", SetPartViewSet, basename="set-part")
router.register("buildSearches", BuildSearchViewSet, basename="build-search")
router.register("buildableSets", BuildableSetViewSet, basename="buildable-set")

urlpatterns = router.urls
