"""Routes of the marketplace."""

from django.urls import path

from apps.marketplace.api import sale_rules, views

urlpatterns = [
    path("marketplaceConnection", views.ConnectionView.as_view(), name="marketplace-connection"),
    path(
        "marketplaceConnection/test",
        views.ConnectionTestView.as_view(),
        name="marketplace-connection-test",
    ),
    path(
        "marketplaceConnection/demo",
        views.DemoConnectionView.as_view(),
        name="marketplace-connection-demo",
    ),
    path(
        "marketplace/itemLookups", views.ItemLookUpView.as_view(), name="marketplace-item-look-ups"
    ),
    path("marketplace/saleRule", sale_rules.SaleRuleView.as_view(), name="marketplace-sale-rule"),
    path(
        "marketplace/saleRule/preview",
        sale_rules.SaleRulePreviewView.as_view(),
        name="marketplace-sale-rule-preview",
    ),
    path("marketplace/priceRun", views.PriceRunView.as_view(), name="marketplace-price-run"),
    path(
        "marketplace/priceRefreshes",
        views.PriceRefreshView.as_view(),
        name="marketplace-price-refreshes",
    ),
]
