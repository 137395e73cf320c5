from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.recognition.api.views import (
    IdentifyView,
    RecognitionStateView,
    StationCardsView,
    StationSittingViewSet,
    WrongMatchViewSet,
)

router = SimpleRouter(trailing_slash=False)
router.register("stationSittings", StationSittingViewSet, basename="station-sitting")
router.register("recognition/wrongMatches", WrongMatchViewSet, basename="wrong-match")

urlpatterns = [
    path("recognition/identify", IdentifyView.as_view(), name="recognition-identify"),
    path("recognition/state", RecognitionStateView.as_view(), name="recognition-state"),
    path("stationCards", StationCardsView.as_view(), name="station-cards"),
    *router.urls,
]
