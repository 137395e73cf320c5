"""Routes of what is put up for sale, and of the syncs with the store."""

from rest_framework.routers import SimpleRouter

from apps.listings.api.sync_views import StoreSyncViewSet
from apps.listings.api.views import ListingViewSet

router = SimpleRouter(trailing_slash=False)
router.register("marketplace/listings", ListingViewSet, basename="marketplace-listing")
router.register("marketplace/syncs", StoreSyncViewSet, basename="marketplace-sync")

urlpatterns = router.urls
