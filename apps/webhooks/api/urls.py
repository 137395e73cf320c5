from django.urls import path

from apps.webhooks.api import views

urlpatterns = [
    path("webhooks", views.WebhooksView.as_view(), name="webhook-list"),
    path("webhooks/<int:pk>", views.WebhookView.as_view(), name="webhook-remove"),
    path("webhooks/<int:pk>/resume", views.ResumeView.as_view(), name="webhook-resume"),
    path("webhooks/<int:pk>/deliveries", views.DeliveriesView.as_view(), name="webhook-deliveries"),
    path(
        "webhooks/<int:pk>/deliveries/<int:delivery>/again",
        views.SendAgainView.as_view(),
        name="webhook-send-again",
    ),
]
