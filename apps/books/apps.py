from django.apps import AppConfig


class BooksConfig(AppConfig):
    name = "apps.books"
    label = "books"
