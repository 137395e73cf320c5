from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.catalog.api import views

router = SimpleRouter(trailing_slash=False)
router.register("catalogItems", views.ItemViewSet, basename="catalog-item")
router.register("catalogLots", views.LotViewSet, basename="catalog-lot")
router.register("colors", views.ColorViewSet, basename="color")
router.register("categories", views.CategoryViewSet, basename="category")

urlpatterns = [*router.urls, path("priceRule", views.PriceRuleView.as_view(), name="price-rule")]
