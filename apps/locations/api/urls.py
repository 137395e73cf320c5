from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.locations.api.label_layouts import LabelLayouts
from apps.locations.api.views import ContainerTypeViewSet

router = SimpleRouter(trailing_slash=False)
router.register("inventoryContainerTypes", ContainerTypeViewSet, basename="container-type")

urlpatterns = [*router.urls, path("labelLayouts", LabelLayouts.as_view(), name="label-layouts")]
