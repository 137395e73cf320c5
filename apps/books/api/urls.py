from django.urls import path
from rest_framework.routers import SimpleRouter

from apps.books.api import views

router = SimpleRouter(trailing_slash=False)
router.register("invoices", views.InvoiceViewSet, basename="invoice")

urlpatterns = [
    path("books", views.BooksView.as_view(), name="books"),
    path("books/settings", views.BooksSettingsView.as_view(), name="books-settings"),
    path("books/<slug:name>/file", views.BooksFileView.as_view(), name="books-file"),
    *router.urls,
]
