from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.auctions.api import views

router = SimpleRouter(trailing_slash=False)
router.register("auctionListings", views.AuctionListingViewSet, basename="auction-listing")
router.register("auctionSearches", views.AuctionSearchViewSet, basename="auction-search")

urlpatterns = [
    path("auctionListings/refresh", views.RefreshAllView.as_view(), name="auction-refresh-all"),
    path("auctionListings/byLink", views.ListingByLinkView.as_view(), name="auction-by-link"),
    path(
        "auctionListings/<int:pk>/refresh",
        views.ListingRefreshView.as_view(),
        name="auction-listing-refresh",
    ),
    path(
        "auctionListings/<int:pk>/shipping",
        views.ListingShippingView.as_view(),
        name="auction-listing-shipping",
    ),
    path("auctionSite", views.SiteView.as_view(), name="auction-site"),
    *router.urls,
]
