from django.urls import path

from apps.home.api import views

urlpatterns = [
    path("home", views.HomeView.as_view(), name="home"),
    path("find", views.FindView.as_view(), name="find"),
    path("auctionWorth", views.AuctionWorthView.as_view(), name="auction-worth"),
    path("reports", views.ReportsView.as_view(), name="reports"),
    path("reports/<slug:name>/file", views.ReportFileView.as_view(), name="report-file"),
]
