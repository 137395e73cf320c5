"""Routes of the batches and their items."""

from rest_framework.routers import SimpleRouter

from apps.batches.api.item_views import BatchItemViewSet
from apps.batches.api.views import BatchViewSet

router = SimpleRouter(trailing_slash=False)
router.register("batches", BatchViewSet, basename="batch")
router.register("batchItems", BatchItemViewSet, basename="batch-item")

urlpatterns = router.urls
