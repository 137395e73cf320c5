from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.recognition.api.views import (
    CapturesFileView,
    CaptureViewSet,
    IdentifyView,
    MarkerCardView,
    MouldsView,
    RecognitionStateView,
    StationCardsView,
    StationSittingViewSet,
    WrongMatchViewSet,
)

router = SimpleRouter(trailing_slash=False)
router.register("stationSittings", StationSittingViewSet, basename="station-sitting")
router.register("recognition/wrongMatches", WrongMatchViewSet, basename="wrong-match")
router.register("recognition/captures", CaptureViewSet, basename="capture")

urlpatterns = [
    path("recognition/identify", IdentifyView.as_view(), name="recognition-identify"),
    path("recognition/state", RecognitionStateView.as_view(), name="recognition-state"),
    path("recognition/moulds", MouldsView.as_view(), name="recognition-moulds"),
    path("recognition/captures/file", CapturesFileView.as_view(), name="captures-file"),
    path("markerCard", MarkerCardView.as_view(), name="marker-card"),
    path("stationCards", StationCardsView.as_view(), name="station-cards"),
    *router.urls,
]
