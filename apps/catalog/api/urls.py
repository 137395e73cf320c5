from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.catalog.api import imports, views

router = SimpleRouter(trailing_slash=False)
router.register("catalogItems", views.ItemViewSet, basename="catalog-item")
router.register("catalogLots", views.LotViewSet, basename="catalog-lot")
router.register("colors", views.ColorViewSet, basename="color")
router.register("categories", views.CategoryViewSet, basename="category")

urlpatterns = [
    *router.urls,
    path("priceRule", views.PriceRuleView.as_view(), name="price-rule"),
    path("catalogImports", imports.CatalogImportView.as_view(), name="catalog-imports"),
    path("catalogImports/check", imports.CatalogCheckView.as_view(), name="catalog-check"),
]
