"""Routes of listings and of syncs with the store."""

from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.listings.api.schedule_views import ConflictViewSet, ScheduleView, SettleView
from apps.listings.api.sync_views import LotInChannelsView, StorePullView, StoreSyncViewSet
from apps.listings.api.views import ListingViewSet

router = SimpleRouter(trailing_slash=False)
router.register("marketplace/listings", ListingViewSet, basename="marketplace-listing")
router.register("marketplace/conflicts", ConflictViewSet, basename="marketplace-conflict")
router.register("marketplace/syncs", StoreSyncViewSet, basename="marketplace-sync")

urlpatterns = [
    path("marketplace/conflicts/settle", SettleView.as_view(), name="marketplace-settle"),
    path("marketplace/schedule", ScheduleView.as_view(), name="marketplace-schedule"),
    path(
        "marketplace/channelLots/<int:pk>",
        LotInChannelsView.as_view(),
        name="inventory-item-channels",
    ),
    path("marketplace/pulls", StorePullView.as_view(), name="marketplace-pulls"),
    *router.urls,
]
