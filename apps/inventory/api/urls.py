from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.inventory.api.act_views import ActViewSet
from apps.inventory.api.location_labels import LocationLabels
from apps.inventory.api.stocked_locations import LocationViewSet
from apps.inventory.api.stocktake_views import StocktakeViewSet
from apps.inventory.api.sync_views import InventorySyncViewSet
from apps.inventory.api.views import InventoryItemViewSet

router = SimpleRouter(trailing_slash=False)
router.register("inventoryItems", InventoryItemViewSet, basename="inventory-item")
router.register("inventoryLocations", LocationViewSet, basename="location")
router.register("inventorySyncs", InventorySyncViewSet, basename="inventory-sync")
router.register("inventoryActs", ActViewSet, basename="stock-act")
router.register("stocktakes", StocktakeViewSet, basename="stocktake")

urlpatterns = [
    path("inventoryLocations/labels", LocationLabels.as_view(), name="location-labels"),
    *router.urls,
]
