from django.urls import path

from apps.home.api import views

urlpatterns = [
    path("home", views.HomeView.as_view(), name="home"),
]
