from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.orders.api.hooks import HeardView, OrderHookView
from apps.orders.api.papers import OrderPapers
from apps.orders.api.views import OrderViewSet
from apps.orders.api.walks import PickWalkViewSet

router = SimpleRouter(trailing_slash=False)
router.register("orders", OrderViewSet, basename="order")
router.register("pickWalks", PickWalkViewSet, basename="pick-walk")

urlpatterns = [
    path("orderHook", OrderHookView.as_view(), name="order-hook"),
    path("hooks/orders/<str:secret>", HeardView.as_view(), name="hook-orders"),
    path("orders/papers", OrderPapers.as_view(), name="order-papers"),
    *router.urls,
]
