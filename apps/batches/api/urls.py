"""Routes of the batches and their items."""

from rest_framework.routers import SimpleRouter

from apps.batches.api.item_views import BatchItemViewSet
from apps.batches.api.listing_views import ListingViewSet
from apps.batches.api.sync_views import StoreSyncViewSet
from apps.batches.api.views import BatchViewSet

router = SimpleRouter(trailing_slash=False)
router.register("batches", BatchViewSet, basename="batch")
router.register("marketplace/listings", ListingViewSet, basename="marketplace-listing")
router.register("marketplace/syncs", StoreSyncViewSet, basename="marketplace-sync")
router.register("batchItems", BatchItemViewSet, basename="batch-item")

urlpatterns = router.urls
